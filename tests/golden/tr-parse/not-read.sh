# Truth: by hand.  A file of another profiler is named for what it is, by its content or its name.
say() # what was read is no trace, and the message says why
{
    tr-parse "$1" -o x.trs 2>&1
    echo "status $?"
}
for table in StringTable; do
    printf 'SQLite format 3\000\020\000 CREATE TABLE %s (id INTEGER)' $table >$table.db
    say $table.db
done
echo some bytes >job.nsys-rep && say job.nsys-rep
echo some bytes >job.ncu-rep && say job.ncu-rep
printf '\200\005K\001.' >one.pkl && say one.pkl
echo '{"nodes": 3}' >other.json && say other.json
printf 'PERFILE2\150\000\000' >perf.data && say perf.data
printf '\027\010\104tracing6' >trace.dat && say trace.dat
printf '\177ELF\002\001' >a.out && say a.out
printf '<!DOCTYPE html>\n<html>\n' >page.html && say page.html
