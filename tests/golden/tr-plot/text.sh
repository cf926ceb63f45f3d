# Truth: by hand.  Bars in the terminal: the longest takes the room, the others their part of it; 3 + 1 are 4.
printf 'name\tsum_us\tpct\na long name\t8.000\t66.67\nb\t4.000\t33.33\nnone\t\t\n' >t.tsv
COLUMNS=60 tr-plot -O text t.tsv
printf 'step\tkind\tsum_us\n1\tcompute\t3.000\n1\tcomm\t1.000\n2\tcompute\t4.000\n' | COLUMNS=40 tr-plot -O text
printf 'name\tdiff_us\nless\t-4.000\nmore\t8.000\n' | COLUMNS=40 tr-plot -O text
