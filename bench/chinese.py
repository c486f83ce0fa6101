#!/usr/bin/env python3
"""Random games of Chinese Checkers against OpenSpiel, side by side on this machine, one core each.

The boards differ: OpenSpiel plays on the star of 121 cells with ten pieces a player, and a jump is one action after another; ours
has 73 cells and six pieces, as in Schadd (2011), and a whole chain of jumps is one move. Both break games off after 1,000 moves, which
is how nearly all random games end, so both the games and the single moves a second are told. OpenSpiel's are
the C++ rollouts that MCTSBot makes (pip install open_spiel). All are counted by the time of the processor, so
that other work on the machine does not matter. A peer that is not there is said to be missing.
Run it from anywhere: python3 bench/chinese.py
"""

import json
import pathlib
import subprocess
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
SECONDS = 4.0


def ours():
    build = ["cargo", "build", "--release", "--quiet", "-p", "tabia-multiplayer", "--example", "chinese_speed"]
    subprocess.run(build, cwd=ROOT, check=True)
    program = ROOT / "target" / "release" / "examples" / "chinese_speed"
    return json.loads(subprocess.run([program], check=True, capture_output=True, text=True).stdout)


def open_spiel(players):
    """Simulations of MCTSBot a second of the processor, each with one random game to the end, and the mean length of such games."""
    import pyspiel

    game = pyspiel.load_game("chinese_checkers", {"players": players})
    state = game.new_initial_state()
    simulations = 0
    started = time.process_time()
    while time.process_time() - started < SECONDS:
        evaluator = pyspiel.RandomRolloutEvaluator(1, 1 + simulations)
        bot = pyspiel.MCTSBot(game, evaluator, 2.0, 200, 1000, False, 1 + simulations, False)
        bot.mcts_search(state)
        simulations += 200
    rate = simulations / (time.process_time() - started)
    actions = 0
    for _ in range(5):
        state = game.new_initial_state()
        while not state.is_terminal():
            actions_now = state.legal_actions()
            state.apply_action(actions_now[(7919 * actions) % len(actions_now)])
            actions += 1
    return rate, actions / 5


def main():
    for one in ours():
        players = one["players"]
        rate = one["playouts_per_second"]
        listed = one["listing_all_moves"]
        print(f"{players} players: {rate:,.0f} random games a second of {one['mean_plies']:.1f} moves; from lists of all moves {listed:,.0f}")
        try:
            peer, length = open_spiel(players)
        except ImportError:
            print("  OpenSpiel (MCTSBot, C++ rollouts): MISSING, not compared")
            continue
        print(f"  OpenSpiel (MCTSBot, C++ rollouts): {peer:,.0f} of about {length:,.0f} actions; ratio {rate / peer:.1f}, of single moves {rate * one['mean_plies'] / (peer * length):.1f}")


if __name__ == "__main__":
    main()
