#!/bin/sh
# SPDX-License-Identifier: MIT
# Build with every warning an error and run all tests.
#
# usage: contrib/check.sh [--outside] [--minutes N] [CONFIGURE OPTION]...
#
# --outside: after that, also the tests with programs of others (make check-outside), which install these.
# --minutes: end after that time.  A test that has not ended then is named, and counts as failed; one with programs of
#            others as skipped.
#
# Packages that the build needs are installed first, if possible: see setup.sh.  On Debian, root also gets the optional
# libraries and the programs that tests use.  Elsewhere, tests that need a missing program are skipped.  The build is in
# build-check, by ccache if it is there.  The output has the logs of failed tests.  Its last line is
# "N passed, N failed[, N skipped]"; the status is 0 only if nothing failed.

begun=$(date +%s)
outside='' minutes=''
while :; do
    case ${1-} in
    --outside) outside=yes && shift ;;
    --minutes) minutes=$2 && shift 2 ;;
    *) break ;;
    esac
done
cd "$(dirname "$0")/.." || exit 4
. contrib/setup.sh
tracepipe_setup

# Names of missing Debian packages that are optional.
optional()
{
    command -v c++ >/dev/null || echo g++
    command -v python3 >/dev/null || echo python3
    for module in cffi numpy pandas; do
        /usr/bin/python3 -c "import $module" 2>/dev/null || echo python3-$module
    done
    command -v mandoc >/dev/null || echo mandoc
    command -v lz4 >/dev/null || echo lz4
    command -v zstd >/dev/null || echo zstd
    command -v xz >/dev/null || echo xz-utils
    command -v bzip2 >/dev/null || echo bzip2
    tr_try '#include <zstd.h>' -lzstd || echo libzstd-dev
    tr_try '#include <archive.h>' -larchive || echo libarchive-dev
    tr_try '#include <isa-l.h>' -lisal || echo libisal-dev
    tr_try '#include <microhttpd.h>' -lmicrohttpd || echo libmicrohttpd-dev
    tr_try '#include <sqlite3.h>' -lsqlite3 || echo libsqlite3-dev
}
if [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null; then
    packages=$(optional)
    [ -z "$packages" ] || apt-get update -q >&2
    for package in $packages; do # one by one: not every machine has all of them
        DEBIAN_FRONTEND=noninteractive apt-get install -y -q "$package" >&2 || echo "no $package here" >&2
    done
fi

if [ -z "${CC-}" ] && command -v ccache >/dev/null && command -v gcc >/dev/null; then
    export CC='ccache gcc' CCACHE_NOHASHDIR=1
fi
tracepipe_build build-check --enable-werror "$@" || exit

cd build-check || exit 4
jobs=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)
passed=0 failed=0 skipped=0

# ended RESULT: how many tests ended so?
ended()
{
    find tests -name '*.trs' -exec sed -n 's/^:test-result: \([A-Z]*\).*/\1/p' {} + | grep -cxE "$1"
}

# run TARGET VARIABLE: run the tests that the variable of tests/Makefile names, show the logs of those that failed, and
# count.  $late has the number of those that had no time to end.  Tests that could not begin have failed.
run()
{
    log=$1.log
    start=$(date +%s)
    find tests -name '*.trs' -exec rm -f {} +
    if [ "$minutes" ]; then
        left=$((begun + minutes * 60 - start))
        timeout -k 30 $((left > 1 ? left : 1)) make -k -j "$jobs" "$1" >"$log" 2>&1
    else
        make -k -j "$jobs" "$1" >"$log" 2>&1
    fi
    status=$?
    late=0 unbuilt=0
    for test in $(make -s -C tests list-tests TESTS="\$($2)"); do
        [ ! -e "tests/${test%.sh}.trs" ] || continue
        if [ $status -eq 124 ] || [ $status -eq 137 ]; then
            echo "no time: $test had not ended after $minutes minutes"
            late=$((late + 1))
        else
            echo "not run: $test"
            unbuilt=$((unbuilt + 1))
        fi
    done
    if [ $unbuilt -gt 0 ]; then
        grep -E 'error:|undefined reference|\*\*\* ' "$log" | head -n 60
        echo "some tests could not be built; all of it: $(pwd)/$log"
    fi
    failed=$((failed + unbuilt))
    bad=$(ended 'FAIL|XPASS|ERROR')
    [ $status -eq 0 ] || [ "$bad" -gt 0 ] || [ $late -gt 0 ] || [ $unbuilt -gt 0 ] || bad=1
    failed=$((failed + bad))
    passed=$((passed + $(ended 'PASS|XFAIL')))
    skipped=$((skipped + $(ended SKIP)))
    find tests -name '*.trs' -exec grep -lE '^:global-test-result: (FAIL|ERROR)' {} + | while read -r trs; do
        echo "== ${trs%.trs}.log"
        grep -vE '^ok |^PASS:' "${trs%.trs}.log" | tail -n 80
    done
    grep -h '^SKIP:' "$log" | sort -u
    echo "make $1: $(($(date +%s) - start)) s"
}

echo "built after $(($(date +%s) - begun)) s"
run check all_tests
failed=$((failed + late))
if [ "$outside" ]; then
    run check-outside outside_tests
    skipped=$((skipped + late))
fi
if [ "$skipped" -gt 0 ]; then
    echo "$passed passed, $failed failed, $skipped skipped"
else
    echo "$passed passed, $failed failed"
fi
[ "$failed" -eq 0 ]
