#!/bin/sh
# SPDX-License-Identifier: MIT
# What the source does not do: see the name of each test.
. "$(dirname "$0")/../harness/tap.sh"

# code, once for all: "FILE:LINE:TEXT" of each line without comments and texts
find "$root/libcore" "$root/tools" -name '*.[ch]' | sort >list
sed 's/^    print out$/    print substr(FILENAME, length(root) + 2) ":" FNR ":" out/' "$here/strip.awk" >named.awk
xargs awk -v root="$root" -f named.awk <list >code
[ $? -eq 0 ] && [ "$(wc -l <code)" -eq "$(xargs cat <list | wc -l)" ]
ok $? "all code is looked at"

# never FOLDER EXCEPT PATTERN WHAT: no code below FOLDER matches, except in files that match EXCEPT.
never()
{
    grep "^$1/" code | except=$2 awk -F : '$1 !~ ENVIRON["except"]' >those
    sed 's/^[^:]*:[^:]*://' those | grep -nE "$3" | cut -d : -f 1 >lines
    awk 'NR == FNR { at[$1]; next } FNR in at' lines those >wrong
    none wrong "$4"
}

word='(^|[^A-Za-z0-9_.>])'
never libcore '^$' "$word(printf|puts|putchar|perror|v?fprintf|fputs|fputc|v?printf) *\\(" "libcore does not print"
never libcore '^$' "$word(stdin|stdout|stderr)([^A-Za-z0-9_]|\$)" "libcore does not know the standard streams"
never libcore '^$' "$word(_?exit|_Exit|abort|quick_exit|atexit|assert|raise) *\\(" "libcore does not end the process"
never libcore '^$' "$word(getopt|getopt_long|getenv|setlocale|signal|sigaction|srand|rand|isatty) *\\(" \
    "libcore reads no options, environment or locale, and sets no signals"
never libcore '/base/tr_num\.c$' "$word(ato[ifl]|atoll|strto[a-z]+|s?scanf|fscanf) *\\(" \
    "libcore reads numbers with tr_num or by exact code of its own"
never tools '^$' "$word(ato[ifl]|atoll|strto[a-z]+|s?scanf|fscanf) *\\(" "programs read numbers with tr_num"
# tr-record passes signals on to the command that it runs, and what did not become that command ends
never tools '/cli/|/record_run[.]c$' "$word(_?exit|abort|v?fprintf|perror|getopt_long|isatty|signal|sigaction) *\\(" \
    "programs leave messages, options, signals and the end to the frame"
never tools '/cli/' "$word(tr_open|tr_open_many) *\\(" "programs open inputs through the frame"
never libcore '^$' "$word(gets|strcpy|strcat|sprintf|vsprintf|alloca|tmpnam|mktemp|strtok|localtime|ctime|gmtime) *\\(" \
    "libcore calls no function that is unsafe by its nature"

find "$root/libcore" "$root/tools" "$root/tests" "$root/man" "$root/contrib" -type f \
    \( -name '*.[ch]' -o -name '*.sh' -o -name '*.[1-9]' -o -name '*.py' \) ! -name source.sh \
    -exec grep -nE 'TODO|FIXME|XXX:|not implemented|unimplemented' {} /dev/null \; >wrong
none wrong "nothing is left to be done"
find "$root/libcore" "$root/tools" "$root/tests" -name '*.[ch]' -exec grep -nE '[[:space:]]$' {} /dev/null \; >wrong
none wrong "no blanks at ends of lines"
find "$root/libcore" "$root/tools" -name '*.[ch]' -exec awk 'length > 120 { print FILENAME ":" FNR ": " length }' {} + >wrong
none wrong "lines have at most 120 characters"
grep -nE 'typedef[[:space:]]+(struct|union|enum)[^(]*$' $(find "$root/libcore" -name '*.h') >wrong
none wrong "no typedef hides a struct"

find "$root/libcore" "$root/tools" "$root/tests" -name '*.[ch]' ! -name inject.c \
    -exec grep -nE '^[[:space:]]*#[[:space:]]*(include[[:space:]]*[<"]config\.h|define[[:space:]]+_(POSIX_C|XOPEN|GNU|DEFAULT)_SOURCE)' \
    {} /dev/null \; >wrong
none wrong "config.h comes by the compiler's command line, and what the system shows is said there alone"

# opening FILE...: the files whose first comment does not begin at the top with a line of text
opening()
{
    awk '/^\/\* SPDX-License-Identifier: / && FNR == 1 { licence = 1; next }
        FNR == 1 { licence = 0 }
        FNR == 1 + licence { said = /^\/\* [^ ]/; open = /^\/\*$/ }
        FNR == 2 + licence && open { said = /^ \* [^ ]/ }
        FNR == 2 + licence && !said { print FILENAME }' "$@"
}
find "$root/libcore" "$root/tools" "$root/tests" -name '*.c' | sort >list
opening $(cat list) >wrong
none wrong "every .c file opens with a line that says what it is for"
printf '%s\n' '#include <stdio.h>' '/* Late. */' >late.c
printf '%s\n' '/*' ' *' ' * Late, too. */' >blank.c
printf '%s\n' '/* In time. */' '#include <stdio.h>' >good.c
printf '%s\n' '/*' ' * In time.' ' */' >block.c
printf '%s\n' '/* SPDX-License-Identifier: MIT */' '/* In time. */' '#include <stdio.h>' >licence.c
printf '%s\n' '/* SPDX-License-Identifier: MIT */' '#include <stdio.h>' '/* Late. */' >bare.c
is "$(echo $(opening late.c blank.c good.c licence.c block.c bare.c))" "late.c blank.c bare.c" "a file that opens otherwise is found"

# sources, scripts and pages; what tests read or compare is data
find "$root/libcore" "$root/tools" "$root/man" "$root/contrib" "$root/tests" "$root/configure.ac" "$root/Makefile.am" -type f \
    \( -name '*.[ch157]' -o -name '*.sh' -o -name '*.py' -o -name '*.am' -o -name '*.mk' -o -name configure.ac \) \
    ! -path '*/tests/golden/*' ! -path '*/fuzz/corpus/*' -exec grep -L 'SPDX-License-Identifier: MIT' {} + >wrong
none wrong "every source names its licence"

tr -s ' \t\\' '\n' <"$root/libcore/Makefile.am" | sort -u >named
find "$root/libcore" -name '*.[ch]' | sed "s,^$root/libcore/,," | sort | comm -23 - named >wrong
none wrong "every file of libcore stands in its Makefile.am"
cat "$root"/tests/Makefile.am "$root"/tests/*/*.mk | tr -s ' \t\\' '\n' | sed 's,^\$(srcdir)/,,; s,.*)/,,; s/\.c$//' | sort -u >named
for file in "$root"/tests/*/*.sh "$root"/tests/unit/*.c; do
    name=${file#"$root/tests/"}
    case $name in golden/* | bench/*) continue ;; esac
    echo "${name%.c}"
done | sort | comm -23 - named >wrong
none wrong "every test stands in a Makefile"
MAKEFLAGS='' make -s -C "$built" list-tests >tests # all of them, whatever `make check TESTS=...' was told
[ "$(wc -l <tests)" -gt 50 ]
ok $? "tests are listed"
# shared LIST: tests whose logs have one name: that of the test without .sh
shared()
{
    sed 's/\.sh$//' "$1" | sort | uniq -d
}
shared tests >wrong
none wrong "no two tests write one log"
printf '%s\n' unit/a unit/b unit/a.sh >twins
is "$(shared twins)" unit/a "a program and a script of one name are found"
finish
