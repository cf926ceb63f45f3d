#!/bin/sh
# SPDX-License-Identifier: MIT
# With another C library, musl: a build with warnings as errors, the quick tests, and the same output as here.
# Libraries are built from the sources that Debian has.
. "$(dirname "$0")/lib.sh"
port_program musl-gcc musl-tools
port_program dpkg-source dpkg-dev
port_libraries "$(dpkg --print-architecture)" # for headers that are the whole library
musl=$work/musl

# Of Debian's source packages, without a change to the lists of this machine.
fetch()
{
    mkdir -p lists/partial cache && echo "deb-src http://deb.debian.org/debian $suite main" >sources.list || return 1
    for step in update "source zlib lz4 nettle"; do
        # shellcheck disable=SC2086 # words
        apt-get -q -o Dir::Etc::sourcelist="$PWD/sources.list" -o Dir::Etc::sourceparts=/dev/null \
            -o Dir::State::lists="$PWD/lists" -o Dir::Cache="$PWD/cache" $step || return 1
    done
}

libraries_of_musl()
{
    mkdir -p include/nettle lib || return 1
    (cd zlib-* && CC=musl-gcc ./configure --static --prefix="$musl" && make -j "$jobs" install) || return 1
    make -C lz4-*/lib -j "$jobs" CC=musl-gcc liblz4.a && cp lz4-*/lib/liblz4.a lib && cp lz4-*/lib/lz4*.h include || return 1
    (cd nettle-* && ./configure CC=musl-gcc --disable-shared --enable-mini-gmp --disable-documentation --disable-openssl &&
        make -j "$jobs" libnettle.a && cp libnettle.a "$musl/lib" && cp ./*.h "$musl/include/nettle") || return 1
    cp "$libraries/usr/include/xxhash.h" "$libraries/usr/include/jsmn.h" include
}

if [ ! -f "$musl/complete" ]; then
    rm -rf "$musl"
    mkdir -p "$musl" && cd "$musl" || exit 99
    suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
    fetch >fetch.log 2>&1 || skip_all "no sources of zlib, lz4 and nettle: $(tail -n 1 fetch.log)"
    libraries_of_musl >build.log 2>&1 || skip_all "zlib, lz4 or nettle cannot be built: $(tail -n 1 build.log)"
    : >complete
fi
port_build musl "-all-static -L$musl/lib" --host="$(uname -m)-linux-musl" --without-zstd --without-libarchive --without-isal --disable-faults \
    "CC=${ccache}musl-gcc" "CPPFLAGS=-I$musl/include" "LDFLAGS=-static -L$musl/lib"
port_check "musl, quick tests" 'golden.sh $(unit_tests) spec/read.sh spec/spec_check roundtrip/run.sh'
port_same
finish
