#!/bin/sh
# SPDX-License-Identifier: MIT
# The page of tr-report: each of its numbers is what another program prints.
. "$(dirname "$0")/lib.sh"
need tr-report tr-sum tr-diff
oracle report.py "$gen" "$(share 100 2)" "$root"/contrib/sample/rank*.json.gz
finish
