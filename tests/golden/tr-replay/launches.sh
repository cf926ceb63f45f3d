# Truth: by hand, and tr-breakdown.  Kernels that one operation of XLA launches one after the other are one call, of a
# stream as of its trace: conv.1 is launched twice, and again after another operation of its program.
cat >t.json <<'END'
{"traceEvents": [
{"ph":"X","name":"launch","cat":"cuda_runtime","pid":1,"tid":1,"ts":10,"dur":2,"args":{"correlation":1,"hlo_op":"conv.1","hlo_module":"jit_f"}},
{"ph":"X","name":"launch","cat":"cuda_runtime","pid":1,"tid":1,"ts":13,"dur":2,"args":{"correlation":2,"hlo_op":"conv.1","hlo_module":"jit_f"}},
{"ph":"X","name":"launch","cat":"cuda_runtime","pid":1,"tid":1,"ts":20,"dur":2,"args":{"correlation":3,"hlo_op":"add.2","hlo_module":"jit_f"}},
{"ph":"X","name":"launch","cat":"cuda_runtime","pid":1,"tid":1,"ts":24,"dur":2,"args":{"correlation":4,"hlo_op":"conv.1","hlo_module":"jit_f"}},
{"ph":"X","name":"launch","cat":"cuda_runtime","pid":1,"tid":1,"ts":28,"dur":2,"args":{"correlation":5,"hlo_op":"conv.1","hlo_module":"jit_f"}},
{"ph":"X","name":"k1","cat":"kernel","pid":0,"tid":7,"ts":30,"dur":5,"args":{"correlation":1,"stream":7,"device":0}},
{"ph":"X","name":"k2","cat":"kernel","pid":0,"tid":7,"ts":36,"dur":5,"args":{"correlation":2,"stream":7,"device":0}},
{"ph":"X","name":"k3","cat":"kernel","pid":0,"tid":7,"ts":42,"dur":5,"args":{"correlation":3,"stream":7,"device":0}},
{"ph":"X","name":"k1","cat":"kernel","pid":0,"tid":7,"ts":48,"dur":5,"args":{"correlation":4,"stream":7,"device":0}},
{"ph":"X","name":"k2","cat":"kernel","pid":0,"tid":7,"ts":55,"dur":5,"args":{"correlation":5,"stream":7,"device":0}}
]}
END
tr-parse -q -o t.trs t.json
for input in t.json t.trs; do
    tr-replay -q -O tsv --columns name,calls $input
    tr-breakdown -q --by operator,args -O tsv --columns name,calls $input
done
