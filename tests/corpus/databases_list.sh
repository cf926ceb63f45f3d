#!/bin/sh
# SPDX-License-Identifier: MIT
# The events of traces with what databases.py needs.  usage: databases_list.sh FILE...
tr-view -q -O tsv --unit ns --columns "activity,kind,phase,ts,dur,name,cat,process,thread,pid,tid,device,stream,grid,block,bytes,api,\
launch_ts,launch_dur,launch_record,record,args.operation,args.grid_size,args.value,args.level,args.torch_op,\
args.connection_id,args.Task Type" "$@"
