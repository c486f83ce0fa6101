"""A player for tests, good or bad: player.py BEHAVIOUR [FILE], where FILE receives its process id
and those of the processes that it starts. It is right until its behaviour says otherwise.
"""
import os
import subprocess
import sys
import time

behaviour = sys.argv[1]
pids = [os.getpid()]
if behaviour == "parent":
    pids.append(subprocess.Popen(["sleep", "600"]).pid)
if len(sys.argv) > 2:
    with open(sys.argv[2], "w") as file:
        file.write(" ".join(map(str, pids)))


def say(text, end="\n"):
    sys.stdout.write(text + end)
    sys.stdout.flush()


def sleep():
    time.sleep(600)


def flood():
    while True:
        say("x" * 4096, end="")


def chatter():
    while True:
        say("info still thinking")


def close():
    os.close(1)
    sleep()


def complain():
    sys.stderr.write("no move in sight\n" * 65536)
    sys.stderr.flush()
    say("move a1")


def remark():
    say("# a remark\n\ninfo depth 1\ninfo " + "x" * 60000)
    say("move a1 nodes=3 value=0.5")


# What is done instead of answering "go" with the first legal move.
instead = {
    "twice": lambda: say("move a1\nmove a2"),
    "garbage": lambda: say("bestmove a1\x1b[2J"),
    "binary": lambda: os.write(1, b"\xff\xfe\n"),
    "flood": flood,
    "chatter": chatter,
    "silent": sleep,
    "illegal": lambda: say("move z9"),
    "refusing": lambda: say("error I am lost"),
    "empty": lambda: say("move"),
    "half": lambda: (say("move a", end=""), sys.exit(0)),
    "leaving": lambda: sys.exit(3),
    "raising": lambda: {}["plan"],
    "closing": close,
    "complaining": complain,
    "remarking": remark,
}

if behaviour == "missing":
    sys.exit("no such book")
if behaviour == "hasty":
    say("move a1")
legal = []
log = []
for line in sys.stdin:
    log.append(line.strip())
    word, _, rest = log[-1].partition(" ")
    if word == "tabia":
        say("ready\nmove a1" if behaviour == "early" else "ready")
        if behaviour == "deaf":
            sleep()
    elif word == "new" and behaviour == "brief":
        sys.exit(0)
    elif word == "legal":
        legal = rest.split()
    elif word == "go" and behaviour == "echo":
        say("error " + "|".join(log))
    elif word == "go":
        instead.get(behaviour, lambda: say("move " + legal[0]))()
    elif word == "quit":
        if behaviour == "stubborn":
            sleep()
        break
