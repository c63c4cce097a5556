// Without a C compiler there are object files, but no shared libraries. CC names the compiler.
// RUN: rm -rf %t && mkdir %t
// RUN: not env CC=no-such-compiler ad-opt compile %s -o %t/f.so 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: not env CC=false ad-opt compile %s -o %t/f.so 2>&1 | FileCheck %s --check-prefix=FAILS
// RUN: ls -A %t | count 0
// RUN: env CC=no-such-compiler ad-opt compile %s -o %t/f.o
// RUN: env CC="cc -O0" ad-opt compile %s -o %t/f.so
// RUN: test -e %t/f.so

// MISSING: error: cannot link {{.*}}f.so: the C compiler 'no-such-compiler' does not run; install one, name another in the variable CC, or write an object file (.o): No such file
// FAILS: error: cannot link {{.*}}f.so: 'false' ends with exit status: 1
func.func @f(%x: f64) -> f64 {
  return %x : f64
}
