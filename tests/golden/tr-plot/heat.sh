# Truth: by hand.  Ranks across and down, the most bytes in the last level; (1, 1) has no cell.
printf 'src\tdst\tn_bytes\n0\t0\t0\n0\t1\t9000000\n1\t0\t4500000\n' | tr-plot --kind heat -x src -y dst,n_bytes
