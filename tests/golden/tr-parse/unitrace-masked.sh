# Truth: by hand.  Numbers that are not to be seen are stars: absent.  A name of stars is a name.
exec 2>&1
cat >report.txt <<END
=== Device Timing Summary ===

                Total Execution Time (ns): *
    Total Device Time for L0 backend (ns):                   48

== L0 Backend ==

    Kernel,        Calls,            Time (ns),     Time (%),         Average (ns),             Min (ns),             Max (ns)
  "scale",             4,                    *,             *,                   *,                    *,                     *
      "*",             2,                   48,        100.00,                  24,                   ***,                   30
END
tr-view --by timing_totals -O tsv report.txt
tr-view --by timing_summary -O tsv report.txt
