#!/bin/sh
# SPDX-License-Identifier: MIT
# Outputs of several tables (databases, workbooks, folders of CSV) say what JSON says; what cannot be added to is refused.
. "$(dirname "$0")/lib.sh"
need tr-breakdown tr-launch tr-counters tr-report tr-view

"$bin/tr-parse" --version | grep -q sqlite3 || skip_all "programs were built without sqlite3"
$python "$here/books.py" "$bin" "$root/contrib/sample" "$root/tests/rules/views.tsv" ${TR_LONG:+long} >said 2>&1
take said "what books say"
finish
