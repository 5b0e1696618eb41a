"""Kills commands at random moments, with -9, INT and TERM, alone and two at a time, and looks at what is left.

    python tests/faults/kills.py [PROGRAM] [--kills 1000] [--rows 5000] [--seed 1]

After INT and TERM every file is as it was (exit code 130) or every file is new (exit code 0). After -9 every file is
whole, old or new. Of two runs on the same files each leaves whole files of its own, whoever is killed.
"""

import argparse
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import commands

SIGNALS = [signal.SIGKILL, signal.SIGINT, signal.SIGTERM]
MARK = ".fsieve-"  # in the names of temporary files


class Trial:
    """Two outputs that replace old files, one of them the input, from tables of some size."""

    def __init__(self, program, folder, rows=5000, form="csv"):
        self.program, self.folder = program, folder
        self.arguments = [
            ["reduce", f"t.{form}", "-o", f"t.{form}", "--save", "s.json", "--stages", "1", "--no-timing", "-q"],
            ["generate", "s2", "--rows", str(rows), "--seed", "1", "-o", f"t.{form}", "-q"],
            ["generate", "s2", "--rows", str(rows), "--seed", "2", "-o", f"t.{form}", "-q"],
        ]
        commands.lay_out(folder, {})
        self.run("generate", "s1", "--rows", str(rows), "-o", f"t.{form}", "-q")
        (folder / f"t.{form}.truth.json").unlink()
        (folder / "s.json").write_bytes(commands.OLD)
        self.before = commands.found(folder)
        begun = time.monotonic()
        self.run(*self.arguments[0])
        self.seconds = time.monotonic() - begun
        self.after = commands.found(folder)
        self.of_two = []
        for arguments in self.arguments[1:]:
            commands.lay_out(folder, self.before)
            self.run(*arguments)
            self.of_two.append(commands.found(folder))

    def run(self, *arguments):
        commands.run(self.program, self.folder, list(arguments))

    def start(self, which):
        return subprocess.Popen(
            [self.program, *self.arguments[which]], cwd=self.folder, env=commands.environment(),
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
        )  # fmt: skip

    def writing(self):
        return any(MARK in path.name for path in self.folder.iterdir())

    def kill(self, chance, number):
        """One run killed; what is not as promised, or nothing. Half of the kills wait for the first output."""
        commands.lay_out(self.folder, self.before)
        process = self.start(0)
        begun = time.monotonic()
        if chance.random() < 0.5:
            while process.poll() is None and not self.writing():
                time.sleep(0.0005)
            time.sleep(chance.random() * 0.3 * self.seconds)
        else:
            time.sleep(max(0.0, chance.random() * 1.1 * self.seconds - (time.monotonic() - begun)))
        process.send_signal(number)
        _, stderr = process.communicate(timeout=120)
        return process.returncode, self.trouble(process.returncode, number, stderr)

    def trouble(self, code, number, stderr):
        files = commands.found(self.folder)
        if code == 0:
            return "" if files == self.after else "exit code 0 without the new files"
        if number == signal.SIGKILL:
            return self.not_whole(files, [self.before, self.after])
        if code not in (130, -number):
            return f"exit code {code}"
        if code == 130 and len(commands.error_lines(stderr)) != 1:
            return f"not one error line: {stderr!r}"
        return "" if files == self.before else f"exit code {code} with other files than before: {sorted(files)}"

    def not_whole(self, files, states):
        for name in files:
            if MARK in name:
                continue  # nobody was there to remove it
            if not any(files[name] == state.get(name) for state in states):
                return f"{name} is not whole"
        missing = [name for name in self.before if name not in files]
        return f"{missing} gone" if missing else ""

    def kill_one_of_two(self, chance, number):
        """Two runs write the same files, one is killed: the other ends well, and every file is one of theirs."""
        commands.lay_out(self.folder, self.before)
        runs = [self.start(1), self.start(2)]
        time.sleep(chance.random() * self.seconds)
        victim = chance.randrange(2)
        runs[victim].send_signal(number)
        for run in runs:
            run.communicate(timeout=120)
        code, other_code = runs[victim].returncode, runs[1 - victim].returncode
        files = commands.found(self.folder)
        left = [name for name in files if MARK in name]
        if other_code != 0:
            return code, f"the run that was not killed ended with {other_code}"
        if left and number != signal.SIGKILL:
            return code, f"left {left}"
        if code not in (0, 130, -number):
            return code, f"exit code {code}"
        done = self.of_two if code in (0, -signal.SIGKILL) else [self.of_two[1 - victim]]
        return code, self.not_whole(files, done)


def loop(trial, kills, chance):
    """Kills in turn with each signal, alone and beside another run. Gives (signal, alone, exit code, trouble).
    Runs that got through first are given too, and do not count as kills."""
    for i in range(kills):
        number = SIGNALS[i % 3]
        alone = i % 6 < 3
        code = 0
        while code == 0:
            code, trouble = trial.kill(chance, number) if alone else trial.kill_one_of_two(chance, number)
            yield number, alone, code, trouble


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("program", nargs="?", default="build/release/fsieve")
    arguments.add_argument("--kills", type=int, default=1000)
    arguments.add_argument("--rows", type=int, default=5000)
    arguments.add_argument("--seed", type=int, default=1)
    given = arguments.parse_args()
    counts, troubles = Counter(), 0
    with tempfile.TemporaryDirectory() as name:
        for form in ["csv", "parquet"]:
            trial = Trial(str(Path(given.program).resolve()), Path(name), given.rows, form)
            chance = random.Random(given.seed)
            for number, alone, code, trouble in loop(trial, given.kills // 2, chance):
                how = "got through" if code == 0 else "killed"
                counts[signal.Signals(number).name, "alone" if alone else "one of two", how] += 1
                if sum(counts.values()) % 100 == 0:
                    print(f"{sum(counts.values())} runs so far", file=sys.stderr, flush=True)
                if trouble:
                    troubles += 1
                    print(f"{form}, {signal.Signals(number).name}, {'alone' if alone else 'two'}: {trouble}", flush=True)
    for (number, alone, how), count in sorted(counts.items()):
        print(f"  {number:8} {alone:11} {how:12}{count:6}")
    killed = sum(count for (_, _, how), count in counts.items() if how == "killed")
    print(f"  {killed} kills in {sum(counts.values())} runs, {troubles} not as promised")
    return 1 if troubles else 0


if __name__ == "__main__":
    sys.exit(main())
