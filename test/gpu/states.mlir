// What threads keep for the way back lies side by side for neighbouring threads (F45): each loop's step of a subgroup writes and
// reads no more sectors of memory than it asks for.
// RUN: %python %S/../bench/Inputs/random_npy.py %t.x.npy '<f8' '(256,)' 0.5 1
// RUN: ad-opt run %s --entry=gradient --input=%t.x.npy --input=100 > %t.cpu
// RUN: ad-opt run %s --entry=gradient --input=%t.x.npy --input=100 --target=gpu-emulate --emulate-report=%t.json > %t.gpu
// RUN: %python %S/../bench/Inputs/compare.py %t.cpu %t.gpu 1e-12
// RUN: %python -c "import json, sys; d = json.load(open(sys.argv[1])).values(); b, m = (sum(v[k] for v in d) for k in ('bytes', 'moved_bytes')); assert b >= 256 * 100 * 16 and m <= b, (b, m)" %t.json

// Each element by a recurrence of its own, whose states the derivative needs.
func.func private @states(%x: tensor<?xf64>, %n: index) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y = soac.map ins(%x : tensor<?xf64>) (%e: f64) -> tensor<?xf64> {
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %e) -> f64 {
      %s = math.sin %a : f64
      %b = arith.mulf %s, %e : f64
      scf.yield %b : f64
    }
    soac.yield %r : f64
  }
  return %y : tensor<?xf64>
}
func.func @gradient(%x: tensor<?xf64>, %n: index) -> tensor<?xf64> {
  %r:2 = ad.vjp @states(%x, %n) seed(%x) {wrt = array<i64: 0>} : (tensor<?xf64>, index), (tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %r#1 : tensor<?xf64>
}
