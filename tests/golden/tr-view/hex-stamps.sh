# Truth: by hand.  Cycle stamps in hexadecimal digits are integers inside and the same texts outside, whatever they look
# like; the second event of each kind is read as those before it were.
n=0
echo '[' >t.json
for v in 0x0 0x1f 0xfedcba987654321 0xfedcba9876543210 0x 0x01 0X1f 0x1F 0x1g 0x1f. 31 -0x1f 0x0000000000000000000000001 ''; do
    for again in 1 2; do
        n=$((n + 1))
        echo "{\"ph\": \"X\", \"name\": \"n\", \"pid\": 1, \"tid\": 2, \"ts\": $n, \"dur\": 1, \"args\": {\"TS1\": \"$v\", \"other\": \"$v\"}},"
    done
done >>t.json
echo '{"ph": "X", "name": "n", "pid": 1, "tid": 2, "ts": 99, "dur": 1, "args": {"TS1": "0x\u0031f", "other": 5}}]' >>t.json
tr-parse -q -o t.trs t.json
tr-view -q -O tsv --columns ts,args.TS1,args.other t.trs
tr-view -q -O chrome t.trs | tr -d ' \n' | cksum
tr -d ' \n' <t.json | sed 's/\\u0031/1/' | sed 's/$//' | cksum
tr-view -q -O jsonl --columns args.TS1 -n 4 t.trs
tr-view -q -O perfetto t.trs | tr -c '[:print:]' '\n' | grep -c 0xfedcba987654321
tr-filter -q -c 'args.TS1 == "0x1f"' t.trs
tr-filter -q -c 'args.TS1 =~ "^0x"' t.trs
tr-filter -q -c 'args.TS1 == 31' t.trs
tr-sum -q --by args.TS1 --stat count -O tsv t.trs
tr-filter -q --redact 'ts >= 0' t.trs | tr-view -q -O tsv - | wc -l
