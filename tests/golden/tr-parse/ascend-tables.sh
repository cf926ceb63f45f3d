# Truth: by hand.  What Ascend's profiler writes beside a trace becomes tables: times as ns, N/A as nothing, quoted texts
# without their quotes; a file that is none, or is not there, is left out, and so are rows that are cut.
cat >trace_view.json <<'END'
[{"name": "process_name", "pid": 9632, "tid": 0, "args": {"name": "Ascend Hardware"}, "ph": "M"},
{"name": "MatMul", "pid": 9632, "tid": 2, "ts": "1736408883688300.002", "dur": 53.7410625, "args": {"Task Type": "AI_CORE", "Physic Stream Id": 2, "connection_id": 20}, "ph": "X"}]
END
printf 'Step Id,Name,Accelerator Core,Start Time(us),Duration(us),Input Shapes,aic_mac_ratio,State\r\n' >kernel_details.csv
printf '50,MatMul,AI_CORE,1736408883688300.002\t,53.741,"""2,3;64""",0.186,N/A\r\n' >>kernel_details.csv
printf ',"Add, ""x""",AI_CORE,N/A,1,"a\nb",0,dynamic\r\n' >>kernel_details.csv
printf '51,MatMul,AI_CORE' >>kernel_details.csv
cat >communication.json <<'END'
{"step50": {"p2p": {}, "collective": {"hcom_allReduce__586_0_1@175": {"Communication Time Info": {"Start Timestamp(us)": 1736408883732241.5,
"Elapse Time(ms)": 79.08952021875, "Transit Time(ms)": 0.239, "Wait Time Ratio": 0.9}, "Communication Bandwidth Info": {"HCCS":
{"Transit Size(MB)": 28.5, "Bandwidth(GB/s)": 15.76}, "SDMA": 5}}, "Total Op Info": {}, "odd": 3}}, "step51": []}
END
tr-view -q -O tsv --by kernel_details trace_view.json
tr-view -q -O tsv --by communication trace_view.json
echo "== none of them"
mkdir other
sed 's/MatMul/Other/' trace_view.json >other/trace_view.json
echo '[1' >other/communication.json
: >other/kernel_details.csv
tr-info other/trace_view.json | grep -c kernel_details
tr-view -q -O tsv --columns name other/trace_view.json
echo "== a column without a name"
mkdir unnamed
cp trace_view.json unnamed
printf 'Step Id,Name,\n50,MatMul,\n,Add,7\n' >unnamed/kernel_details.csv
tr-view -q -O tsv --by kernel_details unnamed/trace_view.json
