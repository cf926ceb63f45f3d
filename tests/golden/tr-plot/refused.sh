# Truth: by hand.  What cannot be drawn is refused with one line, and nothing is written.
t() { tr-plot "$@"; echo "status $?"; }
printf 'name\tv\na\t1\nb\tx7\nc\t3\n' >text.tsv
t text.tsv 2>&1
t -x name -y v text.tsv 2>&1
t -x name -y w text.tsv 2>&1
printf 'v\n1\n' | t 2>&1
: | t 2>&1
printf 'name\tv\na\t1\n' | t --kind heat 2>&1
printf 'name\tv\na\t1\n' | t --size 10x10 2>&1
printf 'name\tv\na\t1\n' | t --kind line -x name 2>&1
printf 'ts_us\tv\n1\t1\n2\t2\n' | t -O text 2>&1
