#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""mutants.py [-n N] [-s SEED] [-b BASE] [FILE...]

Draws N mutants (40) of C modules that have a unit test of their own, runs their tests on each, and lists the mutants
that these do not notice.  A mutant is a module with one operator or number changed.  Modules: each FILE, else those
that differ from BASE (the newest tag, or the commit 20 before HEAD), else all.  The work is done in build/mutants, a
copy of the tree.  Exit status: 0; 1 if mutants survived; 2 if there was none to try.
"""
import argparse
import filecmp
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys

TOP = pathlib.Path(__file__).resolve().parent.parent
COPY = TOP / "build/mutants"
LIMIT_S = 120  # a mutant that loops is noticed

# What is changed, and into what.  Spaces are those of clang-format, so that pointers and shifts do not match.
CHANGES = [
    (r" >= ", [" > "]),
    (r" <= ", [" < "]),
    (r" > ", [" >= "]),
    (r" < ", [" <= "]),
    (r" == ", [" != "]),
    (r" != ", [" == "]),
    (r" && ", [" || "]),
    (r" \|\| ", [" && "]),
    (r" \+ ", [" - "]),
    (r" - ", [" + "]),
    (r" \* (?=[a-z0-9(])", [" / "]),
    (r" \+= ", [" -= "]),
    (r"\bif \(!", ["if ("]),
    (r"\breturn true;", ["return false;"]),
    (r"\breturn false;", ["return true;"]),
    (r"\breturn -E[A-Z]+;", ["return 0;"]),
]
NUMBER = re.compile(r"(?<![\w.\"])(\d+)(?=[uUlL]*\b)(?![\w.]*\")")


def run(args):
    return subprocess.run(args, cwd=COPY, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def git(*args):
    return subprocess.run(["git", *args], cwd=TOP, capture_output=True, text=True).stdout.split()


def tests_of(path):
    """The unit tests of a module: tests/unit/FOLDER/test_NAME.c and, if it exists, all test_NAME_*.c beside it."""
    folder = pathlib.Path("tests/unit", path.parts[0])
    first = folder / f"test_{path.stem}.c"
    more = sorted(p.relative_to(TOP) for p in (TOP / folder).glob(f"test_{path.stem}_*.c"))
    return [first, *more] if (TOP / first).exists() else []


def changed_files(base):
    base = base or next(iter(git("describe", "--tags", "--abbrev=0")), "HEAD~20")
    return git("diff", "--name-only", base, "--", "*.c")


def modules(files, base):
    """Modules to draw from, each with its tests."""
    every = [pathlib.Path(f) for f in git("ls-files", "*.c") if not f.startswith("tests/")]
    wanted = [pathlib.Path(f) for f in (files or changed_files(base))]
    found = {p: tests_of(p) for p in wanted if p in every and tests_of(p)}
    return found or ({} if files else {p: tests_of(p) for p in every if tests_of(p)})


def code_lines(text):
    """(number, line) of each line of code: no comment, directive, or text of a table."""
    comment = False
    for i, line in enumerate(text):
        plain = line.strip()
        if comment or plain.startswith(("/*", "//", "#", '"')):
            comment = "*/" not in plain if comment or plain.startswith("/*") else False
        elif line.startswith("\t"):
            yield i, line


def outside_strings(line, at):
    return line[:at].count('"') % 2 == 0 and "/*" not in line[:at] and "//" not in line[:at]


def mutants_of(text):
    """All mutants of a source: (line number, new line)."""
    for i, line in code_lines(text):
        for pattern, news in CHANGES:
            for m in re.finditer(pattern, line):
                if outside_strings(line, m.start()):
                    yield from ((i, line[: m.start()] + new + line[m.end() :]) for new in news)
        for m in NUMBER.finditer(line):
            if outside_strings(line, m.start()):
                yield i, line[: m.start()] + str(int(m.group(1)) + 1) + line[m.end() :]


def fails(program):
    """Runs a test.  One that loops fails, and the children that it forked are killed with it."""
    test = subprocess.Popen(
        [str(program)], cwd=COPY, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    )
    try:
        return test.wait(LIMIT_S) != 0
    except subprocess.TimeoutExpired:
        return True
    finally:
        try:
            os.killpg(test.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        test.wait()


def noticed(tests):
    """True if a test fails, False if all pass, None if the mutant does not compile."""
    programs = ["build/default" / t.relative_to("tests").with_suffix("") for t in tests]
    if run(["make", "-s", *map(str, programs)]).returncode:
        return None
    return any(fails(COPY / p) for p in programs)


def copy_tree():
    """Makes the copy equal to the tree.  Only what differs is written, so that make builds that again, and nothing else."""
    files = {f for f in git("ls-files", "-co", "--exclude-standard") if (TOP / f).exists()}
    COPY.mkdir(parents=True, exist_ok=True)
    for f in COPY.rglob("*"):
        name = f.relative_to(COPY)
        if f.is_file() and name.parts[0] != "build" and str(name) not in files:
            f.unlink()
    for f in files:
        if not (COPY / f).exists() or not filecmp.cmp(TOP / f, COPY / f, shallow=False):
            (COPY / f).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(TOP / f, COPY / f)


def try_one(path, tests, rng):
    """Draws a mutant and tries it: (line number, old line, new line, noticed), or None if the module has none."""
    source = COPY / path
    original = source.read_text()
    text = original.splitlines(keepends=True)
    drawn = list(mutants_of(text))
    if not drawn:
        return None
    i, new = rng.choice(drawn)
    source.write_text("".join(text[:i] + [new] + text[i + 1 :]))
    try:
        return i + 1, text[i].strip(), new.strip(), noticed(tests)
    finally:
        source.write_text(original)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[1])
    parser.add_argument("-n", type=int, default=40, help="number of mutants (default 40)")
    parser.add_argument("-s", "--seed", type=int, help="the same seed draws the same mutants")
    parser.add_argument("-b", "--base", help="modules that differ from this commit")
    parser.add_argument("files", nargs="*", metavar="FILE")
    args = parser.parse_args()
    seed = random.randrange(1 << 32) if args.seed is None else args.seed
    rng = random.Random(seed)
    pool = modules(args.files, args.base)
    if not pool:
        print("mutants: no module with a unit test of its own", file=sys.stderr)
        return 2
    copy_tree()
    names, tried, survivors, fruitless = sorted(pool), 0, 0, 0
    checked = set()
    while names and tried < args.n and fruitless < 10 * args.n:
        path = rng.choice(names)
        if path not in checked:
            checked.add(path)
            if noticed(pool[path]) is not False:
                print(f"left out: {path}: its tests do not pass without a change")
                names.remove(path)
                continue
        result = try_one(path, pool[path], rng)
        if result is None or result[3] is None:
            fruitless += 1
            continue
        tried += 1
        number, old, new, found = result
        if not found:
            survivors += 1
            print(f"{path}:{number}: {old}\n    survives as: {new}", flush=True)
    print(f"{tried} mutants of {len(checked)} modules, {survivors} survived (seed {seed})")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
