#!/bin/sh
# SPDX-License-Identifier: MIT
# The commonest commands on terminals of 80 and 200 columns: see terminal.py.
. "$(dirname "$0")/../harness/tap.sh"
python=${PYTHON:-python3}
"$python" -c 'import pty' 2>/dev/null || skip_all "no Python with pseudo-terminals"
exec "$python" "$here/terminal.py" "$bin" "$root/contrib/sample"
