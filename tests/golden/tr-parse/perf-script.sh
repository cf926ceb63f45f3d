# Truth: by hand.  A sample is an instant of its thread with the innermost function as name; between two switches of a core,
# who runs there is a span of it, and the idle thread is none.  In the gap of the device from 12345.678960 to .679000 s, the
# thread 4330 that launches waits, and kworker runs on its core.
cat >perf.txt <<'END'
# captured on: today
python  4321/4330 [003] 12345.678901:     250000 cycles:P: 
	ffffffff8104f45a native_write_msr+0xa ([kernel.kallsyms])
	          4a3e11 std::map<int, (anonymous namespace)::A>::at(int) const+0x11 (/opt/lib (old)/lib.so)
	    7f0000000001 [unknown] (/usr/bin/python3)

my tool 77 [001] 12345.678905:  cpu-clock:pppH:      7f00cafe main+0x4 (/bin/tool)
python  4330 [003] 12345.678950: sched:sched_switch: prev_comm=python prev_pid=4330 prev_prio=120 prev_state=S ==> next_comm=kworker/3:1 a next_pid=99 next_prio=120
	ffffffff8104f45a __schedule+0xa ([kernel.kallsyms])

kworker/3:1 a    99 [003] 12345.678990: sched:sched_switch: kworker/3:1 a:99 [120] R ==> python:4330 [120]
python  4321/4330 [003] 12345.679010: syscalls:sys_enter_futex: uaddr: 0x7f, op: 1
this is no line
python  4321/4330     12345.679020: 1 cycles: 
END
tr-view -O jsonl perf.txt
echo "== who ran on the core of the thread 4330 in a gap"
tr-view -q -O tsv --columns ts,dur,thread,name --where 'cat == sched && args.cpu == 3' --time 12345678960us..12345679000us perf.txt
echo "== ftrace"
cat >trace.txt <<'END'
cpus=2
          <idle>-0     [001] d..2. 12345.678901: sched_switch: prev_comm=swapper/1 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=py-a next_pid=12 next_prio=120
            py-a-12    (   10) [001] d..2. 12345.678921: sched_switch: prev_comm=py-a prev_pid=12 prev_prio=120 prev_state=D|K ==> next_comm=swapper/1 next_pid=0 next_prio=120
CPU:1 [LOST 5 EVENTS]
            py-a-12    (-----) [000] ..... 12345.678931: sys_exit: NR 1 = 5
          <idle>-0     [000] d..2. 12345.678951: sched_switch: swapper/0:0 [120] R ==> py-a:12 [120]
          <idle>-0     [0
END
sed '$ s/.*/          <idle>-0     [00/' trace.txt | head -c -1 >cut.txt
tr-view -O jsonl cut.txt
tr-info cut.txt | grep -A9 '^damage\|lost'
echo "== a zero byte in the name of a function"
printf 'python 4321/4330 [003] 12345.678901: 250000 cycles:P: \n\t10 f\0g+0xa ([kernel])\n\t20 main+0x11 (/bin/a)\n' >zero.txt
tr-view -O jsonl --columns name,args.dso,args.Stack zero.txt
