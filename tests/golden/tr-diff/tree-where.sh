# Truth: by hand.  A selection chooses the device work of the trees, and hides no call above it; a listing of calls
# that loses work by its selection says so.
. "$GOLDEN/traces.inc"
tr-diff --by tree -O tsv --columns change,points,base,test base.json test.json
echo "== kernels only"
tr-diff --by tree --where 'activity == "kernel"' -O tsv --columns change,points,base,test base.json test.json
echo "== a listing"
tr-breakdown --by tree --where 'activity == "cpu_op"' -O tsv --columns name,kernels,kernel_sum base.json | head -n 3
tr-breakdown --by tree --where 'ts >= 0us' -O tsv --columns name,kernels base.json | tail -n 1
