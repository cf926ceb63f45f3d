# Truth: by hand.  The lines of unitrace's script for the operating system: data are optional, and may have commas.
cat >raw.txt <<'END'
5000,handle_mm_fault,1000000000000,3000
5001,do_futex,1000000012345,3001,cpu1,2
END
tr-view -O tsv --unit ns --columns pid,tid,ts,dur,cat,activity,name,args raw.txt
tr-parse raw.txt | tr-view -q -O chrome -
