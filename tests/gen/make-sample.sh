#!/bin/sh
# SPDX-License-Identifier: MIT
# Make contrib/sample/rankN.json.gz anew.  usage: make-sample.sh BUILDDIR
set -eu

if [ $# -ne 1 ]; then
    echo "usage: make-sample.sh BUILDDIR" >&2
    exit 2
fi
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
make -C "$1/tests" gen/trgen >/dev/null
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
"$1/tests/gen/trgen" --spec "$here/sample.spec" --no-truth --output "$dir"
mkdir -p "$top/contrib/sample"
for rank in 0 1; do
    gzip -9 -n -c "$dir/rank$rank.json" >"$top/contrib/sample/rank$rank.json.gz"
done
