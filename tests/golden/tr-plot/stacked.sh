# Truth: by hand.  A segment for each kind, in its colour; 3 + 1 of step 1 are as high as the 4 of step 2.
printf 'step\tkind\tsum_us\n1\tcompute\t3.000\n1\tcomm\t1.000\n2\tcompute\t4.000\n' | tr-plot
