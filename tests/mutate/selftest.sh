#!/bin/sh
# SPDX-License-Identifier: MIT
# The parts of `make mutate' that can be looked at without building anything.
. "$(dirname "$0")/../prop/lib.sh"

PYTHONDONTWRITEBYTECODE=1 "$python" "$here/selftest.py" >result 2>&1
take result selftest.py
finish
