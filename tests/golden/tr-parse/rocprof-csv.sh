# Truth: by hand.  CSV of rocprof: columns by their names in any order; a grid counts work items; counters become args; a
# row without times is an instant; calls and their work have one correlation.  Sums and single counters are no events.
cat >results.csv <<'END'
Index,KernelName,gpu-id,queue-id,pid,tid,grd,wgr,lds,SQ_WAVES,DispatchNs,BeginNs,EndNs
0,"sum<256>(float const*, ""x"") [clone .kd]",1,2,42,43,1000,256,64,16,900,1000,3500
1,plain,1,2,42,43,256,256,0,1.5,4000,5000,6000
2,cut,1,2
3,backwards,1,2,42,43,256,256,0,1,4000,6000,5000
END
cat >counted.csv <<'END'
Index,KernelName,gpu-id,queue-id,queue-index,pid,tid,grd,wgr,SQ_WAVES
0,"gemm",0,0,0,42,42,512,256,8
END
printf 'Dispatch_ID,GPU_ID,Queue_ID,PID,TID,Grid_Size,Workgroup_Size,Kernel_Name,Start_Timestamp,End_Timestamp,Correlation_ID\r\n\r\n1,3,1,42,43,512,64,"gemm",100,200,7\r\n' >v2.csv
cat >v3.csv <<'END'
"Kind","Agent_Id","Queue_Id","Stream_Id","Thread_Id","Dispatch_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp","Workgroup_Size_X","Workgroup_Size_Y","Workgroup_Size_Z","Grid_Size_X","Grid_Size_Y","Grid_Size_Z"
"KERNEL_DISPATCH","Agent 4",1,9,77,1,"gemm",7,100,200,64,2,1,128,4,1
END
cat >copies.csv <<'END'
"Kind","Direction","Source_Agent_Id","Destination_Agent_Id","Correlation_Id","Start_Timestamp","End_Timestamp"
"MEMORY_COPY","MEMORY_COPY_HOST_TO_DEVICE","Agent 0","Agent 4",1,100,150
"MEMORY_COPY","MEMORY_COPY_DEVICE_TO_HOST","Agent 4","Agent 0",2,160,170
END
cat >calls.csv <<'END'
"Kind","Function","Process_Id","Thread_Id","Correlation_Id","Start_Timestamp","End_Timestamp"
"HIP_RUNTIME_API","hipLaunchKernel",42,43,7,10,20
"HSA_CORE_API","hsa_signal_create",42,43,8,30,40
"MARKER_CORE_API","forward",42,43,9,5,50
END
for file in results counted v2 v3 copies calls; do
    echo "# $file"
    tr-parse -q $file.csv | tr-view -q -O tsv --unit ns --columns name,ts,dur,activity,device,stream,pid,tid,grid,block,correlation,args.SQ_WAVES
done
tr-parse results.csv >r.trs
printf '"Name","Calls","TotalDurationNs","AverageNs","Percentage"\n"gemm",4,152380,38095,51.9\n' >sums.csv
tr-parse sums.csv
printf 'Kernel_Name,Queue_Id,Counter_Name,Counter_Value,Start_Timestamp,End_Timestamp\ngemm,1,SQ_WAVES,8,100,200\n' >single.csv
tr-parse single.csv
