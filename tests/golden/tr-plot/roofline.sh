# Truth: by hand.  Peak 100, slope 10: a roof from (0.1, 1) to (10, 100), and flat from there; a is on it, b below.
tr-plot --kind roofline -x flop_per_byte -y tflops --series spec <<'END'
name	spec	flop_per_byte	tflops	roofline_pct	bound	pct
a	fp16	100	100	100	compute	60
b	fp16	1	5	50	memory	40
END
