#!/bin/sh
# SPDX-License-Identifier: MIT
# What is around events, as fields of all programs.
. "$(dirname "$0")/lib.sh"
need tr-view tr-filter
oracle fields.py "$gen" "$(share 10)"
finish
