# Truth: by hand.  The data are the cells of the table.
printf 'rank\tname\tmean_us\tmin_us\tmax_us\n0\t"a"\t2.500\t1.000\t4.000\n1\tb\t0.125\t\t\n' |
    tr-plot -O vega --low min_us --high max_us
