#!/bin/sh
# SPDX-License-Identifier: MIT
# Each analysis gives the same table through the public interface as its program prints, with each of its keys, and has
# rows for some trace.
. "$(dirname "$0")/lib.sh"
[ -x "$gen" ] || skip_all "the generator is not built (TR_GEN)"
[ -x "$built/prop/api_tables" ] || skip_all "api_tables is not built"
need tr-parse tr-merge tr-align tr-categorize tr-diff tr-view
mkdir traces
$python "$here/api.py" "$bin" "$gen" traces "$built/prop/api_tables"
