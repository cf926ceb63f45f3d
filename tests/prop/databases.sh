#!/bin/sh
# SPDX-License-Identifier: MIT
# Databases of rocprofv3, rocmProfileData and Ascend's profiler: what is read of random ones is what SQL finds in them, in
# all ways of reading; of those that are cut or changed, what can be read is, and no event is invented.
. "$(dirname "$0")/lib.sh"
need tr-parse tr-view tr-info
"$bin/tr-parse" --version | grep -q sqlite3 || skip_all "libsqlite3 is not built in"
$python -c 'import sqlite3' 2>"$tmp/said" || skip_all "$python has no sqlite3"
$python "$here/databases.py" "$bin" "$root/tests/gen" >said 2>&1
take said "databases"
finish
