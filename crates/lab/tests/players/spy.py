"""A player that keeps whatever it is told: spy.py FILE PLAN SECRET... writes all that it reads to
FILE, plays the moves of PLAN (joined by commas) one after the other, and crashes if a secret is in
anything that it reads.
"""
import sys

file, plan, *secrets = sys.argv[1:]
plan = plan.split(",")
told = open(file, "wb")
for raw in sys.stdin.buffer:
    told.write(raw)
    told.flush()
    line = raw.decode()
    for secret in secrets:
        if secret in line:
            sys.exit(f"was told the secret {secret}: {line}")
    word, _, rest = line.strip().partition(" ")
    if word == "tabia":
        print("ready spy", flush=True)
    elif word == "legal" and plan[0] not in rest.split():
        sys.exit(f"{plan[0]} is not legal: {line}")
    elif word == "go":
        print("move " + plan.pop(0), flush=True)
    elif word == "quit":
        break
