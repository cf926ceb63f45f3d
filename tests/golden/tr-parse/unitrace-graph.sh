# Truth: by hand, in the form of unitrace's reports of a program that runs a graph.  Commands of a graph were appended
# once, and submitted by each launch; copies, barriers and resets of events have rows beside kernels.  Stars hide numbers
# in any table: the row is there, without them, and no line is lost.
exec 2>&1
cat >report.txt <<END

=== API Timing Summary ===

             Total Execution Time (ns):                    *
    Total API Time for L0 backend (ns):                 5000
Total API Time for CL CPU backend (ns):                    *

== L0 Backend ==

                         Function,        Calls,            Time (ns),     Time (%),         Average (ns),             Min (ns),             Max (ns)
zeCommandQueueExecuteCommandLists,            3,                    *,            *,                    *,                    *,                    *
      zeCommandListAppendGraphExp,            *,                 5000,   100.000000,                    *,                    *,                    *

== CL CPU Backend ==

       Function,       Calls,           Time (ns),    Time (%),        Average (ns),            Min (ns),            Max (ns)
clGetDeviceInfo,          52,                   *,           *,                   *,                   *,                   *

=== Device Timing Summary ===

                Total Execution Time (ns): *
    Total Device Time for L0 backend (ns): *

== L0 Backend ==

                              Kernel,        Calls,            Time (ns),     Time (%),         Average (ns),             Min (ns),             Max (ns)
                               "inc",            6,                    *,            *,                    *,                    *,                    *
"zeCommandListAppendMemoryCopy(D2D)",            6,                  600,            *,                  100,                    *,                    *
     "zeCommandListAppendEventReset",           36,                  360,            *,                   10,                    *,                    *
        "zeCommandListAppendBarrier",            1,                   40,            *,                   40,                   40,                   40

=== Kernel Properties ===

Kernel, Compiled, SIMD, Number of Arguments, SLM Per Work Group, Private Memory Per Thread, Spill Memory Per Thread, Register File Size Per Thread
 "inc",      JIT,    *,                   2,                  *,                         0,                       0,                       unknown

=== Kernel Submission Summary ===

== L0 Backend ==

Kernel, Calls, Append (ns), Append (%), Submit (ns), Submit (%), Execute (ns), Execute (%)
 "inc",     *,           *,          *,           *,          *,           17,  100.000000

Thread 12 Device 409162968 : "zeCommandListAppendMemoryCopy(D2D)[256]" [ns] 100 (append) 500 (submit) 510 (start) 520 (end)
Thread 12 Device 409162968 : "inc[SIMD32 {64; 1; 1} {1; 1; 1}]" [ns] 200 (append) 500 (submit) 530 (start) 545 (end)
Thread 12 Device 409162968 : "zeCommandListAppendEventReset" [ns] 300 (append) 500 (submit) 550 (start) 551 (end)
Thread 12 Device 409162968 : "zeCommandListAppendMemoryCopy(D2D)[256]" [ns] 100 (append) 900 (submit) 910 (start) 921 (end)
Thread 12 Device 409162968 : "inc[SIMD32 {64; 1; 1} {1; 1; 1}]" [ns] 200 (append) 900 (submit) 930 (start) 947 (end)
END
tr-parse --strict -o report.trs report.txt && echo "no line is lost"
for table in timing_totals timing_summary kernel_properties kernel_submissions; do
    echo "== $table"
    tr-view --by $table -O tsv report.trs
done
echo "== timeline"
tr-view -O tsv --unit ns --columns ts,dur,activity,kernel report.trs
echo "== sums of the summary alone: what has no time is not counted"
sed '/^Thread/d' report.txt >summary.txt
tr-categorize --by class --unit ns -O tsv summary.txt
tr-categorize --by class --side host --unit ns -O tsv summary.txt
tr-categorize --by class --compat unitrace -O json summary.txt
