#!/bin/sh
# SPDX-License-Identifier: MIT
# make static: all programs in one file, which runs where there is nothing else.
. "$(dirname "$0")/../harness/tap.sh"
top=$built/..
[ -f "$top/config.status" ] && [ -f "$top/tools/Makefile" ] || skip_all "not in a build folder"
unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES TESTS

make -C "$top/tools" static >log 2>&1
status=$?
for why in 'not found:.*' '-fsanitize.* not supported.*' 'cannot find -l.*'; do
    [ $status -eq 0 ] || ! grep -q -e "$why" log || skip_all "$(grep -o -e "$why" log | head -n 1)"
done
ok $status "make static"
[ $status -eq 0 ] || {
    tail -n 20 log | sed 's/^/# /'
    finish
    exit 0
}
line=$(sed -n 's/^\(make static && .*[^ ]\)  *#.*/\1/p' "$root/README.md")
(cd "$top" && HOME=$tmp sh -c "$line") >log 2>&1
ok $? "README: ${line:-no line}"
file=bin/tracepipe
size=$(wc -c <"$file")
[ "$size" -lt 8000000 ]
ok $? "less than 8 MB: $size bytes"

# a folder that has nothing but the file, links to it and two traces
mkdir root
cp -P bin/* "$root/contrib/sample/rank0.json.gz" "$root/contrib/sample/rank1.json.gz" root
inside="chroot root"
[ "$(id -u)" -eq 0 ] || inside="unshare -r chroot root"
$inside /tracepipe >list 2>err || skip_rest=$(head -n 1 err)
if [ "${skip_rest-}" ] && ! grep -q 'tracepipe:' err; then
    skip "in an empty folder" "$skip_rest"
    finish
    exit 0
fi
tracepipe | cmp - list >wrong 2>&1
none wrong "tracepipe lists the programs"
for t in $(tools); do
    is "$($inside "/$t" --version 2>&1 | head -n 1)" "$($t --version | head -n 1)" "$t --version"
done
like "$($inside /tr-parse --version)" "*linked statically*" "--version says that nothing is loaded"

# the same as outside, with the arguments of a program
cp root/rank?.json.gz .
same()
{
    "$@" >want 2>want.err
    status=$?
    # shellcheck disable=SC2086 # words
    $inside "/$@" >have 2>have.err
    is $? $status "$*: status"
    { cmp want have && cmp want.err have.err; } >wrong 2>&1
    none wrong "$*: the same as outside"
}
same tr-report --sections findings -O text rank0.json.gz rank1.json.gz
same tr-report -O html rank0.json.gz rank1.json.gz
same tracepipe breakdown --by idle -O text rank0.json.gz rank1.json.gz
tr-parse -q --no-provenance -o root/job.trs rank0.json.gz rank1.json.gz
cp root/job.trs .
same tr-critpath --per all -O text job.trs
same tr-breakdown no-such-file.json
for tool in xz zstd lz4 bzip2; do
    command -v $tool >said || continue
    gzip -dc rank0.json.gz | $tool -c >root/rank0.$tool
    cp root/rank0.$tool .
    same tr-overlap -O text rank0.$tool
done
if [ "$(tr-overlap -O sqlite -o x.db rank0.json.gz 2>&1)" = "" ]; then
    $inside /tr-overlap -O sqlite -o x.db rank0.json.gz >said 2>&1
    is $? 0 "a database"
    [ -s root/x.db ]
    ok $? "is written"
fi
case $(tr-view --version) in
*microhttpd*)
    $inside /tr-view --open rank0.json.gz >out 2>err
    is "$? $(cat err)" "2 tr-view: --open needs libmicrohttpd.so.12, which cannot be loaded: this program is linked statically" \
        "--open says why it cannot work"
    ;;
esac
finish
