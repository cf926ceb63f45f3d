# Truth: by hand.  b and c are inside a; d, on another thread, overlaps a, and is below all of these.
printf 'name\tstart_us\tdur_us\tdepth\na\t0\t100\t0\nb\t10\t30\t1\nc\t50\t40\t1\nd\t20\t100\t0\n' |
    tr-plot --kind flame -x start_us -y dur_us,depth --series name
