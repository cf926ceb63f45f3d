# Truth: by hand: vendors/rocprof.json has two instances of SQ_WAVES, 100 and 28, and one of VALUUtilization, all of
# its first dispatch.
tr-metrics --category kernel_dispatch "$GOLDEN/../vendors/rocprof.json" | cut -f 3-6,10-11
tr-metrics --category kernel_dispatch --by kernel "$GOLDEN/../vendors/rocprof.json" | cut -f 1-5
