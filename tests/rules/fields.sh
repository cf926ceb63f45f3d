#!/bin/sh
# SPDX-License-Identifier: MIT
# The fields of events: one list in the programs and in tr-expr(7), and no other page describes them again.
. "$(dirname "$0")/../harness/tap.sh"
PATH=$bin:$PATH
[ -x "$bin/tr-filter" ] && [ -x "$bin/tr-view" ] && [ -x "$bin/tr-sum" ] || skip_all "not built: tr-filter, tr-view, tr-sum"

# listed MESSAGE: the names that a message about an unknown field lists
listed()
{
    sed -n 's/.*: there are //p' "$1" | head -n 1 | tr ' ' '\n' | grep -v '^args\.KEY$' | sort
}

tr-filter 'no_such_field == 1' /dev/null 2>said
listed said >filter
[ "$(wc -l <filter)" -gt 40 ]
ok $? "tr-filter lists its fields"
tr-view --columns no_such_field /dev/null 2>said
listed said >view
[ "$(wc -l <view)" -gt 40 ]
ok $? "tr-view lists its fields"

page=$root/man/tr-expr.7
sed -n '/^\.It Sy Field Ta Sy Type/,/^\.El/s/^\.It \([a-z_]*\) Ta .*/\1/p' "$page" | sort >page
cmp page filter >wrong 2>&1
diff page filter >wrong
none wrong "the table of tr-expr(7) has the fields of tr-filter"
comm -3 filter view | tr -d '\t' | sort >wrong
printf '%s\n' args depth lane members | cmp - wrong >/dev/null
ok $? "tr-view has the same, and those that its page describes"

# a type says with what a field compares
sed -n '/^\.It Sy Field Ta Sy Type/,/^\.El/s/^\.It \([a-z_]*\) Ta \([a-z ]*\) Ta .*/\1 \2/p' "$page" |
    while read -r field type; do
        case $type in
        time) good='1us' bad='x' ;;
        number) good='1' bad='"x"' ;;
        size) good='1kB' bad='1us' ;;
        'number or text') good='1kB' bad='1us' ;;
        text | list) good='"x"' bad='1' ;;
        word) good='' bad='no_such_word' ;;
        *) echo "$field: what is '$type'?" && continue ;;
        esac
        [ ! "$good" ] || tr-filter -q -c "$field == $good" "$root/contrib/sample/rank0.json.gz" >/dev/null 2>&1 ||
            echo "$field is no $type: $good is refused"
        ! tr-filter -q -c "$field == $bad" /dev/null >/dev/null 2>said && grep -q ': expression: ' said ||
            echo "$field is no $type: $bad is not refused"
    done >wrong
none wrong "each has the type of the table"

# other pages refer to that table, and have no list of their own
for name in tr-filter.1 tr-view.1 tr-sum.1; do
    grep -q '^\.Xr tr-expr 7' "$root/man/$name"
    ok $? "$name refers to tr-expr(7)"
    grep -nE '^\.It (Cm|Li) (operator|module|annotation|launch_ts|step_phase|queue_wait)( |$)' "$root/man/$name" >wrong
    none wrong "$name does not describe them again"
done

# keys and values of tr-sum are the same fields, except those that identify an event
grep -vE '^(record|source|launch_record|ts_ps|dur_ps)$' filter | while read -r field; do
    tr-sum -q --by "$field" "$root/contrib/sample/rank0.json.gz" >/dev/null 2>said || echo "$field: $(cat said)"
done >wrong
none wrong "tr-sum takes them as keys"
finish
