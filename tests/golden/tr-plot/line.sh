# Truth: by hand.  Two lines over a time that counts from the first; NaN is a gap.
printf 'ts_us\tname\tvalue\n10\ta\t1\n20\ta\tNaN\n30\ta\t3\n40\ta\t4\n10\tb\t2\n40\tb\t2\n' | tr-plot
