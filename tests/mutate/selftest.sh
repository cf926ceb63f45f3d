#!/bin/sh
# SPDX-License-Identifier: MIT
# `make mutate': its parts, and all of it for one module.
. "$(dirname "$0")/../prop/lib.sh"

PYTHONDONTWRITEBYTECODE=1 "$python" "$here/selftest.py" "$root" "$built/.." >result 2>&1
take result selftest.py
finish
