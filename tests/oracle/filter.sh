#!/bin/sh
# SPDX-License-Identifier: MIT
# What tr-filter selects.
. "$(dirname "$0")/lib.sh"
need tr-filter
oracle filter.py "$gen" "$(share 3)"
finish
