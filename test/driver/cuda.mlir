// Programs for an NVIDIA GPU, over a driver whose device is the host: the kernel is a C function there, of the same name
// and parameters.
// RUN: rm -rf %t && mkdir %t
// RUN: cc -shared -fPIC -O1 %root/tools/ad-cuda/tests/fake/cuda.c -o %t/driver.so
// RUN: %python %S/Inputs/npy.py %t/xs.npy '<f8' '(3,)' 1 2 -3
// RUN: %python %S/Inputs/npy.py %t/none.npy '<f8' '(0,)'
// RUN: env AD_CUDA_DRIVER=%t/driver.so ad-opt run %s --entry=square --input=%t/xs.npy --target=cuda --repeat=1 2>%t/report | FileCheck %s
// RUN: FileCheck %s --check-prefix=REPORT --input-file=%t/report
// RUN: env AD_CUDA_DRIVER=%t/driver.so ad-opt run %s --entry=square --input=%t/none.npy --target=cuda | FileCheck %s --check-prefix=EMPTY
// An error of the driver is an error of the program.
// RUN: not env AD_CUDA_DRIVER=%t/driver.so ad-opt run %s --entry=other --input=%t/xs.npy --target=cuda 2>&1 | FileCheck %s --check-prefix=FAILS
// RUN: not env AD_CUDA_DRIVER=%t/driver.so FAKE_MEMORY=300 ad-opt run %s --entry=square --input=%t/xs.npy --target=cuda 2>&1 | FileCheck %s --check-prefix=MEMORY
//
// A library needs nothing but the C library and the driver, and says what went wrong.
// RUN: ad-opt compile %s --entry=square --target=cuda --prefix=my_ -o %t/square.so
// RUN: FileCheck %s --check-prefix=HEADER --input-file=%t/square.h
// RUN: readelf -d %t/square.so | FileCheck %s --check-prefix=NEEDS
// RUN: cc -Wall -Wextra -Werror -std=c99 -I%t %S/Inputs/cuda.c %t/square.so -o %t/square
// RUN: env LD_LIBRARY_PATH=%t AD_CUDA_DRIVER=%t/driver.so %t/square | FileCheck %s --check-prefix=CALL
// RUN: env LD_LIBRARY_PATH=%t AD_CUDA_DRIVER=%t/missing.so %t/square | FileCheck %s --check-prefix=MISSING
// RUN: not ad-opt compile %s --entry=take_error --target=cuda -o %t/no.so 2>&1 | FileCheck %s --check-prefix=TAKEN
//
// With arrays of the device it copies nothing, and works on a stream of the user's.
// RUN: mkdir %t/arrays
// RUN: ad-opt compile %s --entry=square --target=cuda --arrays=device --prefix=my_ -o %t/arrays/square.so
// RUN: FileCheck %s --check-prefix=ARRAYS --input-file=%t/arrays/square.h
// RUN: cc -Wall -Wextra -Werror -std=c99 -I%t/arrays %S/Inputs/cuda-arrays.c %t/arrays/square.so %t/driver.so -o %t/arrays/square
// RUN: env LD_LIBRARY_PATH=%t/arrays AD_CUDA_DRIVER=%t/driver.so %t/arrays/square | FileCheck %s --check-prefix=CALL-ARRAYS
// A prefix is the user's, whatever word it is.
// RUN: ad-opt compile %s --entry=square --target=cuda --arrays=device --prefix=ARITHMETIC_ -o %t/arrays/word.so
// RUN: FileCheck %s --check-prefix=WORD --input-file=%t/arrays/word.h
// RUN: not ad-opt compile %s --entry=square --arrays=device -o %t/no.so 2>&1 | FileCheck %s --check-prefix=ARRAYS-CPU

// CHECK: [1.0, 4.0, 9.0]
// REPORT: "device":{"launches":1,{{.*}}"to_device_bytes":24,"to_host_bytes":24}
// EMPTY: []
// FAILS: error: kernels failed:
// FAILS-NEXT: kernel "other_kernel": {{.*}}CUDA_ERROR_LAUNCH_FAILED
// MEMORY: error: kernels failed:
// MEMORY-NEXT: a buffer of 24 bytes on the device: {{.*}}CUDA_ERROR_OUT_OF_MEMORY
// HEADER: void my_square(const ad_f64_1d *{{.*}}, ad_f64_1d *
// HEADER: size_t my_take_error(char *text, size_t room);
// WORD: which is yours: ARITHMETIC_free_on_device(result.allocated)
// WORD: is that of --fast-math=contract,reductions,flush-subnormals. */
// NEEDS-NOT: NEEDED{{.*}}lib{{[^c]}}
// NEEDS: NEEDED{{.*}}libc.so
// CALL: 1 4 9
// CALL-NEXT: error 0
// MISSING: error {{[1-9][0-9]*}}: {{.*}}missing.so
// ARRAYS: Their elements are in the memory of the first NVIDIA GPU
// ARRAYS: my_free_on_device(result.allocated) when you are done
// ARRAYS: void my_square(const ad_f64_1d *{{.*}}, ad_f64_1d *
// ARRAYS: size_t my_take_error(char *text, size_t room);
// ARRAYS: void my_set_stream(void *stream);
// ARRAYS: void my_free_on_device(void *allocated);
// CALL-ARRAYS: 1 16 81
// CALL-ARRAYS-NEXT: error 0{{$}}
// CALL-ARRAYS-NEXT: error {{[1-9][0-9]*}}: freed 0x{{.*}}, which is no buffer on the device
// ARRAYS-CPU: error: --arrays=device is for --target=cuda only
// TAKEN: error: {{.*}}the library has a function take_error of its own; choose another --prefix
func.func @square(%xs: tensor<?xf64>) -> tensor<?xf64> {
  %ys = soac.map ins(%xs : tensor<?xf64>) (%x: f64) -> tensor<?xf64> {
    %y = arith.mulf %x, %x : f64
    soac.yield %y : f64
  }
  return %ys : tensor<?xf64>
}

func.func @other(%xs: tensor<?xf64>) -> tensor<?xf64> {
  %ys = soac.map ins(%xs : tensor<?xf64>) (%x: f64) -> tensor<?xf64> {
    %y = arith.addf %x, %x : f64
    soac.yield %y : f64
  }
  return %ys : tensor<?xf64>
}

func.func @take_error(%x: f64) -> f64 {
  return %x : f64
}
