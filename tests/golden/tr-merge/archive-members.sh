# Truth: by hand.  An archive of 40 traces gives what its members give as separate files, with little memory and when a
# member in the middle is damaged or no trace; members that are streams, too.
tr-parse --version | grep -q libarchive || exit 77 # cannot read archives
mkdir m
for r in $(seq 10 49); do
    printf '{"distributedInfo": {"rank": %d}, "traceEvents": [{"ph": "X", "cat": "cpu_op", "name": "op", "pid": 1, "tid": 1, "ts": %d, "dur": 5}]}\n' "$r" "$((200 - r))" >m/r$r.json
done
tar -cf m.tar m
show() { tr-view -O tsv --columns rank,ts,name; }
tr-merge -q m/*.json | show >each
for options in '-M 16M' '-M 64M -j 1' '-M 1G'; do
    # shellcheck disable=SC2086 # several words
    tr-merge -q $options m.tar | show | cmp - each
done
wc -l <each
echo "== compressed, and no trace among them"
echo 'about this job' >m/r30.json
tar -czf m.tar.gz m
tr-merge -M 64M m.tar.gz | show | wc -l
echo "== streams"
rm m/r30.json
for f in m/*.json; do
    tr-parse -q -o "${f%.json}.trs" "$f"
    rm "$f"
done
tar -cf s.tar m
tr-merge -q -M 64M s.tar | show | wc -l
echo "== no trace in 20 members"
mkdir n
for i in $(seq 10 29); do echo "text $i" >n/$i.txt; done
tar -cf n.tar n
tr-merge -q n.tar
echo "status $?"
