#!/bin/sh
# SPDX-License-Identifier: MIT
# Allocations, each trace in twenty views.
. "$(dirname "$0")/lib.sh"
need tr-memory
oracle memory.py "$gen" "$(share 20 4)"
finish
