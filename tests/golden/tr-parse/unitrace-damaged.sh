# Truth: by hand.  Lines of no known form are counted, with the place of the first; a last line without its end is lost
# where nothing shows that it is whole; a text without any known line is refused, and so is damage with --strict.
exec 2>&1
cat >report.txt <<'END'
=== Device Timing Summary ===
hello from the program

== L0 Backend ==

Kernel,  Calls,  Time (ns)
"a",         1,         10
"b",         x,         20
"c",         1,         30,     40
,            1,         10
"d",         2,         50

Kernel,  Calls,  Colour
Total Execution Time (ns): many
Thread 7 Device 59 : "e" [ns] 1 (append) 2 (submit) 3 (start)
<<<< [17 zeInit
END
printf '"cut",         2,         5' >>report.txt
tr-view --by timing_summary -O tsv report.txt
tr-info -q -O json report.txt | grep -E '"(cause|count|first_byte|loses)"'
tr-parse --strict report.txt || echo "status $?"
# an application's output, in which no report is
printf 'hello\nworld\n' | tr-parse --input-format unitrace-text || echo "status $?"
printf '%s\n' '9,ev,5,6' ',,,' '9,7,5,6' '9,_b,1,2,x,y' '9,cut,1,23' | head -c 38 | tr-view -O tsv --unit ns --columns ts,dur,name,args.data -
