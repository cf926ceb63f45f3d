#!/bin/sh
# SPDX-License-Identifier: MIT
# One file is all programs: by the names of links to it, and as tracepipe PROGRAM.
. "$(dirname "$0")/../harness/tap.sh"
[ -x "$bin/tracepipe" ] || skip_all "not built: tracepipe"
make_sample >sample.json
cp "$bin/tracepipe" . # a copy alone is enough

# same ARGUMENT...: ./tracepipe ARGUMENT... does what the program does.
same()
{
    ./tracepipe "$@" <sample.json >have 2>have.err
    status=$?
    program=$1
    shift
    "$bin/tr-${program#tr-}" "$@" <sample.json >want 2>want.err
    is "$status" "$?" "tracepipe $program $*: status"
    { cmp have want && cmp have.err want.err; } >wrong 2>&1
    none wrong "tracepipe $program $*: output and messages"
}
for t in $(tools); do
    same "${t#tr-}" --version
    same "${t#tr-}" --no-such-option
done
same breakdown --by kernel -O text
same breakdown --by
same tr-breakdown --by time
same breakdown --help
same parse --no-provenance
ln -s tracepipe tr-overlap
./tr-overlap <sample.json >have
tr-overlap <sample.json >want
cmp have want >wrong
none wrong "a link beside the copy"

# says STATUS MESSAGE ARGUMENT...: nothing on standard output
says()
{
    status=$1
    message=$2
    shift 2
    ./tracepipe "$@" >out 2>err
    is "$? $(cat err)" "$status $message" "tracepipe $*"
    none out "tracepipe $*: nothing else"
}
says 2 "tracepipe: 'reprot' is no program (did you mean 'report'?); tracepipe lists them" reprot --by x
says 2 "tracepipe: 'tr-brakdown' is no program (did you mean 'breakdown'?); tracepipe lists them" tr-brakdown
says 2 "tracepipe: 'sample.json' is no program; tracepipe lists them" sample.json
says 2 "tracepipe: '' is no program; tracepipe lists them" ""
says 2 "tracepipe: 'tr-' is no program; tracepipe lists them" tr-
says 2 "tracepipe: unknown option '--by' (see tracepipe --help)" --by
says 2 "tracepipe: 'help' takes one page; tracepipe lists the programs" help report info
./tr-overlap -x >out 2>err
is "$(cut -d : -f 1 err)" tr-overlap "messages begin with the name of the program"
ln -s tracepipe tr-none
./tr-none breakdown <sample.json >have
tr-breakdown <sample.json >want
cmp have want >wrong
none wrong "a link of another name is tracepipe"

./tracepipe >list
is $? 0 "no operand: the list"
for words in --help -h help; do
    ./tracepipe $words | cmp - list >wrong 2>&1
    none wrong "tracepipe $words: the list"
done
is "$(./tracepipe --version | head -n 1 | sed 's/ [0-9.]*$//')" "tracepipe (tracepipe)" "--version"
if [ -c /dev/full ]; then
    ./tracepipe >/dev/full 2>err
    is "$? $(cat err)" "4 tracepipe: cannot write standard output: No space left on device" "a full disk"
fi

# pages: man is asked, and is shown those that are installed with the file
mkdir -p stub prefix/bin prefix/share/man
# shellcheck disable=SC2016 # for the stub
printf '#!/bin/sh\necho "$* $MANPATH"\n' >stub/man
chmod +x stub/man
cp tracepipe prefix/bin
PATH=$tmp/stub:$PATH
export PATH
unset MANPATH
is "$(./tracepipe help report)" "tr-report " "help report"
is "$(./tracepipe help tr-report)" "tr-report " "help tr-report"
is "$(./tracepipe help expr)" "tr-expr " "help expr"
is "$(./tracepipe help tracepipe)" "tracepipe " "help tracepipe"
if [ -e /proc/self/exe ]; then
    is "$(prefix/bin/tracepipe help report)" "tr-report $(pwd -P)/prefix/bin/../share/man:" "pages beside the folder of programs"
    is "$(MANPATH=/x prefix/bin/tracepipe help report)" "tr-report $(pwd -P)/prefix/bin/../share/man:/x" "and others"
fi
PATH=$tmp/none ./tracepipe help report >out 2>err
is "$? $(cat err)" "4 tracepipe: cannot start man: No such file or directory" "no man"
finish
