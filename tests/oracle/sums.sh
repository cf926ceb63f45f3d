#!/bin/sh
# SPDX-License-Identifier: MIT
# Sums by any key.
. "$(dirname "$0")/lib.sh"
need tr-sum
oracle sums.py "$root/man/tr-migrate.7" --random "$gen" "$(share 20)" "$root"/contrib/sample/rank*.json.gz
finish
