# Truth: by hand.  Each line of unitrace's texts wrong in each of its parts: none of these is an event or a row, and all
# are counted; numbers are read up to 2^63 - 1, and records say which line an event is.
exec 2>&1
read_all() # FILE COLUMNS
{
    tr-view -q -O tsv --unit ns --columns "$2" "$1"
    echo "$(tr-info -q -O json "$1" | sed -n 's/.*"count": *\([0-9]*\).*/\1/p' | tr '\n' ' ') of $(grep -c bad "$1") bad lines are counted"
}
cat >kmd.txt <<'END'
9,first,5,6
9223372036854775807,good,9223372036854775807,0
9,good,1,9223372036854775807
9223372036854775808,bad,5,6
99999999999999999999999,bad,5,6
9,bad,9223372036854775808,6
9,bad,5,9223372036854775808
9,bad,5,18446744073709551616
,bad,5,6
-9,bad,5,6
9bad,5,6
9,1bad,5,6
9,,5,6,bad
9,[bad,5,6
9,`bad,5,6
9,@bad,5,6
9,{bad,5,6
9,bad,,6
9,bad,5,
9,bad,5
9,bad,5 ,6
9,bad,5,6 x
9,bad,5,6x
9,bad
9 ,bad,5,6
9,_good,7,8
9,Zgood,8,8,
9,zgood,9,8,a,b
END
read_all kmd.txt record,tid,ts,dur,name,args.data
cat >timeline.txt <<'END'
Thread 9223372036854775807 Device 0xff : "good" [ns] 1 (append) 2 (submit) 3 (start) 4 (end)
Thread 7 Device 9223372036854775807 : good [ns] 1 (append) 2 (submit) 3 (start) 9223372036854775807 (end)
Thread 7 Device 0 : good two[ns]1(append)2(submit)3(start)4(end)
Thread 9223372036854775808 Device 0 : "bad" [ns] 1 (append) 2 (submit) 3 (start) 4 (end)
Thread 7 Device 9223372036854775808 : "bad" [ns] 1 (append) 2 (submit) 3 (start) 4 (end)
Thread 7 Device 0xg : "bad" [ns] 1 (append) 2 (submit) 3 (start) 4 (end)
Thread 7 Device 0x : "bad" [ns] 1 (append) 2 (submit) 3 (start) 4 (end)
Thread 7 Device 0 "bad" [ns] 1 (append) 2 (submit) 3 (start) 4 (end)
Thread 7 Device 0: "bad" [ns] 1 (append) 2 (submit) 3 (start) 4 (end)
Thread 7 Device : "bad" [ns] 1 (append) 2 (submit) 3 (start) 4 (end)
Thread x Device 0 : "bad" [ns] 1 (append) 2 (submit) 3 (start) 4 (end)
Thread 7 device 0 : "bad" [ns] 1 (append) 2 (submit) 3 (start) 4 (end)
Thread 7 Device 0 : "bad" [us] 1 (append) 2 (submit) 3 (start) 4 (end)
Thread 7 Device 0 : "bad" 1 (append) 2 (submit) 3 (start) 4 (end)
Thread 7 Device 0 : "bad" [ns] 2 (submit) 3 (start) 4 (end)
Thread 7 Device 0 : "bad" [ns] 1 (append) 3 (start) 4 (end)
Thread 7 Device 0 : "bad" [ns] 1 (append) 2 (submit) 4 (end)
Thread 7 Device 0 : "bad" [ns] 1 (append) 2 (submit) 3 (start)
Thread 7 Device 0 : "bad" [ns] (append) 2 (submit) 3 (start) 4 (end)
Thread 7 Device 0 : "bad" [ns] 1 (append) (submit) 3 (start) 4 (end)
Thread 7 Device 0 : "bad" [ns] 1 (append) 2 (submit) (start) 4 (end)
Thread 7 Device 0 : "bad" [ns] 1 (append) 2 (submit) 3 (start) (end)
Thread 7 Device 0 : "bad" [ns] 1 (append) 2 (submit) 3 (start) 9223372036854775808 (end)
Thread 7 Device 0 : "bad" [ns] 1 (append) 2 (submit) 3 (start) 4 (end) 5
Thread 7 Device 0 : "bad [ns] 1 (append) 2 (submit) 3 (start) 4 (end)
Thread 7 Device 0 : bad" [ns] 1 (append) 2 (submit) 3 (start) 4 (end)
Thread 7 Device 0 : " [ns] 1 (append) 2 (submit) 3 (start) 4 (end) bad
Thread bad
>>>> [9223372036854775807] good: a b
>>>> [6] <PID:9223372036854775807> good::two
>>>> [7] <TID:8> _good3:
>>>> [9223372036854775808] bad: a
>>>> [] bad: a
>>>> [1]bad: a
>>>> [1 bad: a
>>>> [1] 7bad: a
>>>> [1] bad-one: a
>>>> [1] : bad
>>>> [1] <PID:1> <TID:2 bad: a
>>>> [1] <PID:1> <TID:> bad: a
>>>> [1] <PID:1><TID:2> bad: a
>>>> [1] <PID:> bad: a
>>>> [1] <PID:9223372036854775808> bad: a
<<<< [2] bad: a
<<<< [2] bad 5 ns]
<<<< [2] bad [5 us]
<<<< [2] bad [5]
<<<< [2] bad [5 ns
<<<< [2] bad [ ns]
<<<< [2] bad [9223372036854775808 ns]
<<<< [8] <TID:8> _good3 [9223372036854775807 ns] -> done
<<<< [9] <PID:9223372036854775807> good::two [3 ns]p = 1->
>>> [1] bad: a
END
read_all timeline.txt record,device,stream,pid,tid,ts,dur,phase,name,args
cat >report.txt <<'END'
Total Execution Time (ns): 1 bad
Kernel, Calls, bad
=== Device Timing Summary ===
Total Execution Time (ns): 9223372036854775807
Total Execution Time (ns): 9223372036854775808 bad
Total Execution Time (ns): bad
Total Execution Time (ns): 1 bad
Total Execution Time: 1 bad
Total Device Time for L0 backend (ns):5
Total API Time for a b backend (ns):  6
Total Device Time for  backend (ns): 7 bad
Total Device Time for backend (ns): 7 bad
Total Time for L0 backend (ns): 7 bad
Total Device Time for L0 backend (ns) 7 bad

"bad", 1, 2

Kernel, Calls, Time (ns), Time (%)
good, 9223372036854775807, -9223372036854775808, 100.0
"good, two", unknown, 1, 12345678901234.5
good3, 0, ANY, unknown
bad, 9223372036854775808, 1, 1
bad, 1.5, 1, 1
bad, 1, 1, x
bad, 1, 1, NaN
bad, 1, 1, 99999999999999999999
bad, 1, , 1
bad, 1, 1
bad, 1, 1, 1, 1
bad, two, 1, 1, 1
"bad, 1, 1, 1
bad", 1, 1, 1
Tile #1: "good", 4, 1, 1
Tile #x: "bad", 4, 1, 1
Tile #1 "bad", 4, 1, 1

Kernel
Calls, Kernel
Kernel, Calls, Kernel bad
Kernel, Calls, Pages bad
Kernel, SIMD bad
END
grep -vE 'bad|^Kernel$|^Calls, Kernel$' report.txt >good.txt
tr-view --by timing_totals -O tsv report.txt
tr-view --by timing_summary -O tsv report.txt
tr-info -q -O json report.txt | sed -n 's/.*"count": *\([0-9]*\).*/\1/p'
echo "of $(grep -cE 'bad|^Kernel$|^Calls, Kernel$' report.txt) bad lines"
# the same without them
for by in timing_totals timing_summary; do
    tr-view --by $by -O csv report.txt >with.csv
    tr-view --by $by -O csv good.txt | sed 's/good.txt/report.txt/' | cmp - with.csv && echo "$by: the same without them"
done
{
    echo '=== Device Timing Summary ==='
    for line in 'Process ID : 9223372036854775807 | Rank ID : 2' 'Process ID : 9223372036854775808 | Rank ID : 3' \
        'Process ID : 1 Rank ID : 3' 'Process ID : 1 | Rank ID : ' 'Process ID :  | Rank ID : 3' 'Process : 1 | Rank ID : 3' \
        'Process ID : 1 | Rank : 3' 'Process ID : 1 | Rank ID : 9223372036854775808'; do
        printf '%060d\n*  %s\n%060d\n' 0 "$line" 0
    done | sed 's/^0*$/************************************************************/'
    printf '\nFunction, Calls\na, 1\n'
} >ranks.txt
tr-info -q -O json ranks.txt | grep -E '"(rank|process_id|count)"'
