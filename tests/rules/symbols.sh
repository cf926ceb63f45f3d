#!/bin/sh
# SPDX-License-Identifier: MIT
# The library as built: names that it exports, and that it has no state of its own.
. "$(dirname "$0")/../harness/tap.sh"
nm=${NM:-nm}
lib=${TR_LIB:-../libcore/.libs/libtrcore.a}
[ -f "$lib" ] || skip_all "the static library is not built"
$nm -g "$lib" >all 2>/dev/null || skip_all "no nm"
grep -q ' [Tt] ' all || skip_all "nm prints another format"

# _ in front is what some systems add to every name; __asan and the like come from sanitizers
awk 'NF == 3 && $2 ~ /^[TDBRCVW]$/ { sub(/^_*/, "", $3); if ($3 !~ /^(tr_|asan|odr_asan|sancov|gcov)/) print }' all |
    sort -u >wrong
none wrong "every exported name begins with tr_"

if $nm -f sysv "$lib" >all 2>/dev/null && ! grep -q asan all; then
    # data that only relocation has to write (.data.rel.ro) is constant
    awk -F '|' '{ gsub(/ /, "", $7); gsub(/ /, "", $4) }
        $4 == "OBJECT" && ($7 ~ /^\.(data|bss)/ || $7 == "*COM*") && $7 !~ /^\.data\.rel\.ro/ { print $1 $7 }' all >wrong
    none wrong "the library has no state at file scope"
else
    skip "the library has no state at file scope" "cannot be told from this build"
fi

# What others can call is what tracepipe.h declares.
shared=${lib%.a}.so
if [ -f "$shared" ] && $nm -D --defined-only "$shared" >all 2>/dev/null && ! grep -qE 'asan|gcov' all; then
    awk '$2 != "A" { sub(/@.*/, "", $3); print $3 }' all | sort -u >have
    awk -f "$here/strip.awk" "$root/libcore/tracepipe.h" | grep -v '^#' | grep -oE '\<tr_[a-z0-9_]+\(' | tr -d '(' |
        sort -u >want
    diff want have >wrong
    none wrong "the shared library exports what tracepipe.h declares, and nothing else"
    [ "$(wc -l <have)" -gt 50 ]
    ok $? "and that is something"
else
    skip "the shared library exports what tracepipe.h declares, and nothing else" "no shared library to look into"
fi
finish
