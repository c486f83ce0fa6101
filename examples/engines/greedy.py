"""A player of any game that Tabia knows: captures if it can, otherwise plays anything legal.

Tabia tells the legal moves, so the rules are not needed here. All that is random follows from the
seed of the game, so the same game can be played again. The words are told in docs/protocol.md.
"""
import random
import sys

luck = random.Random()
legal = []

for line in sys.stdin:
    word, _, rest = line.strip().partition(" ")
    if word == "tabia":  # the version of the protocol and the game: be ready for it
        answer = "ready greedy 1.0"
    elif word == "new":  # a new game and its seed
        luck.seed(int(rest))
        continue
    elif word == "legal":  # the legal moves of the position that was told before
        legal = rest.split()
        continue
    elif word == "go":  # choose one of them
        captures = [move for move in legal if "x" in move]
        answer = "move " + luck.choice(captures or legal)
    elif word == "quit":
        break
    else:  # "position" and "history" are not needed here, and later versions may say more
        continue
    print(answer, flush=True)  # without flush the answer would wait in a buffer
