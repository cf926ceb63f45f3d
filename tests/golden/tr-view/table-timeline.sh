# Truth: the entries themselves; what was there before has no time.  Filtering leaves tables as they are; the clocks
# of tr-align move their times as those of events, and back.
COLUMNS=160 # wide enough for all of it
export COLUMNS
cat >t.raw.json <<END
[[-1, 1, 1024, 0], [-1, 1, 100, 7], [2000000, 2, 50, 5], [2000500, 3, -50, 5], [2000500, 3, 50, 3],
 [2001000, 4, -50, 3], [2001000, 9, 10, 42]]
END
tr-view -O text --by memory_timeline t.raw.json
tr-view -O json --by memory_timeline --columns at,category,bytes --sort bytes t.raw.json
tr-parse --rank 0 t.raw.json >t.trs
tr-filter 'ts > 2000.5us' t.trs | tr-view -O tsv --by memory_timeline | wc -l
printf '0\t0.5\n' >offsets
tr-align -q --offsets offsets t.trs >aligned.trs
tr-view -O tsv --columns at,bytes --by memory_timeline aligned.trs
tr-align -q --undo aligned.trs | tr-view -O tsv --columns at,bytes --by memory_timeline
