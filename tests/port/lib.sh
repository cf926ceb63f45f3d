# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# Builds for another kind of machine, and tests with them; read by `.' from a script in this folder.
#
# Only with TR_LONG=1, as `make check-long' sets it: each takes minutes.  Builds and libraries are in port/ of the
# folder where tests are built, and are used again.  On Debian, root gets missing compilers installed; libraries for
# other machines are unpacked into a folder and never installed.
. "$(dirname "$0")/../harness/tap.sh"
[ "${TR_LONG:-0}" != 0 ] || skip_all "takes minutes: make check-long"
TR_LONG=0
unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES TESTS TR_BIN TR_LIB CXX NM
native=$bin
work=$built/port
mkdir -p "$work" || exit 99
ccache=
command -v ccache >/dev/null && ccache="ccache "
jobs=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)

# port_program NAME PACKAGE: the program, from this package of Debian; else the test is skipped.
port_program()
{
    if ! command -v "$1" >/dev/null && command -v apt-get >/dev/null && [ "$(id -u)" -eq 0 ]; then
        apt-get update -q >"$work/apt.log" 2>&1
        DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "$2" >>"$work/apt.log" 2>&1
    fi
    command -v "$1" >/dev/null || skip_all "no $1 (Debian: $2)"
}

# port_libraries ARCHITECTURE: Debian's libraries for it, unpacked into $libraries.
port_libraries()
{
    libraries=$work/$1
    [ -f "$libraries/complete" ] && return
    suite=$(. /etc/os-release 2>/dev/null && [ "$ID" = debian ] && echo "$VERSION_CODENAME")
    [ "$suite" ] || skip_all "libraries for $1 are taken from Debian, and this is another system"
    port_program mmdebstrap mmdebstrap
    rm -rf "$libraries"
    packages=libc6-dev,zlib1g-dev,liblz4-dev,nettle-dev,libxxhash-dev,libjsmn-dev,libzstd-dev,libarchive-dev
    mmdebstrap --variant=extract --architectures="$1" --include="$packages" "$suite" "$libraries" \
        http://deb.debian.org/debian >"$work/$1.log" 2>&1 || skip_all "no libraries for $1: $(tail -n 1 "$work/$1.log")"
    # links to /lib mean that of the folder
    find "$libraries" -type l -lname '/*' | while read -r link; do
        ln -sfn "$libraries$(readlink "$link")" "$link"
    done
    : >"$libraries/complete"
}

# port_build NAME LDFLAGS CONFIGURE-OPTION...: all programs and test programs, with warnings as errors, in $build.
port_build()
{
    build=$work/build-$1
    ldflags=$2
    shift 2
    mkdir -p "$build" && cd "$build" || exit 99
    if ! { [ "$*" = "$(cat options 2>/dev/null)" ] && [ -f Makefile ]; }; then
        PKG_CONFIG=false "$root/configure" -q --enable-werror --disable-shared CFLAGS=-O2 "$@" >configure.log 2>&1 &&
            echo "$*" >options
    fi
    [ -f options ] && make -j "$jobs" LDFLAGS="$ldflags" check TESTS= >make.log 2>&1
    ok $? "built with warnings as errors"
    [ $n_failed -eq 0 ] || {
        tail -n 20 "$(ls -t ./*.log | head -n 1)" | sed 's/^/# /'
        finish
        exit 0
    }
}

# port_emulated PROGRAM: scripts in place of all programs of $build, which run them with PROGRAM.
port_emulated()
{
    find "$build/tools" "$build/tests" -type f -perm -u+x ! -name '*.foreign' ! -name '*.sh' | while read -r program; do
        [ "$(head -c 4 "$program" | tr -d '\177')" = ELF ] || continue
        mv "$program" "$program.foreign" || exit 1
        printf '#!/bin/sh\nexec %s -0 "$0" "%s" "$@"\n' "$1" "$program.foreign" >"$program"
        chmod +x "$program"
    done
}

# port_check WHAT TEST...: these tests of $build; its one line says how many of them ran.
port_check()
{
    what=$1
    shift
    make -C "$build/tests" -j "$jobs" LDFLAGS="$ldflags" check TESTS="$*" >"$build/check.log" 2>&1
    status=$?
    count()
    {
        sed -n "s/^# $1: *//p" "$build/tests/test-suite.log" "$build/check.log" 2>/dev/null | head -n 1
    }
    [ "$(count PASS)" ] || status=1
    ok $status "$what: $(count PASS) passed, $(count FAIL) failed, $(count SKIP) skipped, $(count ERROR) errors"
    [ $status -eq 0 ] || grep -E '^(FAIL|ERROR|XPASS)' "$build/check.log" | head -n 40 | sed 's/^/# /'
}

# port_same: streams of this machine and of $build, byte by byte, and what each prints of them, also of the other's.
# How LZ4 packs depends on the machine, so its blocks are compared unpacked.
port_same()
{
    other=$build/tools
    cd "$tmp" || exit 99
    "$built/gen/trgen" --size 2M --no-truth --output . >gen.out 2>&1 || : # what there is
    n=0
    : >wrong
    for input in "$root"/tests/golden/vendors/* "$root"/tests/prop/*.json "$root"/contrib/sample/* ./*.json; do
        [ -f "$input" ] || continue
        for options in "-z none" "-z none --block-events 100" "-z none --no-sort" "-z zlib"; do
            # shellcheck disable=SC2086 # words
            "$native/tr-parse" -q -j 2 --no-provenance $options "$input" >here.trs 2>here.err
            here_status=$?
            # shellcheck disable=SC2086
            "$other/tr-parse" -q -j 2 --no-provenance $options "$input" >there.trs 2>there.err
            [ $? -eq $here_status ] && cmp here.trs there.trs && cmp here.err there.err || echo "tr-parse $options $input"
            [ $here_status -eq 0 ] && n=$((n + 1)) || break
        done >>wrong 2>&1
        [ $here_status -eq 0 ] || continue
        "$native/tr-parse" -q --no-provenance -z lz4 "$input" >here.trs 2>>wrong
        "$other/tr-parse" -q --no-provenance -z lz4 "$input" 2>>wrong |
            "$native/tr-merge" -q --no-provenance -z lz4 | cmp here.trs - >>wrong 2>&1 || echo "lz4 of the other: $input" >>wrong
        for command in "tr-view -O json" "tr-info -O tsv" "tr-sum -O tsv" "tr-breakdown -O tsv" "tr-report -O md" \
            "tr-merge -q --no-provenance -z none"; do
            # shellcheck disable=SC2086
            "$native"/$command here.trs >here.out 2>here.err
            here_status=$?
            # shellcheck disable=SC2086
            "$other"/$command here.trs >there.out 2>there.err
            [ $? -eq $here_status ] && cmp here.out there.out && cmp here.err there.err || echo "$command $input"
        done >>wrong 2>&1
    done
    none wrong "$n streams are the same, byte by byte, and so is what six programs make of them"
    [ $n -gt 40 ]
    ok $? "there are streams to compare"
}
