// What a library has: the entries, and nothing else that other programs could see or that the C library does not have.
// RUN: rm -rf %t && mkdir %t
// RUN: ad-opt compile %s --entry=area --entry=slope -o %t/libnames.so
// RUN: llvm-nm -D --defined-only --format=just-symbols %t/libnames.so | FileCheck %s --check-prefix=DEFINED
// RUN: llvm-nm -D --undefined-only --no-weak %t/libnames.so | FileCheck %s --check-prefix=NEEDED --allow-empty
// RUN: llvm-readobj --needed-libs %t/libnames.so | FileCheck %s --check-prefix=LIBRARIES
// RUN: FileCheck %s --check-prefix=HEADER --input-file=%t/libnames.h

// All public functions without --entry; another header.
// RUN: ad-opt compile %s -o %t/all.o --header=%t/other.h
// RUN: llvm-nm --defined-only --extern-only --format=just-symbols %t/all.o | FileCheck %s --check-prefix=ALL
// RUN: grep "outer(const ad_f64_1d \*arg0, ad_f64_1d \*result)" %t/other.h
// RUN: ls -A %t | FileCheck %s --check-prefix=FILES

// Machine code is for the processor that is asked for.
// RUN: ad-opt compile %s --entry=@area --cpu=generic -o %t/generic.o
// RUN: llvm-objdump -d %t/generic.o | FileCheck %s --check-prefix=GENERIC

// DEFINED: {{^}}area
// DEFINED-NEXT: {{^}}slope
// DEFINED-NOT: {{.}}
// NEEDED-NOT: U {{(_mlir|ad_|memrefCopy)}}
// LIBRARIES-NOT: {{lib(LLVM|MLIR|stdc)}}
// LIBRARIES: libc.so
// ALL: {{^}}area
// ALL-NEXT: {{^}}outer
// ALL-NEXT: {{^}}slope
// ALL-NOT: {{.}}
// FILES: {{^}}all.o
// FILES-NEXT: {{^}}libnames.h
// FILES-NEXT: {{^}}libnames.so
// FILES-NEXT: {{^}}other.h
// FILES-NOT: {{.}}
// GENERIC-NOT: {{[yz]mm}}

// HEADER:     #ifndef AD_OPT_LIBNAMES_H
// HEADER-NOT: outer
// HEADER:     /* @area(radius: f64, arg1: f64, arg2: f64) -> (f64) */
// HEADER-NEXT: double area(double radius, double arg1, double arg2);
func.func @area(%radius: f64, %0: f64, %double: f64) -> f64 {
  %1 = func.call @exp(%radius) : (f64) -> f64
  %2 = math.exp %0 : f64
  %3 = arith.mulf %1, %2 : f64
  return %3 : f64
}

// A name of the C library is free for what C cannot see.
func.func private @exp(%x: f64) -> f64 {
  %0 = arith.mulf %x, %x : f64
  return %0 : f64
}

// Differentiated on the way.
// HEADER: void slope(double x, double y, ad_f64_1d *result);
func.func @slope(%x: f64, %y: f64) -> tensor<3xf64> {
  %one = arith.constant 1.0 : f64
  %v, %d:3 = ad.vjp @area(%x, %y, %x) seed(%one) : (f64, f64, f64), (f64) -> (f64, f64, f64, f64)
  %0 = tensor.from_elements %d#0, %d#1, %d#2 : tensor<3xf64>
  return %0 : tensor<3xf64>
}

// The argument would be a type in the header.
func.func @outer(%size_t: tensor<?xf64>) -> tensor<?xf64> {
  return %size_t : tensor<?xf64>
}
