# A misspelt word: its message names the known one that is near; by hand from the definition in the options page.
cat >t.json <<'J'
{"traceEvents":[{"ph":"X","name":"a","cat":"kernel","pid":0,"tid":7,"ts":0,"dur":3}]}
J
try()
{
    "$@" t.json 2>&1 >/dev/null | cut -c 1-100
}
echo "== options: letters that changed places, one too many, one missing, another one, two of them"
try tr-sum --tpo 3
try tr-sum --whhere x
try tr-sum --colums all
try tr-sum --velue dur
try tr-sum --assume-terminul stdout # hidden options are not named
echo "== too far, too short"
try tr-sum --colours 3
try tr-sum --xyz
try tr-sum --s 1
echo "== values"
try tr-breakdown --by operators
try tr-breakdown --by operator,shpae
try tr-breakdown --by colour
try tr-sum -O jsn
try tr-sum -O markdown
try tr-sum --unit sec
try tr-sum --stat coutn
try tr-sum --stat median
try tr-sum --by nmae
try tr-sum --by oper
try tr-sum --columns nmae
try tr-sum --columns summ
try tr-sum --sort cuont
echo "== fields"
try tr-filter 'nmae == "a"'
try tr-filter 'conv'
TR_FORMAT=jsno tr-sum t.json 2>&1 | cut -c 1-80
