#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What zsh makes of a line when the tab key is pressed: the completed line, by a shell in a terminal of its own.

usage: shells_zsh.py COMPLETIONS LINE
"""
import os
import pty
import re
import select
import shutil
import sys
import time


def read_until(fd, mark, seconds=20):
    """What the shell has written when mark has come."""
    text, end = b"", time.monotonic() + seconds
    while mark not in text and time.monotonic() < end:
        if select.select([fd], [], [], 0.1)[0]:
            text += os.read(fd, 4096)
    return text


def main():
    completions, line = sys.argv[1:]
    os.makedirs("functions", exist_ok=True)
    shutil.copy(completions, "functions/_tracepipe")
    pid, fd = pty.fork()
    if pid == 0:
        os.environ.update(TERM="dumb", PS1="", HOME=os.getcwd(), ZDOTDIR=os.getcwd())
        os.execlp("zsh", "zsh", "-f", "-i")
    # the line is printed by a widget once it has been completed
    setup = ("fpath=($PWD/functions $fpath); autoload -Uz compinit; compinit -u -D; zstyle ':completion:*' menu no; "
             "show() { zle complete-word; print -r -- \"LINE<${BUFFER% }>\"; }; zle -N show; bindkey '^T' show; "
             "print REA\"\"DY\n")
    os.write(fd, setup.encode())
    read_until(fd, b"READY\r\n")
    os.write(fd, line.encode() + b"\x14")
    found = re.search(rb"LINE<(.*?)>", read_until(fd, b">\r"))
    print(found.group(1).decode() if found else "nothing")
    os.close(fd)


main()
