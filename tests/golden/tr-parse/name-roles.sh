# A file of names says which calls launch, launch graphs and wait: programs that read the stream know it, too, also after
# streams are merged and filtered.  Without the file, npuWaitAll is a call like any other.
# Truth: by hand.  Of three launch calls, the work of two is in the trace; between the kernels the host waits.
cat >trace.json <<'END'
{"traceEvents":[
{"ph":"X","cat":"cuda_runtime","name":"npuSubmit","pid":1,"tid":1,"ts":10,"dur":2,"args":{"correlation":1}},
{"ph":"X","cat":"cuda_runtime","name":"npuSubmit","pid":1,"tid":1,"ts":14,"dur":2,"args":{"correlation":9}},
{"ph":"X","cat":"cuda_runtime","name":"npuWaitAll","pid":1,"tid":1,"ts":100,"dur":400},
{"ph":"X","cat":"cuda_runtime","name":"npuSubmit","pid":1,"tid":1,"ts":510,"dur":2,"args":{"correlation":2}},
{"ph":"X","cat":"kernel","name":"matmul","pid":0,"tid":3,"ts":15,"dur":40,"args":{"device":0,"stream":3,"correlation":1}},
{"ph":"X","cat":"kernel","name":"matmul","pid":0,"tid":3,"ts":520,"dur":40,"args":{"device":0,"stream":3,"correlation":2}}
]}
END
cat >npu.rules <<'END'
[role launch if name equals to]
npuSubmit
[role sync if name starts with]
npuWait
[call other if name contains]
Nothing
END
idle() { tr-breakdown -q --by cause -O tsv --columns cause,idle,gaps "$@"; }
tr-parse -q -o plain.trs trace.json
tr-parse -q --names npu.rules -o named.trs trace.json
idle plain.trs
idle named.trs
tr-filter -q --time 0..1000 named.trs | tr-merge -q -o again.trs -
idle again.trs
tr-info -q -O json named.trs | grep -o '"\(launch_calls\|launches\|launches_without_work\)": *[0-9]*'
tr-info -q -O json plain.trs | grep -o '"\(launch_calls\|launches\|launches_without_work\)": *[0-9]*'
tr-view -q --by name_roles -O tsv named.trs
# One rule is kept, too.
printf "[role sync if name starts with]\nnpuWait\n" >one.rules
tr-parse -q --names one.rules trace.json | tr-view -q --by name_roles -O tsv
# A call of the file that has no work counts as any other launch, beside launches that the programs know.
sed "s/^{\"ph\":\"X\",\"cat\":\"cuda_runtime\",\"name\":\"npuSubmit\"\(.*ts\":510\)/{\"ph\":\"X\",\"cat\":\"cuda_runtime\",\"name\":\"cudaLaunchKernel\"\1/" trace.json >both.json
tr-parse -q --names npu.rules both.json | tr-info -q -O json | grep -o "\"\(launch_calls\|launches\|launches_without_work\)\": *[0-9]*"
echo 'status of files that are none:'
for line in '[role boss if name contains]' '[wait role if name contains]' '[role sync if category contains]' '[call launch]'; do
    printf '%s\n' "$line" x >bad.rules
    tr-parse --names bad.rules trace.json >out
    echo "$? $(wc -c <out)"
done
