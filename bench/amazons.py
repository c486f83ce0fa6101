#!/usr/bin/env python3
"""Random games of Amazons against OpenSpiel, side by side on this machine, one core each.

Both draw the queen, the goal and the arrow one after the other; OpenSpiel's are the C++ rollouts that MCTSBot makes (pip
install open_spiel). Both are counted by the time of the processor, so that other work on the machine does not matter. A peer that is not there is said to be missing. Run it from anywhere: python3 bench/amazons.py
"""

import json
import pathlib
import subprocess
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
SECONDS = 5.0


def ours():
    build = ["cargo", "build", "--release", "--quiet", "-p", "tabia-combinatorial", "--example", "amazons_speed"]
    subprocess.run(build, cwd=ROOT, check=True)
    program = ROOT / "target" / "release" / "examples" / "amazons_speed"
    return json.loads(subprocess.run([program], check=True, capture_output=True, text=True).stdout)


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
    rate = own["random_games"]
    print(f"random games a second: {rate:,.0f}, of {own['mean_plies']:.1f} plies")
    listed = own["listing_all_moves"]
    print(f"  listing all moves: {listed:,.0f}; ratio {rate / listed:.1f}")
    peer = open_spiel_playouts()
    if peer is None:
        print("  OpenSpiel (MCTSBot, C++ rollouts): MISSING, not compared")
    else:
        print(f"  OpenSpiel (MCTSBot, C++ rollouts): {peer:,.0f}; ratio {rate / peer:.1f}")
    for name, speed in own["evaluations_per_second"].items():
        print(f"static evaluations a second, {name}: {speed:,.0f}")


if __name__ == "__main__":
    main()
