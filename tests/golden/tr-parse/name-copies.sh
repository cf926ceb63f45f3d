# A file of names says the directions of copies: tables of copies, conditions, sums and counters know them, also after
# streams are merged.  Without the file, the names of this vendor say nothing.
# Truth: by hand.  Two uploads of 4 and 8 KiB in 4 us each, a download, and a fill; CUPTI's names are known without rules,
# but a rule of the user comes first.
cat >trace.json <<'END'
{"traceEvents":[
{"ph":"X","cat":"gpu_memcpy","name":"npu upload","pid":0,"tid":3,"ts":10,"dur":4,"args":{"device":0,"stream":3,"bytes":4096}},
{"ph":"X","cat":"gpu_memcpy","name":"npu upload","pid":0,"tid":3,"ts":20,"dur":4,"args":{"device":0,"stream":3,"bytes":8192}},
{"ph":"X","cat":"gpu_memcpy","name":"npu download","pid":0,"tid":3,"ts":30,"dur":4,"args":{"device":0,"stream":3,"bytes":4096}},
{"ph":"X","cat":"gpu_memset","name":"npu clear","pid":0,"tid":3,"ts":40,"dur":1,"args":{"device":0,"stream":3,"bytes":4096}},
{"ph":"X","cat":"gpu_memcpy","name":"Memcpy DtoD (a)","pid":0,"tid":3,"ts":50,"dur":1,"args":{"device":0,"stream":3,"bytes":4096}},
{"ph":"X","cat":"gpu_memcpy","name":"Memcpy HtoD (b)","pid":0,"tid":3,"ts":60,"dur":1,"args":{"device":0,"stream":3,"bytes":4096}}
]}
END
cat >npu.rules <<'END'
[copy htod if name equals to]
npu upload
[copy dtoh if name contains]
down
[copy memset if name starts with]
npu clear
[copy ptop if name equals to]
Memcpy DtoD (a)
END
sizes() { tr-breakdown -q --by size -O tsv --columns direction,min_bytes,count,bytes "$@"; }
tr-parse -q -o plain.trs trace.json
tr-parse -q --names npu.rules -o named.trs trace.json
sizes plain.trs
sizes named.trs
tr-merge -q -o again.trs named.trs
sizes again.trs
tr-sum -q --by direction --stat count -O tsv again.trs
tr-filter -q 'direction == "Memcpy HtoD"' again.trs | tr-view -q -O tsv --columns name,direction -
tr-counters -q --by bandwidth -O tsv --columns name,count again.trs
printf '%s\n' '[copy up if name contains]' x >bad.rules
tr-parse --names bad.rules trace.json >out
echo "$? $(wc -c <out)"
