#!/bin/sh
# SPDX-License-Identifier: MIT
# Build with every warning an error and run all tests.
#
# usage: contrib/check.sh [CONFIGURE OPTION]...
#
# Packages that the build needs are installed first, if possible: see setup.sh.  On Debian, root also gets the optional
# libraries and the programs that tests use.  Elsewhere, tests that need a missing program are skipped.  The build is in
# build-check.  The output has the logs of failed tests.  Its last line is "N passed, N failed[, N skipped]"; the status
# is 0 only if nothing failed.

cd "$(dirname "$0")/.." || exit 4
. contrib/setup.sh
tracepipe_setup

# Names of missing Debian packages that are optional.
optional()
{
    command -v c++ >/dev/null || echo g++
    command -v python3 >/dev/null || echo python3
    command -v mandoc >/dev/null || echo mandoc
    command -v lz4 >/dev/null || echo lz4
    command -v zstd >/dev/null || echo zstd
    command -v xz >/dev/null || echo xz-utils
    command -v bzip2 >/dev/null || echo bzip2
    tr_try '#include <zstd.h>' -lzstd || echo libzstd-dev
    tr_try '#include <archive.h>' -larchive || echo libarchive-dev
    tr_try '#include <isa-l.h>' -lisal || echo libisal-dev
}
if [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null; then
    packages=$(optional)
    [ -z "$packages" ] || apt-get update -q >&2
    for package in $packages; do # one by one: not every machine has all of them
        DEBIAN_FRONTEND=noninteractive apt-get install -y -q "$package" >&2 || echo "no $package here" >&2
    done
fi

# the tests start programs so often that the libraries which a shared libarchive brings would cost minutes
tracepipe_build build-check --enable-werror --with-libarchive=static "$@" || exit

cd build-check || exit 4
jobs=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)
rm -f tests/test-suite.log
make -j "$jobs" check >check.log 2>&1
status=$?
count()
{
    sed -n "s/^# $1: *//p" tests/test-suite.log check.log 2>/dev/null | head -n 1
}
total=$(count TOTAL)
if [ -z "$total" ]; then
    tail -n 60 check.log >&2
    echo "the tests could not be built; all of it: $(pwd)/check.log" >&2
    echo "0 passed, 1 failed"
    exit 4
fi
failed=$(($(count FAIL) + $(count XPASS) + $(count ERROR)))
passed=$(($(count PASS) + $(count XFAIL)))
skipped=$(count SKIP)
find tests -name '*.trs' -exec grep -lE '^:global-test-result: (FAIL|ERROR)' {} + | while read -r trs; do
    log=${trs%.trs}.log
    echo "== $log"
    grep -vE '^ok |^PASS:' "$log" | tail -n 80
done
grep -h '^SKIP:' check.log | sort -u
[ $status -eq 0 ] || [ "$failed" -gt 0 ] || failed=1
if [ "$skipped" -gt 0 ]; then
    echo "$passed passed, $failed failed, $skipped skipped"
else
    echo "$passed passed, $failed failed"
fi
[ "$failed" -eq 0 ]
