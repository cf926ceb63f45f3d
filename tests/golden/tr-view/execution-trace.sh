# Truth: by hand.  Execution traces have no time line: they are tables.  PyTorch: a tensor comes from the last node before
# that wrote it, here aten::mm inside aten::linear, else from the last that wrote its storage (31 is a part of 30); linked
# with times, and the older form without attributes.  Chakra: JSON and protocol buffers, packed numbers or not.
inputs=$(cd "$GOLDEN/../../fuzz/corpus" && pwd)
for f in plain_0 linked_1 old_0; do
    cp "$inputs/pytorch_et/$f.json" .
    tr-view -O tsv --by nodes --columns rank,id,name,kind,is_cpu_op,parent,dur_ns,self_ns,rf_id,op_schema,in_msg_nelems,attrs $f.json
    tr-view -O tsv --by dependencies --columns node,on,kind,tensor $f.json
done
tr-view -O tsv --by tensors plain_0.json
tr-view -O tsv --by nodes --columns id,stream,start_ns,collective,pg_name,pg_desc,pg_size,input_values,input_shapes,output_types linked_1.json
for f in chakra_json/job.0.json chakra/job.0.et; do
    cp "$inputs/$f" .
    tr-view -O tsv --by nodes --columns rank,id,name,kind,is_cpu_op,start_ns,dur_ns,rf_id,seq_id,stream,collective "${f#*/}"
    tr-view -O tsv --by nodes --columns id,comm_type,comm_size,comm_src,comm_dst,comm_tag,involved_dim,tensor_size,attrs "${f#*/}"
    tr-view -O tsv --by dependencies "${f#*/}"
done
tr-view -O tsv --by tensors job.0.et
tr-info job.0.et | grep -A4 '^tables'
