# Truth: by hand.  No rows of stalls: an empty table and its reason; no table at all, or no input, is an error.
printf 'Kernel,GpuTime[ns]\n"k",5\n' >other.csv
tr-stalls other.csv; echo "status $?"
printf 'Kernel, Calls, Time (ns)\n"k", 1, 5\n' >report.csv
tr-stalls report.csv; echo "status $?"
tr-stalls --input-format unitrace-csv report.csv; echo "status $?"
: >empty.csv
tr-stalls empty.csv; echo "status $?"
