#!/bin/sh
# SPDX-License-Identifier: MIT
# A text that is cut in its first two lines is refused, or it is said that it is cut; for every format of text.
. "$(dirname "$0")/lib.sh"
need tr-filter tr-view

$python "$here/first_lines.py" "$bin" >said 2>&1
take said "what is said"
finish
