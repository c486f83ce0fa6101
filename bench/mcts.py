#!/usr/bin/env python3
"""Simulations of UCT a second against OpenSpiel's MCTSBot in C++, side by side on this machine, one core each.

Connect Four, Breakthrough, Lines of Action and Amazons from their starts: trees of ten thousand simulations, the same exploration
constant, one random game to the end for each new leaf (pip install open_spiel). Both are counted by the time of the
processor, so that other work on the machine does not matter. Beside that ours with one thread and with two on one tree, by
the clock, for trees of a tenth of a second and for those of ten thousand simulations, some of which are made within three milliseconds.
One and two threads take turns, and ratios are medians; two processes with a thread each, at the same time, tell what the machine itself
gives: if that is not nearly twice as much as one, it has other work, and the ratio of threads says nothing.
A peer, or a game that it does not have, is said to be missing. Run it from anywhere: python3 bench/mcts.py
"""

import json
import os
import pathlib
import resource
import statistics
import subprocess
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAM = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "release" / "examples" / "mcts_speed"
SECONDS = 5.0
# One and two threads by turns: so often, and for so long each time.
TURNS = 5
TURN_SECONDS = 1.0
MILLISECONDS = 100
SIMULATIONS = 10_000
EXPLORATION = 2.0
GAMES = {
    "connect_four": "connect_four",
    "breakthrough": "breakthrough(rows=8,columns=8)",
    "lines_of_action": "lines_of_action",
    "amazons": "amazons",
}


def ours(game):
    """Simulations a second of the processor."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    started = time.perf_counter()
    rate = finish(game, start(game, SECONDS, 1))
    wall = time.perf_counter() - started
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    share = (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) / wall
    return rate / share


def start(game, seconds, threads, milliseconds=None):
    command = [PROGRAM, game, str(seconds), str(threads)]
    if milliseconds is not None:
        command.append(str(milliseconds))
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def finish(game, process):
    output, _ = process.communicate()
    if process.returncode != 0:
        raise SystemExit(f"{PROGRAM} failed")
    return json.loads(output)[game]


def by_the_clock(game, milliseconds):
    """Simulations a second with one thread and with two, and how many times as many two threads and two processes make."""
    ones, twos, threads, processes = [], [], [], []
    for _ in range(TURNS):
        one = finish(game, start(game, TURN_SECONDS, 1, milliseconds))
        two = finish(game, start(game, TURN_SECONDS, 2, milliseconds))
        pair = [start(game, TURN_SECONDS, 1, milliseconds) for _ in range(2)]
        both = sum(finish(game, process) for process in pair)
        ones.append(one)
        twos.append(two)
        threads.append(two / one)
        processes.append(both / one)
    return [statistics.median(figures) for figures in (ones, twos, threads, processes)]


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
        rate = ours(game)
        peer = open_spiel(game)
        against = "MISSING, not compared" if peer is None else f"{peer:,.0f}; ratio {rate / peer:.1f}"
        print(f"{game}: {rate:,.0f}; OpenSpiel (MCTSBot, C++): {against}")
        for milliseconds, trees in ((MILLISECONDS, "a tenth of a second"), (None, "ten thousand simulations")):
            one, two, threads, processes = by_the_clock(game, milliseconds)
            print(f"  by the clock, trees of {trees}: one thread {one:,.0f}, two {two:,.0f}; ratio {threads:.2f} (two processes {processes:.2f})")


if __name__ == "__main__":
    main()
