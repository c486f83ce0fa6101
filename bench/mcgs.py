#!/usr/bin/env python3
"""Who wins sums, and nimbers, against MCGS (University of Alberta), one thread each.

    python3 bench/mcgs.py FOLDER_OF_MCGS [FAMILY...]

The questions are those of the test files that come with MCGS, five seconds each. The folder holds
the program `MCGS` and its tests in `input/main_tests`, a folder for each family. Both programs tell
how long each question took, and the sums of these times are compared: MCGS clears its tables before
each question, which its own times leave out and which would be most of its processor time. Both
processor times are printed as well. Ours are those of `tabia cgt run`, one process for each file,
starting included; what it has found is kept from question to question.
"""

import csv
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
TARGET = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
PROGRAM = os.environ.get("TABIA", TARGET / "release" / "tabia")
SECONDS = 5


def timed(command, folder):
    """Processor time of a command, and what it printed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    words = [str(word) for word in command]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done


def ours(files):
    cases = wrong = open_ = 0
    told = spent = 0.0
    for file in files:
        command = [PROGRAM, "cgt", "run", file, "--timeout", SECONDS, "--threads", 1, "--json"]
        time, done = timed(command, file.parent)
        spent += time
        if not done.stdout:
            print(f"  {file.name} is not read: {done.stderr.strip()}")
            continue
        answers = json.loads(done.stdout)
        cases += answers["cases"]
        wrong += answers["failed"]
        open_ += answers["unsolved"]
        told += sum(answer["seconds"] for answer in answers["results"])
    return cases, wrong, open_, told, spent


def theirs(peer, family):
    with tempfile.TemporaryDirectory() as folder:
        table = pathlib.Path(folder) / "results.csv"
        limit = ["--test-timeout", SECONDS * 1000, "--out-file", table]
        spent, done = timed([peer / "MCGS", "--run-tests", "--test-dir", family, *limit], peer)
        if not table.exists():
            sys.exit(f"MCGS wrote no results: {done.stderr.strip()}")
        with open(table, newline="") as file:
            rows = list(csv.DictReader(file))
    late = sum(row["Status"] == "TIMEOUT" for row in rows)
    wrong = sum(row["Status"] == "FAIL" for row in rows)
    times = [row["Time (ms)"] for row in rows if row["Status"] != "TIMEOUT"]
    told = sum(float(time) for time in times if time != "N/A") / 1000 + late * SECONDS
    return len(rows), wrong, late, told, spent


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    peer = pathlib.Path(sys.argv[1]).resolve()
    asked = sys.argv[2:]
    heads = ["cases", "wrong", "open", "told s", "CPU s"]
    heads = ["family", *heads, *(f"MCGS {head}" for head in heads)]
    print("".join(f"{head:>12}" for head in heads))
    totals = [0.0] * 10
    tests = peer / "input" / "main_tests"
    for family in sorted(path for path in tests.iterdir() if path.is_dir()):
        name = family.name.removesuffix("_autotests")
        if asked and name not in asked:
            continue
        files = sorted(path for path in family.rglob("*") if path.is_file())
        row = [*ours(files), *theirs(peer, family)]
        totals = [total + figure for total, figure in zip(totals, row)]
        print(f"{name[:11]:>12}" + "".join(f"{figure:>12.6g}" for figure in row), flush=True)
    print(f"{'all':>12}" + "".join(f"{figure:>12.6g}" for figure in totals))


if __name__ == "__main__":
    main()
