# Limits for each value of a column: of the rows of a group by tr-breakdown itself, whose others are exact, and by the
# table, which combines rows.  Truth: the durations below.
cat >trace.json <<'END'
{"traceEvents":[
{"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":0,"dur":10,"args":{"device":0,"stream":7}},
{"ph":"X","cat":"kernel","name":"add","pid":0,"tid":7,"ts":10,"dur":6,"args":{"device":0,"stream":7}},
{"ph":"X","cat":"kernel","name":"add","pid":0,"tid":7,"ts":20,"dur":2,"args":{"device":0,"stream":7}},
{"ph":"X","cat":"kernel","name":"tanh","pid":0,"tid":7,"ts":30,"dur":4,"args":{"device":0,"stream":7}},
{"ph":"X","cat":"gpu_memcpy","name":"Memcpy HtoD (Pinned -> Device)","pid":0,"tid":9,"ts":0,"dur":5,"args":{"device":0,"stream":9,"bytes":8}},
{"ph":"X","cat":"gpu_memcpy","name":"Memcpy DtoH (Device -> Pinned)","pid":0,"tid":9,"ts":8,"dur":3,"args":{"device":0,"stream":9,"bytes":8}}
]}
END
kernels='tr-breakdown --by kernel -O tsv --columns kind,name,count,sum,kind_pct,p50,max,names'
$kernels --top 1 --top-per kind trace.json
$kernels --ratio 0.5 --top-per kind trace.json
tr-breakdown --by size -O tsv --columns direction,count,sum,mean --top 1 --top-per direction trace.json
tr-breakdown --by time --top 1 --top-per kind trace.json
echo "status $?"
tr-breakdown --by size --top-per direction trace.json
echo "status $?"
