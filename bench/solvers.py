#!/usr/bin/env python3
"""What every method of `tabia solve` takes on small boards of every game that is solved, side by side.

Boards are made of the options that the games have: all small sizes, and the games that have none. Other boards can be given. Each
method has one thread and the same limits; one that does not solve a board is told by a dash, and boards that `auto` solves with
few nodes are left out. The last column is the work of `auto` as a multiple of the least of all methods.
Run it from anywhere: python3 bench/solvers.py [--tabia PROGRAM] [--nodes N] [--seconds S] [BOARD...]
"""

import argparse
import itertools
import json
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent
METHODS = ["auto", "dfpn", "memo", "pn", "pn2", "efpn", "pp", "mopns", "alphabeta", "retrograde"]
# Boards that are made up: the longest side, and the most squares.
MAX_SIDE, MAX_SQUARES = 6, 30


def boards(program):
    """Small boards of the games for two without chance and with nothing hidden."""
    told = json.loads(subprocess.run([program, "games", "--json"], check=True, capture_output=True).stdout)
    for game in told:
        if game["players"] != 2 or game["chance"] or game["hidden"]:
            continue
        name = game["name"]
        kind = game["options"][0]["kind"] if game["options"] else ""
        if sides := re.match(r"[A-Z]+x[A-Z]+, each (\d+)\.\.(\d+)", kind):
            least = max(2, int(sides[1]))
            for a, b in itertools.product(range(least, MAX_SIDE + 1), repeat=2):
                if a * b <= MAX_SQUARES:
                    yield f"{name}:{a}x{b}"
        elif number := re.match(r"(\d+)\.\.(\d+)", kind):
            for size in range(int(number[1]), min(int(number[1]) + 5, int(number[2])) + 1):
                yield f"{name}:{size}"
        else:
            yield name


def cost(options, board, *more):
    """Nodes and seconds, if the board is solved."""
    limits = ["--nodes", str(options.nodes), "--time", str(options.seconds), "--threads", "1"]
    command = [options.tabia, "solve", board, "--json", *more]
    try:
        # Retrograde analysis knows no limits.
        run = subprocess.run(command + limits, capture_output=True, timeout=2 * options.seconds)
    except subprocess.TimeoutExpired:
        return None
    if run.returncode != 0:
        return None
    told = json.loads(run.stdout)
    return told["nodes"], told["seconds"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tabia", default=str(ROOT / "target" / "release" / "tabia"))
    parser.add_argument("--nodes", type=int, default=3_000_000)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--least", type=int, default=20_000, help="boards that take auto fewer nodes are left out")
    parser.add_argument("boards", nargs="*")
    options = parser.parse_args()

    def text(cost):
        return f"{cost[0]:,} ({cost[1]:.2f} s)" if cost else "-"

    columns = ["board", *METHODS, "dfpn without symmetries", "auto / least"]
    print("|", " | ".join(columns), "|")
    print("|", " | ".join("---" for _ in columns), "|")
    for board in options.boards or boards(options.tabia):
        first = cost(options, board)
        if first and first[0] < options.least and not options.boards:
            continue
        costs = [first] + [cost(options, board, "--method", method) for method in METHODS[1:]]
        if not any(costs):
            continue
        each = cost(options, board, "--method", "dfpn", "--symmetry", "off")
        least = min(nodes for nodes, _ in filter(None, costs))
        ratio = f"{first[0] / least:.2f}" if first else "-"
        print("|", " | ".join([board, *map(text, costs), text(each), ratio]), "|", flush=True)


if __name__ == "__main__":
    main()
