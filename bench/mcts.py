#!/usr/bin/env python3
"""Simulations of UCT a second against OpenSpiel's MCTSBot in C++, side by side on this machine, one core each.

Connect Four, Breakthrough, Lines of Action and Amazons from their starts: trees of ten thousand simulations, the same exploration
constant, one random game to the end for each new leaf (pip install open_spiel). Both are counted by the time of the
processor, so that other work on the machine does not matter. Beside that ours with one thread and with two on one tree, by
the clock. A peer, or a game that it does not have, is said to be missing. Run it from anywhere: python3 bench/mcts.py
"""

import json
import pathlib
import resource
import subprocess
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
SECONDS = 5.0
SIMULATIONS = 10_000
EXPLORATION = 2.0
GAMES = {
    "connect_four": "connect_four",
    "breakthrough": "breakthrough(rows=8,columns=8)",
    "lines_of_action": "lines_of_action",
    "amazons": "amazons",
}


def ours(game, threads):
    """Simulations a second of the processor and of the clock."""
    program = ROOT / "target" / "release" / "examples" / "mcts_speed"
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    started = time.perf_counter()
    command = [program, game, str(SECONDS), str(threads)]
    rate = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)[game]
    wall = time.perf_counter() - started
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    share = (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) / wall
    return rate / share, rate


def open_spiel(name):
    """Simulations of MCTSBot a second of the processor; nothing if OpenSpiel or the game is missing."""
    try:
        import pyspiel
    except ImportError:
        return None
    try:
        game = pyspiel.load_game(GAMES[name])
    except Exception:
        return None
    state = game.new_initial_state()
    simulations = 0
    started = time.process_time()
    while time.process_time() - started < SECONDS:
        evaluator = pyspiel.RandomRolloutEvaluator(1, 1 + simulations)
        bot = pyspiel.MCTSBot(game, evaluator, EXPLORATION, SIMULATIONS, 1000, False, 1 + simulations, False)
        bot.mcts_search(state)
        simulations += SIMULATIONS
    return simulations / (time.process_time() - started)


def main():
    build = ["cargo", "build", "--release", "--quiet", "-p", "tabia-search", "--example", "mcts_speed"]
    subprocess.run(build, cwd=ROOT, check=True)
    print("simulations a second")
    for game in GAMES:
        rate, one = ours(game, 1)
        _, two = ours(game, 2)
        peer = open_spiel(game)
        against = "MISSING, not compared" if peer is None else f"{peer:,.0f}; ratio {rate / peer:.1f}"
        print(f"{game}: {rate:,.0f}; OpenSpiel (MCTSBot, C++): {against}")
        print(f"  by the clock: one thread {one:,.0f}, two {two:,.0f}; ratio {two / one:.2f}")


if __name__ == "__main__":
    main()
