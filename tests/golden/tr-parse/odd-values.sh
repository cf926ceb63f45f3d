# Truth: by hand, what each value is.  Values of an unusual form stand where many events before had usual ones: they are
# read as if they were the first.
usual() { for i in 1 2 3 4; do echo "{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"op\", \"pid\": 1, \"tid\": 2, \"ts\": $1$i, \"dur\": 1, \"args\": {\"n\": $i, \"s\": \"t\"}},"; done; }
{
    echo '{"traceEvents": ['
    usual 1
    for ph in '""' '"\u0058"' '"x"' 5 'null' '"i"'; do
        echo '{"ph": '"$ph"', "cat": "cpu_op", "name": "ph", "pid": 1, "tid": 2, "ts": 100, "dur": 1, "args": {"n": 5, "s": "t"}},'
    done
    usual 2
    for ts in '"201.5"' 2015e-1 '"201.5x"' 201.5004 201.5005 -1 '""' null '" 201"' 0201 201. .5 1e400; do
        echo '{"ph": "X", "cat": "cpu_op", "name": "ts", "pid": 1, "tid": 2, "ts": '"$ts"', "dur": 1, "args": {"n": 5, "s": "t"}},'
    done
    usual 3
    for dur in '"2.5"' 25e-1 -1 '""' null 0 -0 1e3; do
        echo '{"ph": "X", "cat": "cpu_op", "name": "dur", "pid": 1, "tid": 2, "ts": 300, "dur": '"$dur"', "args": {"n": 5, "s": "t"}},'
    done
    usual 4
    for n in '"5"' '"-5"' '"05"' '"-"' '"-0"' '"9223372036854775807"' '"9223372036854775808"' 5.0 null true '[1]' '{}' '"\""' 1e400; do
        echo '{"ph": "X", "cat": "cpu_op", "name": "n", "pid": 1, "tid": 2, "ts": 400, "dur": 1, "args": {"n": '"$n"', "s": "t"}},'
    done
    usual 5
    for s in '""' '"\n"' '"\u00e9"' '"é"' '"\q"' 5 '"5"' null; do
        echo '{"ph": "X", "cat": '"$s"', "name": '"$s"', "pid": '"$s"', "tid": '"$s"', "ts": 500, "dur": 1, "args": {"n": 1, "s": '"$s"'}},'
    done
    usual 6
    echo '{"ph": "X", "cat": "cpu_op", "name": "last", "pid": 1, "tid": 2, "ts": 700, "dur": 1}]}'
} >t.json
tr-parse -q t.json | tr-view -q -O tsv --columns phase,cat,name,pid,tid,ts,dur,args.n,args.s | uniq -c
tr-parse -q t.json | tr-view -q -O chrome | grep '"n":' | sed 's/.*"args"://' | sort | uniq -c
