#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Make a notebook from a script whose cells begin with "# %%".

usage: make-notebook.py SCRIPT >NOTEBOOK
"""

import json
import re
import sys


def cells(text):
    for number, part in enumerate(re.split(r"^# %%", text, flags=re.M)[1:]):
        kind, _, body = part.partition("\n")
        lines = body.strip("\n").split("\n")
        is_text = "[markdown]" in kind
        if is_text:
            lines = [re.sub(r"^# ?", "", line) for line in lines]
        cell = {"cell_type": "markdown" if is_text else "code", "id": "cell-%02d" % number, "metadata": {},
                "source": [line + "\n" for line in lines[:-1]] + lines[-1:]}
        yield cell if is_text else {**cell, "execution_count": None, "outputs": []}


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    with open(sys.argv[1], encoding="utf-8") as script:
        notebook = {"cells": list(cells(script.read())), "nbformat": 4, "nbformat_minor": 5,
                    "metadata": {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
                                 "language_info": {"name": "python"}}}
    print(json.dumps(notebook, indent=1, sort_keys=True))


main()
