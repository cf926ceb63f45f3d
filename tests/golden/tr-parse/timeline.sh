# Truth: by hand.  What stands before or after the array, or in place of it; an entry that is no list.
try()
{
    echo "== $1"
    printf "$1" >t.json
    tr-parse --input-format memory-timeline -o t.trs t.json && tr-view -q -O tsv --columns record,phase,ts,name,args t.trs
}
exec 2>&1
try '\357\273\277[[5, 0, 64, 1]]'
try '  [[5, 0, 64, 1]] '
try '[]'
try '{"a": [[5, 0, 64, 1]]}'
try '7 [[5, 0, 64, 1]]'
try '[[5, 0, 64, 1]] [[6, 0, 64, 1]]'
try '[[5, 0, 64, 1] [6, 0, 64, 1]]'
try '[[5, 0, 64, 1], 7, "a[", [6, 0, 64, 1]]'
try '[[5, 0, 64, 1], [6, 0, 64'
try '[[5, 0, 64, 1],, [6, 0, 64, 1],]'
try '[[-1, 0, 64, 1], [0, 0, 64, 1], [0, 1, 64, 2], [3, 3, -64, 3], [4, 4, 1, 1], [5, 2, 1, 99], [6, 2, 1], [7, 2, "1", 1], [8, 0, -1, 0, 3]]'
try '[[5, 0, 64, 1]'
try '[7]'
