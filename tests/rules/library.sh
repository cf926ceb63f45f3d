#!/bin/sh
# The library as others use it: installed, found by pkg-config, and the program of libtrcore(3) compiled.
. "$(dirname "$0")/../harness/tap.sh"
cc=${CC:-cc}
pkg_config=${PKG_CONFIG:-pkg-config}
command -v "$pkg_config" >said || skip_all "no $pkg_config"
[ -f "$built/../libcore/Makefile" ] || skip_all "not in a build folder"
[ -x "$bin/tr-filter" ] && [ -x "$bin/tr-view" ] || skip_all "not built: tr-filter, tr-view"
sample=${TR_SAMPLE:-$root/contrib/sample}

# not a part of the make that runs the tests
unset MAKEFLAGS MFLAGS MAKELEVEL
make -C "$built/../libcore" install DESTDIR="$tmp/dest" >log 2>&1
ok $? "make install DESTDIR"

pc=$(find dest -name libtrcore.pc)
PKG_CONFIG_PATH=$tmp/$(dirname "$pc") PKG_CONFIG_SYSROOT_DIR=$tmp/dest
LD_LIBRARY_PATH=$tmp/$(dirname "$(dirname "$pc")")${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export PKG_CONFIG_PATH PKG_CONFIG_SYSROOT_DIR LD_LIBRARY_PATH
find dest -name '*_int.h' >wrong
none wrong "no internal header is installed"

awk '/^\.Sh/ { inside = ($2 == "EXAMPLES") } /^\.Ed/ { block = 0 }
    block { gsub(/\\e/, "\\"); print } inside && /^\.Bd -literal/ { block = 1 }' "$root/man/libtrcore.3" >kernels.c
# without a shared library, what it needs itself has to be named
static=
[ -n "$(find dest -name 'libtrcore.so*' -o -name 'libtrcore*.dylib')" ] || static=--static
if [ "$static" ]; then # libarchive names libraries that its own package may not bring
    echo 'int main(void) { return 0; }' >probe.c
    # shellcheck disable=SC2046 # flags are words
    $cc -o probe probe.c $("$pkg_config" --static --libs-only-l libtrcore | sed 's/-ltrcore//') >said 2>&1 || {
        skip "the program of libtrcore(3)" "not everything that libtrcore.a needs can be linked: $(head -n 1 said)"
        finish
    }
fi
built_as=$(sed -n 's/^CFLAGS = //p' "$built/Makefile")
# shellcheck disable=SC2046,SC2086 # flags are words
$cc -std=c11 -Wall -Wextra $built_as -o kernels kernels.c $("$pkg_config" $static --cflags --libs libtrcore) >said 2>&1
ok $? "the program of libtrcore(3) is compiled and linked"
none said "without a warning"

./kernels "$sample"/rank0.json.gz "$sample"/rank1.json.gz >out 2>err
is $? 0 "it runs"
none err "and has nothing to say on standard error"
tr-filter 'activity == "kernel"' "$sample"/rank*.json.gz | tr-view --fields name | sed 1d | sort | uniq -c |
    sed 's/^ *\([0-9]*\) /\1	/' | sort >want
sort out >have
cmp -s want have
ok $? "its counts are those of tr-filter and tr-view"
[ -s want ]
ok $? "and there are some"
echo '[1]' >none.json
./kernels none.json >out 2>err
is $? 1 "what is no trace: status 1"
like "$(cat err)" 'kernels: none.json: *: not a trace*' "and why"
finish
