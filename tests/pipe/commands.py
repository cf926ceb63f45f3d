#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Commands that programs print, for files with hostile names: a shell finds the same words; usage: commands.py BIN TRACE

Every program of tools.list is replaced by one that prints its words, and bash runs each printed command as it stands.
Prints what is wrong, a line each.
"""
import glob
import json
import os
import random
import re
import subprocess
import sys

HIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
                    "\U000e0000-\U000e007f]")


def names():
    """Each byte before a digit, what a shell or a program could take for something else, and any bytes."""
    for byte in range(1, 256):
        if byte != ord("/"):
            yield bytes([byte]) + b"7"
    yield from (b"-q", b"--rank", b"-\n", b"'", b"\\'", b"$'\\n'", b"a b", b" ", b"  a  ", b"`id`", b"$(id)", b"${PATH}", b"~", b"!!",
                b"*", b"[a-z]?", b"{a,b}", b"a;b", b"a&b", b"a|b", b"<a>", b"(a)", b"\n", b"\xe2\x80\xae", b"\xc2\x85", b"\xc3",
                b"\xc3\xa9\xe4\xb8\x96\xf0\x9f\x98\x80", b"\xed\xa0\x80", b"a\xcc\x81", b"\x1b]0;x\x07", b"-" * 90, b"a b " * 40,
                b"'\n" * 20)
    draw = random.Random(1)
    for _ in range(40):
        yield bytes(draw.choice([*range(1, 47), *range(48, 256)]) for _ in range(draw.randint(1, 60)))


def run(*words, is_json=False):
    p = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)
    if p.returncode:
        raise RuntimeError(f"{words}: status {p.returncode}: {p.stderr[:200]}")
    text = p.stdout.decode()  # an exception if it is not UTF-8
    found = HIDDEN.search(text)
    if found and not is_json:
        raise RuntimeError(f"{words}: prints {found[0]!r}")
    return text


# ---- the commands on each page ----

def of_text(page):
    """From "$ " to the end of a line that no backslash ends."""
    lines = iter(page.split("\n"))
    for line in lines:
        if line.startswith("$ "):
            while line.endswith(" \\"):
                line += "\n" + next(lines)
            yield line[2:]


def of_md(page):
    for line in page.split("\n"):
        if line.startswith("    "):
            yield line[4:]
        elif line.startswith("| ") and " | tr-" in line:
            yield re.sub(r"\\([\\`*_\[\]<>|~&])", r"\1", line[2:-2].split(" | ", 1)[1])


def of_json(page):
    page = json.loads(page)
    yield from (finding["command"] for finding in page["findings"])
    for section in (part for part in page.values() if isinstance(part, dict)):
        if "command" in section:
            yield section["command"]
        yield from (row["command"] for row in section["rows"] if "command" in row)


def of_info_text(page):
    yield re.search(r"(?m)^.*?(tr-parse .*)$", page[page.index("provenance: "):])[1]


def of_info_json(page):
    yield json.loads(page)["provenance"][0]["command"]


# ---- what a shell makes of them ----

def heard(commands, bin_dir):
    """The words of each command that bash runs."""
    out = subprocess.run(["bash", "-c", "\n".join(commands)], env={"PATH": f"{bin_dir}:/usr/bin:/bin"},
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL).stdout
    return [c.split(b"\0") for c in out.split(b"\0\0\0\n")[:-1]]


def same(word, name):
    return os.path.normpath(os.path.join(b".", word)) == os.path.normpath(os.path.join(b".", name))


def main():
    bin_dir, trace = sys.argv[1:]
    os.mkdir("heard")
    for program in glob.glob(f"{bin_dir}/tr-*"):
        path = "heard/" + os.path.basename(program)
        with open(path, "w") as f:
            f.write("#!/bin/sh\nprintf '%s\\0' \"${0##*/}\" \"$@\"\nprintf '\\0\\0\\n'\n")
        os.chmod(path, 0o755)
    heard_dir = os.path.abspath("heard")
    report, parse, info = (f"{bin_dir}/tr-{p}" for p in ("report", "parse", "info"))
    os.mkdir("files")
    os.chdir("files")
    for i, name in enumerate(names()):
        os.link(trace, name)
        own = b"./" + name
        pages = (
            (of_text, (report, "-q", "--where", b'name != "\n"', "--", name)),
            (of_text, (report, "-q", "--sections", "headline", "--base", own, "--", own)),
            (of_md, (report, "-q", "-O", "md", "--", name)),
            (of_json, (report, "-q", "-O", "json", "--", name)),
            (of_info_text, (info, "../x.trs")),
            (of_info_json, (info, "-O", "json", "../x.trs")))
        try:
            run(parse, "-q", "-o", "../x.trs", "--", name)
            for find, command in pages if i >= 254 else (pages[i % 6], pages[(i + 1) % 6]):
                commands = list(find(run(*command, is_json="json" in command)))
                words = heard(commands, heard_dir)
                if len(words) < max(1, len(commands)) or not all(same(w[-1], name) for w in words):
                    print(f"{name!r}: {find.__name__}: {commands[:2]!r}: {words[:2]!r}")
        except Exception as e:
            print(f"{name!r}: {e!r}")
        os.unlink(name)


if __name__ == "__main__":
    main()
