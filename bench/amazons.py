#!/usr/bin/env python3
"""Random games of Amazons against OpenSpiel, side by side on this machine, one core each.

Both draw the queen, the goal and the arrow one after the other; OpenSpiel's are the C++ rollouts that MCTSBot makes (pip
install open_spiel). Both are counted by the time of the processor, so that other work on the
machine does not matter. A peer that is not there is said to be missing. Run it from anywhere: python3 bench/amazons.py
"""

import json
import pathlib
import resource
import subprocess
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
SECONDS = 5.0


def ours():
    build = ["cargo", "build", "--release", "--quiet", "-p", "tabia-games", "--example", "amazons_speed"]
    subprocess.run(build, cwd=ROOT, check=True)
    program = ROOT / "target" / "release" / "examples" / "amazons_speed"
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    started = time.perf_counter()
    answer = json.loads(subprocess.run([program], check=True, capture_output=True, text=True).stdout)
    wall = time.perf_counter() - started
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    answer["share"] = (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) / wall
    return answer


def open_spiel_playouts():
    """Simulations of MCTSBot a second of the processor, each with one random game to the end."""
    try:
        import pyspiel
    except ImportError:
        return None
    game = pyspiel.load_game("amazons")
    state = game.new_initial_state()
    simulations = 0
    started = time.process_time()
    while time.process_time() - started < SECONDS:
        evaluator = pyspiel.RandomRolloutEvaluator(1, 1 + simulations)
        bot = pyspiel.MCTSBot(game, evaluator, 2.0, 200, 1000, False, 1 + simulations, False)
        bot.mcts_search(state)
        simulations += 200
    return simulations / (time.process_time() - started)


def main():
    own = ours()
    share = own["share"]
    rate = own["playouts_per_second"] / share
    print(f"random games a second: {rate:,.0f} of {own['mean_plies']:.1f} plies")
    print(f"  listing all moves: {own['listing_all_moves'] / share:,.0f}; ratio {own['playouts_per_second'] / own['listing_all_moves']:.1f}")
    peer = open_spiel_playouts()
    if peer is None:
        print("  OpenSpiel (MCTSBot, C++ rollouts): MISSING, not compared")
    else:
        print(f"  OpenSpiel (MCTSBot, C++ rollouts): {peer:,.0f}; ratio {rate / peer:.1f}")
    for name, speed in own["evaluations_per_second"].items():
        print(f"static evaluations a second, {name}: {speed / share:,.0f}")


if __name__ == "__main__":
    main()
