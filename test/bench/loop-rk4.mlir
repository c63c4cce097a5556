// bench/programs/loop_rk4.mlir: the gradient is that of complex steps in Python, with and without
// strip-mining (F20, FP6); 20000 steps need 1 % of the memory then.
// RUN: %python %S/../driver/Inputs/npy.py %t.y.npy '<f8' '(3,)' 1.0 0.5 -0.3
// RUN: %python %S/../driver/Inputs/npy.py %t.p.npy '<f8' '(3,)' 1.2 0.7 0.4
// RUN: ad-opt check %bench/programs/loop_rk4.mlir --entry=objective --input=%t.y.npy --input=%t.p.npy --input=0.01 --input=20
// RUN: ad-opt check %bench/programs/loop_rk4.mlir --entry=stripmined --input=%t.y.npy --input=%t.p.npy --input=0.01 --input=20
// RUN: ad-opt run %bench/programs/loop_rk4.mlir --entry=objective --input=%t.y.npy --input=%t.p.npy --input=0.002 --input=500 | FileCheck %s --check-prefix=VALUE
// RUN: ad-opt run %bench/programs/loop_rk4.mlir --entry=gradient --input=%t.y.npy --input=%t.p.npy --input=0.002 --input=500 | FileCheck %s
// RUN: ad-opt run %bench/programs/loop_rk4.mlir --entry=gradient_stripmined --input=%t.y.npy --input=%t.p.npy --input=0.002 --input=500 | FileCheck %s
// RUN: ad-opt run %bench/programs/loop_rk4.mlir --entry=gradient --input=%t.y.npy --input=%t.p.npy --input=0.0001 --input=20000 --repeat=1 2>%t.all.json
// RUN: ad-opt run %bench/programs/loop_rk4.mlir --entry=gradient_stripmined --input=%t.y.npy --input=%t.p.npy --input=0.0001 --input=20000 --repeat=1 2>%t.some.json
// RUN: %python -c "import json, sys; a, s = (json.load(open(f))['peak_bytes'] for f in sys.argv[1:]); assert a >= 3 * 8 * 20000 and s * 50 < a, (a, s)" %t.all.json %t.some.json
// VALUE: 0.81616853
// CHECK: [0.89611650{{[0-9]*}}, 1.08585538{{[0-9]*}}, -0.5747082{{[0-9]*}}]
// CHECK: [-0.2621935{{[0-9]*}}, 0.98272770{{[0-9]*}}, -0.0418313{{[0-9]*}}]
