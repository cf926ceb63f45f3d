#!/bin/sh
# SPDX-License-Identifier: MIT
# Steps, of training and of inference, and nodes of graphs.
. "$(dirname "$0")/lib.sh"
need tr-breakdown tr-diff tr-report tr-sum
oracle steps.py "$(share 5)"
oracle inference.py "$(share 20 5)"
oracle graph.py --random "$gen" "$(share 40)" "$root/tests/golden/vendors/graph.json"
finish
