// Further runs give their times, and the peak of memory, as one line of JSON; nothing else is on stderr.
// RUN: ad-opt run %s --entry=fill --input=1000 --repeat=3 2>%t.json | FileCheck %s
// RUN: %python -c "import json, sys; r = json.load(open(sys.argv[1])); assert set(r) == {'compile_s', 'runs_s', 'peak_bytes'} and len(r['runs_s']) == 3 and r['compile_s'] > 0 and 8000 <= r['peak_bytes'] <= 9000, r" %t.json
// RUN: ad-opt run %s --entry=fill --input=2 --repeat=0 2>&1 >/dev/null | FileCheck %s --check-prefix=NONE
// RUN: ad-opt run %s --entry=fill --input=2 2>&1 >/dev/null | count 0

// CHECK: [1.0, 1.0,
// NONE: "runs_s":[]
func.func @fill(%n: index) -> tensor<?xf64> {
  %one = arith.constant 1.0 : f64
  %0 = tensor.splat %one[%n] : tensor<?xf64>
  return %0 : tensor<?xf64>
}
