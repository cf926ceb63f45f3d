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
TR_CASES="tr-parse tr-merge tr-filter tr-view"
TR_FORMS=/none
TR_SEEDS=2
export TR_CASES TR_FORMS TR_SEEDS
port_emulated "qemu-s390x -R 12G -L $libraries" # it keeps a table of all reserved pages; 1024 threads need 8 GiB
port_check "big endian (emulated), units, tests of the stream and its programs" \
    'golden.sh $(unit_tests) spec/read.sh spec/spec_check roundtrip/run.sh'
port_same
finish
