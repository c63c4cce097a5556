; Memory from the C library, or the end of the program: compiled code does not look whether it got any.
; Blocks of 4 MiB and more are asked for in pages of 2 MiB: each new page of 4 KiB is a page fault, and they together
; take longer than filling the block. The system may ignore it.

define linkonce_odr hidden ptr @ad_malloc(i64 %size) {
  %block = call ptr @malloc(i64 %size)
  %checked = call ptr @ad_checked(ptr %block, i64 %size)
  ret ptr %checked
}

define linkonce_odr hidden ptr @ad_calloc(i64 %count, i64 %size) {
  %block = call ptr @calloc(i64 %count, i64 %size)
  %bytes = mul i64 %count, %size
  %checked = call ptr @ad_checked(ptr %block, i64 %bytes)
  ret ptr %checked
}

define linkonce_odr hidden ptr @ad_checked(ptr %block, i64 %size) {
  %none = icmp eq ptr %block, null
  %some = icmp ne i64 %size, 0
  %failed = and i1 %none, %some
  br i1 %failed, label %stop, label %found
found:
  %large = icmp uge i64 %size, 4194304
  br i1 %large, label %advise, label %done
advise:
  %address = ptrtoint ptr %block to i64
  %address_up = add i64 %address, 4095
  %start = and i64 %address_up, -4096
  %end = add i64 %address, %size
  %bytes_up = sub i64 %end, %start
  %bytes = and i64 %bytes_up, -4096
  %first = inttoptr i64 %start to ptr
  %ignored = call i32 @madvise(ptr %first, i64 %bytes, i32 14) ; MADV_HUGEPAGE
  br label %done
done:
  ret ptr %block
stop:
  call void @perror(ptr @ad_memory)
  call void @abort()
  unreachable
}

@ad_memory = private constant [7 x i8] c"ad-opt\00"

declare ptr @malloc(i64)
declare ptr @calloc(i64, i64)
declare i32 @madvise(ptr, i64, i32)
declare void @perror(ptr)
declare void @abort()
