# Truth: by hand.  Logarithmic axes; the point at 0 is left out, and the subtitle says so.
printf 'cpu_us\tqueue_us\tname\n1\t10\ta\n100\t10\tb\n10\t1000\tc\n0\t10\td\n' |
    tr-plot --kind scatter -x cpu_us -y queue_us --log-x --log-y
