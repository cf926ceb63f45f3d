#!/bin/sh
# SPDX-License-Identifier: MIT
# Collectives, on jobs of several ranks.
. "$(dirname "$0")/lib.sh"
need tr-comm
oracle comm.py "$gen" "$(share 2)"
finish
