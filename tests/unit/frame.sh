#!/bin/sh
# SPDX-License-Identifier: MIT
# The frame of the programs, through a program that has nothing else.
TR_BIN=unit
. "$(dirname "$0")/../harness/tap.sh"
[ -x "$bin/cli_demo" ] || skip_all "cli_demo is not built"
demo=cli_demo
echo text >in

# shows LINE OPTION...: the report has this line (with \t for a tab).
shows()
{
    line=$1
    shift
    $demo "$@" in >out 2>err
    grep -qxF "$(printf '%b' "$line")" out
    ok $? "$* gives $line"
}

shows 'flag\t1' --flag
shows 'flag\t1' -x
shows 'number\t100' -n 100
shows 'number\t5' -n5
shows 'number\t5' --num=5
shows 'offset\t-9223372036854775808' --offset -9223372036854775808
shows 'ratio\t0.25' --ratio 0.25
shows 'size\t1572864' --size 1.5MiB
shows 'time\t1500000' --time 1.5ms
shows 'time\t-2000000000' --time=-2s
shows 'text\ta b' --text 'a b'
shows 'color\tblue' --color
shows 'color\tgreen' --color=green
shows 'word\tone' -w one --word two
shows 'word\ttwo' -w one --word two
shows 'threads\t3' -j 3
shows 'memory\t67108864' -M 64MiB
shows 'temp\t/elsewhere' -T /elsewhere
shows 'unit\t3' --unit s
shows 'format\t3' -O json
shows 'format\t0' --assume-terminal=stdout
shows 'codec\t2:9' -z zlib:9

# What completions and tests of the programs are made from.
$demo --option-table >table
while read -r line; do
    grep -qxF "$(printf '%b' "$line")" table
    ok $? "--option-table: $line"
done <<'END'
own\tx\tflag\tno\t-\tother\t-\ta flag
own\tn\tnumber\tyes\tN\tother\t-\ta number [7]
own\tc\tcolor\tmaybe\tCOLOR\tchoice\tred,green,blue\ta colour [red]
common\to\toutput\tyes\tFILE\tfile\t-\twrite to FILE, which appears only when it is complete [standard output]
common\tT\ttemp-dir\tyes\tDIR\tdir\t-\tfolder for temporary files [$TMPDIR, else /var/tmp]
common\t-\tunit\tyes\tUNIT\tchoice\tns,us,ms,s\tunit of times [us]
END
is "$(grep -c option-table table)" 0 "--option-table: hidden options are not in it"
shows 'codec\t0:0' -z none
shows 'provenance\t0' --no-provenance
shows 'strict\t1' --strict
$demo --text "it's \$x" in | grep -qxF "command	cli_demo --text 'it'\\''s \$x' in"
ok $? "the command line is quoted for a shell"

$demo in | grep -qx "codec	0:0"
ok $? "codec: none on a pipe"
$demo in >out && grep -qx "codec	1:0" out
ok $? "codec: lz4 in a file"
$demo in in in >out && grep -qx "input	in+in+in" out
ok $? "several inputs"

$demo --help | sed -n 2p | grep -q '^[A-Z]'
ok $? "what a program does begins with a capital"

# fails STATUS MESSAGE ARGUMENT...
fails()
{
    status=$1
    message=$2
    shift 2
    $demo "$@" >out 2>err
    is "$? $(cat err)" "$status $message" "$*: status $status, $message"
}

see='(see cli_demo --help)'
fails 2 "cli_demo: option --number: '0' is not a whole number from 1 to 100" -n 0 in
fails 2 "cli_demo: option --offset: '1x' is not a whole number from -9223372036854775808 to 9223372036854775807" --offset 1x in
fails 2 "cli_demo: option --time: '5' is not a time with its unit (such as 30us)" --time 5 in
fails 2 "cli_demo: option --color: 'pink' is not one of red, green, blue" --color=pink in
fails 2 "cli_demo: option --compress: 'gzip' is not one of none, lz4[:LEVEL], zlib[:LEVEL]" -z gzip in
fails 2 "cli_demo: option --compress: 'none' has no levels" -z none:1 in
fails 2 "cli_demo: option --max-memory: '1M' is not a size (such as 512MiB) of at least 16MiB" -M 1M in
fails 2 "cli_demo: option '--number' needs a value: N $see" -n
fails 2 "cli_demo: option '--number' needs a value: N $see" --number
fails 2 "cli_demo: option '--flag' takes no value $see" --flag=1
fails 2 "cli_demo: unknown option '--nothing' $see" --nothing=5
fails 2 "cli_demo: unknown option '-%' $see" -x%
fails 2 "cli_demo: ambiguous option '--co' $see" --co
fails 2 "cli_demo: extra operand 'd' $see" a b c d
fails 2 "cli_demo: standard input can be read only once" - -
fails 4 "cli_demo: missing: cannot open: No such file or directory" missing
fails 3 "cli_demo: rank3.trs: block 17, byte 1912340: event length 9, at least 24 expected" --ending damaged in
fails 2 'cli_demo: used\x0awrongly' --ending usage in
fails 4 "cli_demo: cannot write: No space left on device" --ending system in
fails 5 "cli_demo: coverage is 3%, 90% demanded" --ending coverage in
fails 3 "cli_demo: the input is damaged" --ending silent in
fails 1 "" --ending no in
fails 0 "" --ending end in

# warnings: five of a kind, then a count; other kinds are not affected
for i in 1 2 3 4 5 6 7 8; do echo 'warn: odd'; done >odd
echo 'warn: rare' >>odd
$demo odd 2>err >/dev/null
is "$(cat err)" "$(
    for i in 10 20 30 40 50; do echo "cli_demo: warning: odd: byte $i: warn: odd"; done
    echo 'cli_demo: warning: odd: byte 91: warn: rare'
    echo 'cli_demo: warning: odd: warn: odd: 3 more'
)" "warnings are counted after the fifth"
$demo -q odd 2>err >/dev/null
none err "-q: no warnings"
$demo --verbose in 2>err >/dev/null
is "$(cat err)" "cli_demo: options printed" "--verbose: remarks"

# progress: only when it takes long, one line, cleared at the end and before a message
$demo --progress=always in >/dev/null 2>err
none err "progress: nothing for short work"
for i in 1 2 3 4 5 6; do echo slow; done >slow
$demo slow >/dev/null 2>err
none err "progress: nothing if standard error is no terminal"
$demo --progress=always slow >/dev/null 2>err
tr '\r' '\n' <err >lines
grep -q '^cli_demo: *3%  0.0 MB of 0.0 MB  0 MB/s  [0-9]*:[0-9][0-9] left' lines
ok $? "progress: percent, size, speed, time left"
clear=$(printf '\033[K')
is "$(tail -c 3 err)" "$clear" "progress: cleared at the end"
$demo --assume-terminal=stderr slow >/dev/null 2>err
[ -s err ]
ok $? "progress: shown on a terminal"
$demo --assume-terminal=stderr --progress=never slow >/dev/null 2>err
none err "progress: never"
{ cat slow; echo 'warn: now'; } >slow2
$demo --progress=always slow2 >/dev/null 2>err
tr '\r' '\n' <err | grep -qxF "${clear}cli_demo: warning: slow2: byte 40: warn: now"
ok $? "progress: cleared before a message"

# output that nobody asked for, and output of a run that was killed
echo old >keep
$demo --bare-run -o keep --ending no
is "$?:$(cat keep)" "1:old" "an output that was not asked for stays as it was"
mkdir dir
$demo -o dir/x --ending kill in 2>/dev/null
is "$?:$(ls -A dir)" "143:" "a killed run leaves nothing behind"
umask 027
$demo -o dir/x in
chmod 604 dir/x
mode=$(ls -l dir/x | cut -c 1-10)
$demo -o dir/x in
is "$(ls -l dir/x | cut -c 1-10)" "$mode" "-o keeps the mode of a file"
chmod 7755 dir/x
$demo -o dir/x in
is "$(ls -l dir/x | cut -c 1-10)" "-rwxr-xr-x" "-o drops the bits that make a file run as another user or group"
$demo -o dir/y in
is "$(ls -l dir/y | cut -c 1-10)" "-rw-r-----" "-o honours umask"
ln -s z dir/dangling
$demo -o dir/dangling in
[ -h dir/dangling ] && [ -f dir/z ]
ok $? "-o follows a link to nothing"
mkdir dir/sub
ln -s sub/there dir/one
ln -s one dir/two
$demo -o dir/two in && $demo -o dir/two in
is "$(ls -l dir | grep -c '^l'):$(ls -A dir/sub)" "3:there" "-o follows a chain of links, which stay"
echo old >protected
chmod 444 protected
if [ -w protected ]; then
    skip "-o: a protected file" "this user may write to everything"
else
    fails 4 "cli_demo: cannot write 'protected': Permission denied" -o protected in
    is "$(cat protected)" old "and it stays as it was"
fi
ln -s loop dir/loop
fails 4 "cli_demo: cannot write 'dir/loop': Too many levels of symbolic links" -o dir/loop in
mkfifo fifo
$demo -o fifo in &
grep -q '^input' fifo
ok $? "-o writes a FIFO directly"
wait
[ -p fifo ]
ok $? "and leaves it there"
is "$( (ulimit -f 0 && $demo -o big in 2>&1); echo $?)" "cli_demo: cannot write 'big': File too large
4" "a file size limit is an error"
[ ! -e big ]
ok $? "and nothing is left"
$demo -o - in >out && [ -s out ]
ok $? "-o - is standard output"
finish
