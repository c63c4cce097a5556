// Macroscopic cross sections of neutrons, looked up: the kernel of XSBench (FUT 7.3).
//
//   Nuclide i has G energies in rising order, and at each of them 5 cross sections. Material m has
//   counts[m] nuclides: nuclides[m, j] with concentration concs[m, j]. A lookup is an energy and a
//   material. Between the energies around it, whose lower one is found by bisection (the first or
//   last interval where there is none), cross sections are interpolated:
//
//   f     = (grid[i, g + 1] - e) / (grid[i, g + 1] - grid[i, g])
//   micro = xs[i, g + 1] - f (xs[i, g + 1] - xs[i, g])                    for each of the 5
//
//   objective = sum over lookups and nuclides of their material of concs[m, j] (weights . micro)
//
// Public entries:
//   objective  as above
//   gradient   d objective / d(xs, concs), asked for with ad.vjp

func.func @objective(%grid: tensor<?x?xf64>, %xs: tensor<?x?x5xf64>, %nuclides: tensor<?x?xi64>,
                     %concs: tensor<?x?xf64>, %counts: tensor<?xi64>, %energies: tensor<?xf64>,
                     %materials: tensor<?xi64>, %weights: tensor<5xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %lookups = soac.map ins(%energies, %materials : tensor<?xf64>, tensor<?xi64>)
      (%energy: f64, %material: i64) -> tensor<?xf64> {
    %m = arith.index_cast %material : i64 to index
    %number = tensor.extract %counts[%m] : tensor<?xi64>
    %count = arith.index_cast %number : i64 to index
    %total = scf.for %j = %c0 to %count step %c1 iter_args(%sum = %zero) -> (f64) {
      %nuclide = tensor.extract %nuclides[%m, %j] : tensor<?x?xi64>
      %i = arith.index_cast %nuclide : i64 to index
      %conc = tensor.extract %concs[%m, %j] : tensor<?x?xf64>
      %g = func.call @interval(%grid, %i, %energy) : (tensor<?x?xf64>, index, f64) -> index
      %next = arith.addi %g, %c1 : index
      %low = tensor.extract %grid[%i, %g] : tensor<?x?xf64>
      %high = tensor.extract %grid[%i, %next] : tensor<?x?xf64>
      %above = arith.subf %high, %energy : f64
      %width = arith.subf %high, %low : f64
      %f = arith.divf %above, %width : f64
      %c5 = arith.constant 5 : index
      %micro = scf.for %k = %c0 to %c5 step %c1 iter_args(%channels = %zero) -> (f64) {
        %before = tensor.extract %xs[%i, %g, %k] : tensor<?x?x5xf64>
        %after = tensor.extract %xs[%i, %next, %k] : tensor<?x?x5xf64>
        %weight = tensor.extract %weights[%k] : tensor<5xf64>
        %change = arith.subf %after, %before : f64
        %back = arith.mulf %f, %change : f64
        %channel = arith.subf %after, %back : f64
        %weighted = arith.mulf %weight, %channel : f64
        %channels_1 = arith.addf %channels, %weighted : f64
        scf.yield %channels_1 : f64
      }
      %share = arith.mulf %conc, %micro : f64
      %sum_1 = arith.addf %sum, %share : f64
      scf.yield %sum_1 : f64
    }
    soac.yield %total : f64
  }
  %total = soac.reduce ins(%lookups : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
    %c = arith.addf %a, %b : f64
    soac.yield %c : f64
  }
  return %total : f64
}

func.func @gradient(%grid: tensor<?x?xf64>, %xs: tensor<?x?x5xf64>, %nuclides: tensor<?x?xi64>,
                    %concs: tensor<?x?xf64>, %counts: tensor<?xi64>, %energies: tensor<?xf64>,
                    %materials: tensor<?xi64>, %weights: tensor<5xf64>)
    -> (tensor<?x?x5xf64>, tensor<?x?xf64>) {
  %one = arith.constant 1.0 : f64
  %y, %xs_bar, %concs_bar = ad.vjp
      @objective(%grid, %xs, %nuclides, %concs, %counts, %energies, %materials, %weights)
      seed(%one) {wrt = array<i64: 1, 3>}
      : (tensor<?x?xf64>, tensor<?x?x5xf64>, tensor<?x?xi64>, tensor<?x?xf64>, tensor<?xi64>,
         tensor<?xf64>, tensor<?xi64>, tensor<5xf64>), (f64)
      -> (f64, tensor<?x?x5xf64>, tensor<?x?xf64>)
  return %xs_bar, %concs_bar : tensor<?x?x5xf64>, tensor<?x?xf64>
}

// The number of the lower one of the energies of nuclide i around an energy.
func.func private @interval(%grid: tensor<?x?xf64>, %i: index, %energy: f64) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %points = tensor.dim %grid, %c1 : tensor<?x?xf64>
  %last = arith.subi %points, %c1 : index
  %low, %high = scf.while (%from = %c0, %to = %last) : (index, index) -> (index, index) {
    %length = arith.subi %to, %from : index
    %is_wide = arith.cmpi ugt, %length, %c1 : index
    scf.condition(%is_wide) %from, %to : index, index
  } do {
  ^bb0(%from: index, %to: index):
    %sum = arith.addi %from, %to : index
    %middle = arith.shrui %sum, %c1 : index
    %at = tensor.extract %grid[%i, %middle] : tensor<?x?xf64>
    %is_above = arith.cmpf ogt, %at, %energy : f64
    %from_1 = arith.select %is_above, %from, %middle : index
    %to_1 = arith.select %is_above, %middle, %to : index
    scf.yield %from_1, %to_1 : index, index
  }
  return %low : index
}
