#!/usr/bin/env python3
"""Backgammon against its peers, side by side on this machine, one core each.

Random games a second: ours, and those of OpenSpiel's C++ rollouts, which MCTSBot makes (pip install open_spiel).
Static evaluations a second: ours, and those of GNU Backgammon through its socket (apt install gnubg). A peer that
is not there is said to be missing. Run it from anywhere: python3 bench/backgammon.py
"""

import json
import pathlib
import shutil
import socket
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
SECONDS = 5.0


def ours():
    command = ["cargo", "run", "--release", "--quiet", "-p", "tabia-backgammon", "--example", "backgammon_speed"]
    return json.loads(subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout)


def open_spiel_playouts():
    """Simulations of MCTSBot a second, each with one random game to the end."""
    try:
        import numpy
        import pyspiel
    except ImportError:
        return None
    game = pyspiel.load_game("backgammon(scoring_type=full_scoring)")
    random = numpy.random.RandomState(1)
    state = game.new_initial_state()
    while state.is_chance_node():
        outcomes, weights = zip(*state.chance_outcomes())
        state.apply_action(int(random.choice(outcomes, p=weights)))
    simulations = 0
    started = time.perf_counter()
    while time.perf_counter() - started < SECONDS:
        evaluator = pyspiel.RandomRolloutEvaluator(1, 1 + simulations)
        bot = pyspiel.MCTSBot(game, evaluator, 2.0, 200, 1000, False, 1 + simulations, False)
        bot.mcts_search(state)
        simulations += 200
    return simulations / (time.perf_counter() - started)


BOARD = (
    "board:White:Black:9999:0:0:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:"
    "1:0:0:0:0:1:1:1:0:1:-1:0:25:0:0:0:0:0:0:0:0"
)


def gnubg_evaluations():
    """Static evaluations a second through the socket, each asked for when the last has come."""
    program = shutil.which("gnubg") or shutil.which("/usr/games/gnubg")
    if program is None:
        return None
    with socket.socket() as probe:
        probe.bind(("localhost", 0))
        port = probe.getsockname()[1]
    process = subprocess.Popen(
        [program, "-t", "-q", "-r"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        process.stdin.write(f"external localhost:{port}\n".encode())
        process.stdin.flush()
        for _ in range(300):
            try:
                link = socket.create_connection(("localhost", port))
                break
            except OSError:
                time.sleep(0.1)
        else:
            return None
        link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        answers = link.makefile("r")
        question = f"evaluation fibsboard {BOARD} plies 0\n".encode()
        count = 0
        started = time.perf_counter()
        while time.perf_counter() - started < SECONDS:
            link.sendall(question)
            answer = answers.readline()
            if len(answer.split()) < 5:
                sys.exit(f"GNU Backgammon answered {answer!r}")
            count += 1
        return count / (time.perf_counter() - started)
    finally:
        process.kill()
        process.wait()


def tell(what, own, peer, name):
    print(f"{what} a second: {own:,.0f}")
    if peer is None:
        print(f"  {name}: MISSING, not compared")
    else:
        print(f"  {name}: {peer:,.0f}; ratio {own / peer:.1f}")


def main():
    own = ours()
    tell("random games", own["playouts_per_second"], open_spiel_playouts(), "OpenSpiel (MCTSBot, C++ rollouts)")
    tell("static evaluations", own["evaluations_per_second"], gnubg_evaluations(), "GNU Backgammon (socket)")


if __name__ == "__main__":
    main()
