#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Make tracepipe/_cdef.py from tracepipe.h: the declarations that cffi reads.

usage: cdef.py HEADER >tracepipe/_cdef.py
"""

import re
import sys


def strip(text):
    """The declarations alone: no comments, no preprocessor, nothing for C++ or one compiler."""
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    text = re.sub(r'#ifdef __cplusplus.*?#endif', "", text, flags=re.S)
    text = re.sub(r"^#.*?(?<!\\)$", "", text, flags=re.S | re.M)
    text = re.sub(r" *TR_PRINTF\(\d+, \d+\)", "", text)
    lines = [re.sub(r"\s+", " ", line).strip() for line in text.split("\n")]
    return "\n".join(line for line in lines if line)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    with open(sys.argv[1], encoding="utf-8") as header:
        text = header.read()
    abi = re.search(r"^#define TR_ABI (\d+)u", text, re.M).group(1)
    print('# SPDX-License-Identifier: MIT\n"""Made by cdef.py from tracepipe.h: do not edit."""\n')
    print('ABI = %s\nCDEF = """\\\n%s\n"""' % (abi, strip(text)))


main()
