#!/bin/sh
# SPDX-License-Identifier: MIT
# The events of databases of Nsight Systems with what nsys.awk and nsys_ranges.py need.  usage: nsys_list.sh FILE...
tr-view -q -O tsv --unit ns --columns activity,phase,ts,dur,end,name,pid,tid,device,context,stream,correlation,grid,block,\
bytes,api,launch_ts,launch_dur,launch_record,record,queue_wait,args.short_name,args.domain_id,args.domain,args.value "$@"
