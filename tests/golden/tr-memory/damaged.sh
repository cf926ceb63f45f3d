# Truth: by hand.  What can be told of a damaged timeline is told; what holds no entry is none.
try()
{
    echo "== $1"
    printf '%s' "$1" >t.json
    tr-memory -O tsv t.json | cut -f 2,4-5
    [ "$2" ] || return 0
    tr-memory --by summary -O csv t.json | tail -n 1 | cut -d , -f 3-6
}
try '[[1000, 2, 5, 0], [2000, 2, 6, 0], [3000, 2' more
try '[[1000, 2, 5, 0] [2000, 2, 6, 0],, [03000, 2, 7, 0]]' more
try '[[1000, 2, 5, 0], [2000, 2, "6", 0], {"a": [1]}, [3000, 2, 7], 8, [4000, 2, 7, 0]]' more
try '[[1000, 2, 5, 0], [2000, 2, 6, 0]] and more' more
try '[[1000, 2, 5, 0], [2000, 2, 9223372036854775807, 0], [3000, 2, 9223372036854775807, 0], [4000, 4, -9223372036854775808, 0]]' more
try '[['
try '[[1.5, 2, 5, 0]]'
try '[[[1, 2], [3, 4]]]'
echo "== strict"
printf '[[1000, 2, 5, 0] [2000, 2, 6, 0]]' | tr-parse --strict >/dev/null
echo "status $?"
