# Truth: by hand.  Bins that grow by a factor have a logarithmic axis; the empty one has no bar.
printf 'from_us\tto_us\tcount\n1.000\t2.000\t3\n2.000\t4.000\t0\n4.000\t8.000\t6\n8.000\t16.000\t2\n' | tr-plot
