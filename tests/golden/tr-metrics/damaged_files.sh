# Truth: by hand.  Of each sort of damage, other rows stay: a row with too few cells and one with too many, a value that
# is no number, half of a name in quotes, a row that is cut at the end of the file, a byte order mark, a line that is too
# long, a table of too many columns.
head='Kernel,GlobalInstanceId,READ[bytes],STALL[%%]\n'
view() { echo "== $1"; tr-metrics --by series --metrics "${2:-READ,STALL}" -O tsv --columns name,metric,value,instance,sample "$1" 2>&1; echo "status $?"; }
printf "$head"'"k",1,5\n"k",1,5,6,7\n"k",1,5,6\n' >cells.csv
view cells.csv
printf "$head"'"k",1,0x5,nan\n"k",1,-7,1e3\n"k",1,,5\n' >numbers.csv
view numbers.csv
printf "$head"'"k",1,5,6\n"k",1,50,60' >cut.csv
view cut.csv
printf '\357\273\277'"$head"'"k",1,5,6\r\n' >mark.csv
view mark.csv
{ printf "$head"'"k",1,5,6\n"k",1,'; head -c 1200000 /dev/zero | tr '\0' 5; printf ',7\n"k",1,8,9\n'; } >long.csv
view long.csv
{ printf "$head"; head -c 2500000 /dev/zero | tr "\0" 5; printf "\n\"k\",1,8,9\n"; } >longer.csv
view longer.csv
{ printf 'Kernel,GlobalInstanceId'; awk 'BEGIN { for (i = 0; i < 5000; i++) printf ",m%d[x]", i }'; printf '\n"k",1\n'"$head"'"k",1,5,6\n'; } >wide.csv
view wide.csv
printf 'Kernel,READ[bytes],READ[bytes]\n"k",1,5\n' >twice.csv
view twice.csv READ
printf "$head"'"k,1,5,6\nk",1,5,6\n",1,5,6\n,1,5,6\n"",2,5,6\n' >quotes.csv
view quotes.csv
printf "$head" >none.csv
view none.csv
tr-metrics --strict --by list cut.csv; echo "status $?"
tr-parse -q cut.csv -o cut.trs && tr-info -O json cut.trs | grep -c '"partial": true\|truncated'
