#!/bin/sh
# SPDX-License-Identifier: MIT
# Text on a terminal goes through a pager: see pager.py.
. "$(dirname "$0")/../harness/tap.sh"
python=${PYTHON:-python3}
"$python" -c 'import pty' 2>/dev/null || skip_all "no Python with pseudo-terminals"
"$python" "$here/pager.py" "$bin" "$root/contrib/sample" "$tmp"
