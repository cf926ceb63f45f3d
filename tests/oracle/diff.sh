#!/bin/sh
# SPDX-License-Identifier: MIT
# Differences of two traces, of two trees of calls, and of printed tables.
. "$(dirname "$0")/lib.sh"
need tr-diff
oracle diff.py "$gen" "$(share 6)"
oracle trees.py "$(share 20)"
oracle tables.py "$(share 20)"
finish
