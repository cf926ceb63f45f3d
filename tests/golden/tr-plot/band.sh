# Truth: by hand.  A lane for each rank; times count from the first start.
printf 'rank\tname\tstart_us\tdur_us\n0\tx\t1000\t50\n0\ty\t1060\t40\n1\tx\t1020\t80\n' | tr-plot
# More spans than can be seen: half of the lane belongs to x, and half to y.
awk 'BEGIN { print "rank\tname\tstart_us\tdur_us"; for (i = 0; i < 3200; i++) print "0\t" (i < 1600 ? "x" : "y") "\t" i "\t1" }' |
    tr-plot
