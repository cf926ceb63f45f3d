#!/bin/sh
# SPDX-License-Identifier: MIT
# Stacks of calls and their weights, in every form that tr-flame writes.
. "$(dirname "$0")/lib.sh"
need tr-flame
oracle stacks.py --random "$gen" "$(share 20)" "$root"/contrib/sample/rank*.json.gz
finish
