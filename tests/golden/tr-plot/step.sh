# Truth: by hand.  A value holds until the next time; 6 GB and 7 GB, on an axis that says that it does not start at 0.
printf 'ts_us\tallocated_bytes\n0\t6000000000\n5\t7000000000\n8\t6500000000\n' | tr-plot --kind step
