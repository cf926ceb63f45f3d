#!/bin/sh
# SPDX-License-Identifier: MIT
# Traces for Perfetto that others write are read as what they are, and salvaged where they are damaged.
. "$(dirname "$0")/lib.sh"
need tr-view

$python "$here/perfetto_foreign.py" "$bin" >said 2>&1
take said "what is read"
finish
