#!/bin/sh
# SPDX-License-Identifier: MIT
# Pictures show what tables say: SVG, Vega-Lite and bars of text, read back.
. "$(dirname "$0")/lib.sh"
need tr-plot tr-breakdown tr-comm tr-diff tr-launch tr-memory tr-replay tr-report tr-roofline tr-stalls tr-sum tr-util

$python "$here/charts.py" "$bin" "$root/contrib/sample" ${TR_LONG:+long} >said 2>&1
take said "what pictures show"
finish
