#!/bin/sh
# SPDX-License-Identifier: MIT
# Where addresses have 32 bits: a build with warnings as errors, the quick tests, and the same output as here.
. "$(dirname "$0")/lib.sh"
port_program i686-linux-gnu-gcc gcc-i686-linux-gnu
port_libraries i386
lib=$libraries/lib/i386-linux-gnu:$libraries/usr/lib/i386-linux-gnu
flags="-Wl,--dynamic-linker=$libraries/lib/ld-linux.so.2 -Wl,--disable-new-dtags -Wl,-rpath,$lib"
port_build i386 "$flags" --host=i686-linux-gnu "CC=${ccache}i686-linux-gnu-gcc --sysroot=$libraries" "LDFLAGS=$flags"
"$build/tools/tr-parse" --version >/dev/null 2>&1 || skip_all "this machine does not run programs of 32 bits"
port_check "32 bits, quick tests and those of limits" \
    'golden.sh $(unit_tests) pipe/limits.sh prop/spill.sh spec/read.sh spec/spec_check'
port_same
finish
