#!/bin/sh
# SPDX-License-Identifier: MIT
# Every public header of libcore/analysis, engine, field, model and service stands in unit/headers.tsv, with the unit test of it.
. "$(dirname "$0")/../harness/tap.sh"
tab=$(printf '\t')

# judge TOP TABLE: what is wrong with the table for the headers and tests below TOP
judge()
{
    (cd "$1/libcore" && find analysis engine field model service -name '*.h' ! -name '*_int.h' ! -name '*_analyses.h') | sort >headers # options have no functions
    grep -v '^#' "$2" >rows
    cut -f 1 rows | sort | comm -3 headers - | sed 's/^/not in both: /'
    while IFS=$tab read -r header unit instead; do
        case $unit in
        -) [ -f "$1/tests/${instead:-none}" ] || echo "$header: no test $instead" ;;
        *)
            # its own header, or that of its private parts, which includes it
            grep -q -e "#include \"$header\"" -e "#include \"${header%.h}_int.h\"" "$1/tests/$unit.c" ||
                echo "$header: $unit does not include it"
            grep -q "$(printf '\t')$unit\( \|\$\)" "$1/tests/Makefile.am" || echo "$header: $unit is not run"
            ;;
        esac
    done <rows
}

[ "$(grep -cv '^#' "$root/tests/unit/headers.tsv")" -gt 20 ]
ok $? "there are headers"
judge "$root" "$root/tests/unit/headers.tsv" >wrong
none wrong "each header has a test"

mkdir -p planted/libcore/engine planted/libcore/analysis planted/libcore/field planted/libcore/model \
    planted/libcore/service planted/tests/unit
: >planted/libcore/analysis/a.h
: >planted/libcore/analysis/a_int.h
: >planted/libcore/model/new.h
echo '#include "analysis/a.h"' >planted/tests/unit/a.c
printf 'tests = \\\n\tunit/a\n' >planted/tests/Makefile.am
printf 'analysis/a.h\tunit/a\nmodel/gone.h\t-\tunit/a.c\n' >table
is "$(judge planted table | tr -s '\t' ' ')" "not in both: model/gone.h
not in both: model/new.h" "a header without a line and a line without a header are told"
printf 'analysis/a.h\tunit/a\nmodel/new.h\tunit/a\n' >table
is "$(judge planted table)" "model/new.h: unit/a does not include it" "a test of something else is told"
printf 'analysis/a.h\t-\tunit/b.c\nmodel/new.h\t-\n' >table
is "$(judge planted table)" "analysis/a.h: no test unit/b.c
model/new.h: no test " "a test that is not there is told"
finish
