# Truth: by hand.  A table without rows is a picture that says so.
printf 'name\tsum_us\n' | tr-plot
