#!/bin/sh
# SPDX-License-Identifier: MIT
# Critical paths.
. "$(dirname "$0")/lib.sh"
need tr-critpath
oracle critpath_random.py "$(share 4)"
finish
