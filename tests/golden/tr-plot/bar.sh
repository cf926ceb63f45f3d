# Truth: by hand.  Bars are as long as their values, of one scale; the whiskers of b reach from 1 to 4; the share stands
# beside the value; a name with markup is escaped.
tr-plot --low min_us --high max_us --title 'Bars & whiskers' <<'END'
name	mean_us	min_us	max_us
<a>	4.000	4.000	4.000
b	2.000	1.000	4.000
c			
END
