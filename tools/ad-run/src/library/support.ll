; What a program may need and the C library does not have. Linked in where it is used.

; Copies elements of %size bytes between two arrays of the same sizes and any strides, which MLIR passes with their
; rank: two pointers, an offset, sizes and strides.
define linkonce_odr hidden void @memrefCopy(i64 %size, ptr %source, ptr %target) {
  %rank = load i64, ptr %source
  %source_at = getelementptr i64, ptr %source, i64 1
  %target_at = getelementptr i64, ptr %target, i64 1
  %from = load ptr, ptr %source_at
  %to = load ptr, ptr %target_at
  %from_start = call ptr @ad_start(i64 %size, ptr %from)
  %to_start = call ptr @ad_start(i64 %size, ptr %to)
  %sizes = getelementptr i64, ptr %from, i64 3
  %from_strides = getelementptr i64, ptr %sizes, i64 %rank
  %to_sizes = getelementptr i64, ptr %to, i64 3
  %to_strides = getelementptr i64, ptr %to_sizes, i64 %rank
  call void @ad_copy(i64 %size, i64 %rank, ptr %sizes, ptr %from_strides, ptr %to_strides, ptr %from_start, ptr %to_start)
  ret void
}

; The address of the first element.
define linkonce_odr hidden ptr @ad_start(i64 %size, ptr %array) {
  %aligned_at = getelementptr i64, ptr %array, i64 1
  %offset_at = getelementptr i64, ptr %array, i64 2
  %aligned = load ptr, ptr %aligned_at
  %offset = load i64, ptr %offset_at
  %bytes = mul i64 %offset, %size
  %start = getelementptr i8, ptr %aligned, i64 %bytes
  ret ptr %start
}

; Copies the last %rank dimensions: one element, a dense row, or row by row.
define linkonce_odr hidden void @ad_copy(i64 %size, i64 %rank, ptr %sizes, ptr %from_strides, ptr %to_strides, ptr %from, ptr %to) {
entry:
  switch i64 %rank, label %rows [ i64 0, label %element
                                  i64 1, label %row ]
element:
  call void @llvm.memmove.p0.p0.i64(ptr %to, ptr %from, i64 %size, i1 false)
  ret void
row:
  %from_unit = load i64, ptr %from_strides
  %to_unit = load i64, ptr %to_strides
  %from_dense = icmp eq i64 %from_unit, 1
  %to_dense = icmp eq i64 %to_unit, 1
  %dense = and i1 %from_dense, %to_dense
  br i1 %dense, label %whole, label %rows
whole:
  %length = load i64, ptr %sizes
  %bytes = mul i64 %length, %size
  call void @llvm.memmove.p0.p0.i64(ptr %to, ptr %from, i64 %bytes, i1 false)
  ret void
rows:
  %count = load i64, ptr %sizes
  %from_stride = load i64, ptr %from_strides
  %to_stride = load i64, ptr %to_strides
  %from_step = mul i64 %from_stride, %size
  %to_step = mul i64 %to_stride, %size
  %inner = sub i64 %rank, 1
  %inner_sizes = getelementptr i64, ptr %sizes, i64 1
  %inner_from = getelementptr i64, ptr %from_strides, i64 1
  %inner_to = getelementptr i64, ptr %to_strides, i64 1
  br label %next
next:
  %i = phi i64 [ 0, %rows ], [ %i_next, %body ]
  %more = icmp slt i64 %i, %count
  br i1 %more, label %body, label %end
body:
  %from_bytes = mul i64 %i, %from_step
  %to_bytes = mul i64 %i, %to_step
  %from_row = getelementptr i8, ptr %from, i64 %from_bytes
  %to_row = getelementptr i8, ptr %to, i64 %to_bytes
  call void @ad_copy(i64 %size, i64 %inner, ptr %inner_sizes, ptr %inner_from, ptr %inner_to, ptr %from_row, ptr %to_row)
  %i_next = add i64 %i, 1
  br label %next
end:
  ret void
}

; Copies an array of elements of %size bytes to new memory, if its memory is that of another one. An array is two pointers,
; an offset, %rank sizes and %rank strides.
define linkonce_odr hidden void @ad_part(ptr %other, ptr %array, i64 %rank, i64 %size) {
  %kept = load ptr, ptr %other
  %block = load ptr, ptr %array
  %shared = icmp eq ptr %kept, %block
  br i1 %shared, label %copy, label %end
copy:
  call void @ad_own(ptr %array, i64 %rank, i64 %size)
  br label %end
end:
  ret void
}

; Makes an array row-major that has its memory for itself.
define linkonce_odr hidden void @ad_pack(ptr %array, i64 %rank, i64 %size) {
entry:
  %sizes = getelementptr i64, ptr %array, i64 3
  %strides = getelementptr i64, ptr %sizes, i64 %rank
  br label %next
next:
  %left = phi i64 [ %rank, %entry ], [ %d, %fits ]
  %count = phi i64 [ 1, %entry ], [ %count_next, %fits ]
  %more = icmp ugt i64 %left, 0
  br i1 %more, label %dimension, label %end
dimension:
  %d = sub i64 %left, 1
  %stride_at = getelementptr i64, ptr %strides, i64 %d
  %stride = load i64, ptr %stride_at
  %same = icmp eq i64 %stride, %count
  br i1 %same, label %fits, label %copy
fits:
  %length_at = getelementptr i64, ptr %sizes, i64 %d
  %length = load i64, ptr %length_at
  %count_next = mul i64 %count, %length
  br label %next
copy:
  %old = load ptr, ptr %array
  call void @ad_own(ptr %array, i64 %rank, i64 %size)
  call void @free(ptr %old)
  br label %end
end:
  ret void
}

; Copies an array to new memory, where it is row-major.
define linkonce_odr hidden void @ad_own(ptr %array, i64 %rank, i64 %size) {
entry:
  %sizes = getelementptr i64, ptr %array, i64 3
  %strides = getelementptr i64, ptr %sizes, i64 %rank
  %dense = alloca i64, i64 %rank
  br label %next
next:
  %left = phi i64 [ %rank, %entry ], [ %d, %dimension ]
  %count = phi i64 [ 1, %entry ], [ %count_next, %dimension ]
  %more = icmp ugt i64 %left, 0
  br i1 %more, label %dimension, label %copy
dimension:
  %d = sub i64 %left, 1
  %dense_at = getelementptr i64, ptr %dense, i64 %d
  store i64 %count, ptr %dense_at
  %length_at = getelementptr i64, ptr %sizes, i64 %d
  %length = load i64, ptr %length_at
  %count_next = mul i64 %count, %length
  br label %next
copy:
  %bytes = mul i64 %count, %size
  %new = call ptr @malloc(i64 %bytes)
  %start = call ptr @ad_start(i64 %size, ptr %array)
  call void @ad_copy(i64 %size, i64 %rank, ptr %sizes, ptr %strides, ptr %dense, ptr %start, ptr %new)
  %stride_bytes = mul i64 %rank, 8
  call void @llvm.memcpy.p0.p0.i64(ptr %strides, ptr %dense, i64 %stride_bytes, i1 false)
  %aligned_at = getelementptr i64, ptr %array, i64 1
  %offset_at = getelementptr i64, ptr %array, i64 2
  store ptr %new, ptr %array
  store ptr %new, ptr %aligned_at
  store i64 0, ptr %offset_at
  ret void
}

declare void @free(ptr)
declare ptr @malloc(i64)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
