#!/bin/sh
# SPDX-License-Identifier: MIT
# A sample of each format with one thing in it that is not as it should be: nothing is lost without a word.
. "$(dirname "$0")/lib.sh"
need tr-parse tr-view tr-info

$python "$here/spoiled.py" "$bin" "$root/tests" >said 2>&1
take said "what is spoiled"
finish
