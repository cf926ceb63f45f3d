#!/bin/sh
# SPDX-License-Identifier: MIT
# tr-comm --by stage on jobs whose truth is known: each column is what a script computes from the traces, stages add up
# to the step, a planted delay is found, and the clocks of ranks do not matter.
. "$(dirname "$0")/lib.sh"
need tr-comm tr-breakdown
$python "$here/stages.py" >said
take said stages.py
finish
