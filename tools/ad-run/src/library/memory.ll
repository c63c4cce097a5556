; Memory from the C library, or the end of the program: compiled code does not look whether it got any.

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
  br i1 %failed, label %stop, label %done
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
declare void @perror(ptr)
declare void @abort()
