#!/bin/sh
# SPDX-License-Identifier: MIT
# Where the highest byte comes first (s390x, emulated): tests of the stream, golden cases of the programs that read and
# write streams, and the same output as here.
. "$(dirname "$0")/lib.sh"
port_program s390x-linux-gnu-gcc gcc-s390x-linux-gnu
port_program qemu-s390x qemu-user
port_libraries s390x
flags=-Wl,-rpath-link,$libraries/usr/lib/s390x-linux-gnu
port_build s390x "$flags" --host=s390x-linux-gnu --without-libarchive --disable-faults \
    "CC=${ccache}s390x-linux-gnu-gcc --sysroot=$libraries" "LDFLAGS=$flags"
# an emulated program takes long to start, so not all cases
mkdir "$tmp/golden" && for program in tr-parse tr-merge tr-filter tr-view; do
    ln -s "$root/tests/golden/$program" "$tmp/golden/$program" || exit 99
done
TR_GOLDEN=$tmp/golden
TR_FORMS=/none
TR_SEEDS=2
export TR_GOLDEN TR_FORMS TR_SEEDS
port_emulated "qemu-s390x -R 12G -L $libraries" # it keeps a table of all reserved pages; 1024 threads need 8 GiB
port_check "big endian (emulated), units, tests of the stream and its programs" \
    'golden.sh $(unit_tests) spec/read.sh spec/spec_check roundtrip/run.sh'
port_same
finish
