; Rounding to bfloat16, which processors without an instruction for it call. C libraries have it only of late.

define weak_odr hidden bfloat @__truncsfbf2(float %value) {
  %bits = bitcast float %value to i32
  %nan = fcmp uno float %value, %value
  ; Half of what is cut off is added, less one where the number that is kept is even.
  %kept = lshr i32 %bits, 16
  %odd = and i32 %kept, 1
  %half = add i32 %odd, 32767
  %rounded = add i32 %bits, %half
  %quiet = or i32 %bits, 4194304
  %chosen = select i1 %nan, i32 %quiet, i32 %rounded
  %high = lshr i32 %chosen, 16
  %short = trunc i32 %high to i16
  %result = bitcast i16 %short to bfloat
  ret bfloat %result
}

; By way of the two floats around the value, of which the odd one is taken, so that nothing is rounded twice.
define weak_odr hidden bfloat @__truncdfbf2(double %value) {
  %near = fptrunc double %value to float
  %again = fpext float %near to double
  %bits = bitcast float %near to i32
  %inexact = fcmp one double %again, %value
  %last = and i32 %bits, 1
  %even = icmp eq i32 %last, 0
  %move = and i1 %inexact, %even
  %near_size = call double @llvm.fabs.f64(double %again)
  %size = call double @llvm.fabs.f64(double %value)
  %beyond = fcmp ogt double %near_size, %size
  %step = select i1 %beyond, i32 -1, i32 1
  %neighbour = add i32 %bits, %step
  %odd = select i1 %move, i32 %neighbour, i32 %bits
  %single = bitcast i32 %odd to float
  %result = call bfloat @__truncsfbf2(float %single)
  ret bfloat %result
}

declare double @llvm.fabs.f64(double)
