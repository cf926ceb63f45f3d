# Truth: by hand.  Ids of flows of two ranks: what is one id in a rank is one in the output, 17 and "0x11" are the same
# as in viewers, and no id of one rank is one of the other.
for r in 0 1; do
    {
        printf '{"distributedInfo": {"rank": %s}, "traceEvents": [' $r
        for id in 3 17 '"0x11"' '"0X11"' '"0x"' '"11"' '"0xfg"' 0 4294967295 4294967296 281474976710655 281474976710656 \
            '"0xffffffffffff"' '"0x1000000000000"' 18446744073709551615 '"text"' '"text2"'; do
            for ph in s f; do
                echo '{"ph": "'$ph'", "id": '"$id"', "pid": 5, "tid": 6, "ts": 1, "cat": "c", "name": "n"},'
            done
        done
        echo '{"ph": "X", "pid": 5, "tid": 6, "ts": 1, "dur": 1, "name": "op"}]}'
    } >r$r.json
done
tr-view -O chrome r0.json r1.json | sed -n 's/.*"ph":"s".*"id":\([^,}]*\).*/s \1/p; s/.*"ph":"f".*"id":\([^,}]*\).*/f \1/p' >ids
echo "$(sed -n 's/^s //p' ids | sort -u | wc -l) ids, $(sed -n 's/^f //p' ids | sort -u | wc -l) of them at ends"
sed -n 's/^s //p' ids | sort >s; sed -n 's/^f //p' ids | sort | cmp - s && echo "ends are those of the starts"
cat s
