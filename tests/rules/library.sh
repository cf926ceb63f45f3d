#!/bin/sh
# SPDX-License-Identifier: MIT
# The library as others use it: installed, found by pkg-config, the examples of libtrcore(3) compiled, and the programs
# of contrib/samples run beside those of this package.
. "$(dirname "$0")/../harness/tap.sh"
cc=${CC:-cc}
pkg_config=${PKG_CONFIG:-pkg-config}
command -v "$pkg_config" >said || skip_all "no $pkg_config"
[ -f "$built/../libcore/Makefile" ] || skip_all "not in a build folder"
[ -x "$bin/tr-filter" ] && [ -x "$bin/tr-view" ] && [ -x "$bin/tr-breakdown" ] ||
    skip_all "not built: tr-filter, tr-view, tr-breakdown"
sample=${TR_SAMPLE:-$root/contrib/sample}
samples=$root/contrib/samples

# not a part of the make that runs the tests
unset MAKEFLAGS MFLAGS MAKELEVEL
make -C "$built/../libcore" install DESTDIR="$tmp/dest" >log 2>&1
ok $? "make install DESTDIR"
pc=$(find dest -name libtrcore.pc)
PKG_CONFIG_PATH=$tmp/$(dirname "$pc") PKG_CONFIG_SYSROOT_DIR=$tmp/dest
LD_LIBRARY_PATH=$tmp/$(dirname "$(dirname "$pc")")${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export PKG_CONFIG_PATH PKG_CONFIG_SYSROOT_DIR LD_LIBRARY_PATH
is "$(find dest -name '*.h' | sed 's,.*/include/,,')" tracepipe.h "tracepipe.h is all that is to be included"

built_as=$(sed -n 's/^CFLAGS = //p' "$built/Makefile")
# compile STATIC PROGRAM SOURCE: as strict as compilers are.
compile()
{
    # shellcheck disable=SC2046,SC2086 # flags are words
    $cc -std=c11 -Wall -Wextra -Wpedantic -Wshadow $built_as -o "$2" "$3" $("$pkg_config" $1 --cflags --libs libtrcore)
}

# What stands in the page, each example by itself: whole programs are linked, parts of one only compiled.
awk '/^\.Bd -literal/ { block = 1; text = ""; next }
    /^\.Ed/ { if (block && text ~ /tracepipe\.h/) printf "%s", text >("page" ++n ".c"); block = 0 }
    block { gsub(/\\e/, "\\"); sub(/^\\&/, ""); text = text $0 "\n" }' "$root/man/libtrcore.3"
shared=$(find dest -name 'libtrcore.so*' -o -name 'libtrcore*.dylib')
static=
if [ ! "$shared" ]; then
    static=--static
fi
[ -f page1.c ] && [ -f page2.c ]
ok $? "the page has examples"
for source in page*.c; do
    compile "$static" "${source%.c}" "$source" >said 2>&1
    ok $? "$source of libtrcore(3) is compiled and linked"
    none said "$source: without a warning"
done
for source in "$samples"/*.c; do
    name=$(basename "$source" .c)
    compile "$static" "$name" "$source" >said 2>&1
    ok $? "contrib/samples/$name.c is compiled and linked"
    none said "$name: without a warning"
    [ "$(grep -vc SPDX "$source")" -le 50 ]
    ok $? "$name: no more than 50 lines"
done
is "$(echo "$samples"/*.c | wc -w)" 6 "all six"

# Both ranks; what comes out is what the programs of this package say.
run()
{
    program=$1
    shift
    "./$program" "$@" >out 2>err
    is $? 0 "$program runs"
    none err "$program has nothing to say on standard error"
}
run count "$sample"/rank0.json.gz "$sample"/rank1.json.gz
tr-view -O tsv --columns activity "$sample"/rank*.json.gz | sed 1d | sort | uniq -c |
    awk '{ print $2 "\t" $1 }' | sort >want
sort out >have
cmp want have >wrong 2>&1
none wrong "count: the events of each activity"
[ "$(wc -l <want)" -gt 3 ]
ok $? "and there are several"

run busy "$sample"/rank0.json.gz "$sample"/rank1.json.gz
tr-breakdown --unit ns --columns rank,busy "$sample"/rank*.json.gz | sed 1d >want
cmp want out >wrong 2>&1
none wrong "busy: that of tr-breakdown"

run ask "$sample"/rank0.json.gz "$sample"/rank1.json.gz
tr-breakdown --by step --unit ns --columns rank,step,busy "$sample"/rank*.json.gz | sed 1d >want
cmp want out >wrong 2>&1
none wrong "ask: that of tr-breakdown"

run analysis "$sample"/rank0.json.gz
tr-view -O tsv --unit ns --columns activity,dur "$sample"/rank0.json.gz |
    awk -F '\t' 'NR > 1 && $2 + 0 > 0 && $2 + 0 > most[$1] + 0 { most[$1] = $2 }
        END { for (a in most) printf "%s,%d.%03d\r\n", a, most[a] / 1000, most[a] % 1000 }' | sort >want
sed 1d out | sort >have
cmp want have >wrong 2>&1
none wrong "analysis: the longest event of each activity"
is "$(head -n 1 out | tr -d '\r')" "activity,longest_us" "below the names of its columns"

printf '#spans\n300 5 last\n100 10 first\n200 7 middle\n' >lines.txt
run format lines.txt
is "$(tr '\t\n' '  ' <out)" "100 first 200 middle 300 last " "format: its events in order of time"
gzip -c lines.txt | ./format - >have
cmp out have >wrong 2>&1
none wrong "format: compressed, from a pipe"

run filter 'activity == "kernel" && dur > 100us' out.trs "$sample"/rank0.json.gz "$sample"/rank1.json.gz
tr-filter --no-provenance 'activity == "kernel" && dur > 100us' "$sample"/rank*.json.gz | tr-view -O tsv >want
tr-view -O tsv out.trs >have
cmp want have >wrong 2>&1
none wrong "filter: the events that tr-filter selects"
[ "$(wc -l <want)" -gt 100 ]
ok $? "and there are many"

# What goes wrong.
echo '[1]' >none.json
./count none.json >out 2>err
is "$? $(cat out)" "1 " "what is no trace: status 1"
like "$(cat err)" 'count: none.json: *' "and why, in one line"
./count no-such-file >out 2>err
is "$? $(cat err)" "1 count: no-such-file: cannot open: No such file or directory" "a file that is not there"
./filter 'dur >' wrong.trs "$sample"/rank0.json.gz >out 2>err
is "$? $(ls wrong.trs 2>/dev/null)" "1 " "a malformed expression: status 1, and no output"
like "$(cat err)" 'filter: column 6: *' "and where"
./filter 'dur > 1us' /dev/full "$sample"/rank0.json.gz >out 2>err
is "$? $(cat err)" "1 filter: cannot write '/dev/full': No space left on device" "a full disk"
printf '#spans\nwrong\n100 10 first\n' >lines.txt
./format lines.txt >out 2>err
is "$? $(cat out)" "0 100	first" "a damaged line is left out"

# Everything in one file, where everything is there.
if [ ! "$static" ]; then
    mkdir apart # so that the linker finds no shared one
    cp "$(find dest -name libtrcore.a)" apart/libtrcore.a 2>said
    # shellcheck disable=SC2046,SC2086 # flags are words
    if [ -f apart/libtrcore.a ] && $cc -std=c11 $built_as -static -o all "$samples/count.c" -Lapart \
        $("$pkg_config" --static --cflags --libs libtrcore | sed "s,-L$tmp/dest[^ ]*,,") >said 2>&1; then
        ./all "$sample"/rank0.json.gz >have 2>err
        is $? 0 "count as a static program"
        ./count "$sample"/rank0.json.gz >want
        cmp want have >wrong 2>&1
        none wrong "which says the same"
    else
        skip "count as a static program" "a library is not there to be linked so: $(grep -m 1 -oE 'cannot find [^ ]*' said)"
    fi
    # libtrcore.a alone, and the other libraries shared, so that no more of them is needed than a program uses
    # shellcheck disable=SC2046,SC2086 # flags are words
    if [ -f apart/libtrcore.a ]; then
        $cc -std=c11 $built_as -o half -I"$root/libcore" "$samples/count.c" apart/libtrcore.a \
            $("$pkg_config" --libs $("$pkg_config" --print-requires-private libtrcore)) \
            $(sed -n 's/^Libs\.private://p' "$pc") >said 2>&1
        ok $? "count with libtrcore.a"
        sed 's/^/# /' said
        ./half "$sample"/rank0.json.gz >have 2>err
        ./count "$sample"/rank0.json.gz >want
        cmp have want >wrong 2>&1
        none wrong "which says the same"
    else
        skip "count with libtrcore.a" "no static library was built"
    fi
fi
finish
