"""All plays of given positions, by GNU Backgammon's own move generator.

Runs inside GNU Backgammon: `gnubg -t -q -r -p plays.py`, with the name of a file of position identifiers,
one on each line, in TABIA_POSITIONS and the name of the file to write in TABIA_PLAYS. For every position and
each of the 21 rolls a line is written: the identifier, the dice, and the identifiers of all resulting
positions, with the same player still on roll. A player who cannot move has one result, the position itself.
"""

import base64
import os

import gnubg

QUIET = [
    "set automatic game off",
    "set automatic roll off",
    "set automatic move off",
    "set automatic bearoff off",
    "set player 0 human",
    "set player 1 human",
    "set confirm new off",
    "set display off",
    "set output rawboard on",
    "set evaluation chequerplay evaluation plies 0",
    "set evaluation chequerplay evaluation cubeful off",
]


def place(name):
    """A point as an index, the bar as 24, and off as -1."""
    return {"bar": 24, "off": -1}.get(name) if name in ("bar", "off") else int(name) - 1


def after(board, text):
    """The board after a play as it is written: '24/18*/13 6/4(2)'."""
    opponent, own = [list(side) for side in board]
    for word in text.split():
        count = 1
        if word.endswith(")"):
            word, number = word[:-1].split("(")
            count = int(number)
        stops = word.split("/")
        for _ in range(count):
            own[place(stops[0].rstrip("*"))] -= 1
            last = place(stops[-1].rstrip("*"))
            if last >= 0:
                own[last] += 1
            for stop in stops[1:]:
                point = place(stop.rstrip("*"))
                if stop.endswith("*") and opponent[23 - point] == 1:
                    opponent[23 - point] = 0
                    opponent[24] += 1
    return tuple(opponent), tuple(own)


def match_id(high, low):
    """A single game, the cube in the middle, player 0 to play these dice."""
    bits, used = 0, 0
    for value, width in [(0, 4), (3, 2), (0, 1), (0, 1), (1, 3), (0, 1), (0, 1), (0, 2), (high, 3), (low, 3)]:
        bits |= value << used
        used += width
    return base64.b64encode(bits.to_bytes(9, "little")).decode()


def results(identifier, high, low):
    gnubg.command("set gnubgid %s:%s" % (identifier, match_id(high, low)))
    board = gnubg.board()
    if gnubg.positionid(board) != identifier:
        return ["refused"]
    hint = gnubg.hint(10000)
    plays = hint["hint"] if hint else []
    if not plays:
        return [identifier]
    return sorted(gnubg.positionid(after(board, play["move"])) for play in plays)


def main():
    for command in QUIET:
        gnubg.command(command)
    gnubg.command("new session")
    # The first hint of a session comes back empty.
    gnubg.hint(1)
    with open(os.environ["TABIA_POSITIONS"]) as positions, open(os.environ["TABIA_PLAYS"], "w") as out:
        for identifier in positions.read().split():
            for high in range(1, 7):
                for low in range(1, high + 1):
                    words = [identifier, "%d%d" % (high, low)] + results(identifier, high, low)
                    out.write(" ".join(words) + "\n")


main()
