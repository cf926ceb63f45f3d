#!/bin/sh
# SPDX-License-Identifier: MIT
# Pages of HTML say what tables say, are well-formed whatever names a trace has, and allow nothing but their own script.
. "$(dirname "$0")/lib.sh"
need tr-report tr-breakdown tr-plot tr-sum tr-info

$python "$here/pages.py" "$bin" "$root/contrib/sample" ${TR_LONG:+long} >said 2>&1
take said "what pages say"
finish
