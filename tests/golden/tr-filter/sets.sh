# Truth: the numbers of each list, read by eye: lists need not be in order, ranges may overlap, adjoin or repeat, and
# ranges hold reals, too; a number in quotes is a number.
{
    echo '{"traceEvents": ['
    for n in -9223372036854775808 -9223372036854775807 -4 -3 -2 -1 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 9223372036854775806 9223372036854775807 \
        2.5 '"3"'; do
        echo '{"ph": "X", "name": "op", "pid": 1, "tid": 1, "ts": 1, "dur": 1, "args": {"n": '"$n"'}},'
    done
    echo '{"ph": "X", "name": "none", "pid": 1, "tid": 1, "ts": 2, "dur": 1}]}'
} >t.json
for set in '5, 1, 3..4, 2' '9..12, 11..15, 7' '15, 7..8, 9..10, 9, -3..-2' '8, 7, 6, 5, 4' '3' '10..12, 1..3, 5' '2..2, 2' \
    '2.5' '2.1..2.9' '2.1..3.9, 0' '12..16, 1..14' '1..16, 4..5, 20' '0..9223372036854775807' '9223372036854775807' \
    '-9223372036854775807..-4, 16' '9223372036854775808..9223372036854775809' '9223372036854775808' \
    '-9223372036854775810..-9223372036854775809' '-9223372036854775809' '-9223372036854775809..-9223372036854775807'; do
    echo "$set:" $(tr-filter "args.n in ($set)" t.json | tr-view -O tsv --columns args.n | sed 1d)
done
