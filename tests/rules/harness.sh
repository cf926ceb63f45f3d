#!/bin/sh
# SPDX-License-Identifier: MIT
# The harness itself: golden cases and examples of pages fail when they must.
. "$(dirname "$0")/../harness/tap.sh"
golden=$here/../harness/golden
examples=$here/../harness/run-examples
mkdir -p cases/tool sample bin
TR_GOLDEN=$tmp/cases TR_SAMPLE=$tmp/sample TR_BIN=$tmp/bin
export TR_GOLDEN TR_SAMPLE TR_BIN
cd cases/tool || exit 99

echo 'echo out; echo "t: in: byte 12: bad" >&2; exit 3' >good.sh
echo out >good.stdout.exact
echo 't: in: byte [0-9]*: bad' >good.stderr.glob
echo 3 >good.exit
for name in stdout status stderr more less silent loud; do
    cp good.sh $name.sh
    cp good.stdout.exact $name.stdout.exact
    cp good.stderr.glob $name.stderr.glob
    cp good.exit $name.exit
done
echo other >stdout.stdout.exact
rm status.exit
echo 't: in: byte x: bad' >stderr.stderr.glob
echo 'one line more' >>more.stderr.glob
echo 'echo second >&2' | cat - good.sh >less.sh
rm silent.stderr.glob
rm loud.stdout.exact
echo 'echo "no data" >&2; exit 77' >skipped.sh
echo 'ls -A; echo one >&2; echo two >&2' >open.sh
echo ... >open.stderr.glob

like "$(sh "$golden" tool/good | head -n 1)" "# part ? of 3: *" "golden: it says which forms are tried"
is "$(sh "$golden" tool/good | sed 1d)" "ok 1 - tool/good
1..1" "golden: a case that passes"
is "$(sh "$golden" tool/skipped | sed 1d)" "ok 1 - tool/skipped # SKIP no data
1..1" "golden: a case that is skipped"
is "$(sh "$golden" tool/open | sed 1d)" "ok 1 - tool/open
1..1" "golden: an empty folder, any messages"
for name in stdout status stderr more less silent loud; do
    sh "$golden" tool/$name >"$tmp/said"
    is "$? $(sed -n 2p "$tmp/said")" "1 not ok 1 - tool/$name" "golden: wrong $name is a failure"
done
sh "$golden" --accept tool/stdout >/dev/null
is "$(cat stdout.stdout.exact)" out "golden: --accept keeps what was seen"
is "$(sh "$golden" | tail -n 1)" "1..10" "golden: all cases"

cd "$tmp" || exit 99
echo data >sample/file
cat >good.1 <<'END'
.Sh DESCRIPTION
.Bd -literal
$ echo '$ false'; echo no command
$ false
no command
.Ed
.Bd -literal
$ printf '%s\en' one \e
>     '> two'
one
> two
.Ed
.Sh EXAMPLES
.Bd -literal -offset indent
$ cat file | tr a-z A-Z
DATA
$ printf '%s\en' one \e
> two
one
two
.Ed
.Bd -literal
no example
.Ed
END
sed 's/^DATA/DATUM/' good.1 >bad.1
is "$(sh "$examples" good.1)" "ok 1 - good.1, example 001-one
ok 2 - good.1, example 002-one
ok 3 - good.1, example 003
1..3" "examples: what a page says"
sh "$examples" bad.1 >said
is "$? $(grep '^not' said)" "1 not ok 3 - bad.1, example 003" "examples: what a page says wrongly"
sed 's/^no command/a command/' good.1 >bad.1
sh "$examples" bad.1 >said
is "$? $(grep '^not' said)" "1 not ok 1 - bad.1, example 001-one" "examples: what a page says wrongly in another section"
finish
