// Macroscopic cross sections of neutrons from poles: the multipole kernel of RSBench (FUT 7.3).
//
//   Nuclide i has W windows of equal width between the energies 0 and 1: window w has the poles
//   starts[i, w] .. starts[i, w + 1] - 1, and curve fits. A pole is a place and three residues, all
//   complex: poles[i, p] = (re place, im place, re rt, im rt, re ra, im ra, re rf, im rf). Its angular
//   momentum is moments[i, p], one of 0 .. 3, and radii[i, l] belongs to each. Materials are as in
//   xsbench. For a lookup of an energy e and every nuclide of the material:
//
//   phi_l = radii[l] sqrt(e) and less of it for l > 0, factor_l = exp(-2 i phi_l)
//   (t, a, f) = e fits[w] + sum over the poles of Re (W(z) (rt factor_l, ra, rf)),
//               z = (e - place) / 2, W the Faddeeva function, by one formula near 0, another elsewhere
//   micro = (t, a, f, t - a)
//
//   objective = sum over lookups and nuclides of their material of concs[m, j] (weights . micro)
//
// Public entries:
//   objective  as above
//   gradient   d objective / d(poles, fits, concs), asked for with ad.vjp

func.func @objective(%poles: tensor<?x?x8xf64>, %moments: tensor<?x?xi64>,
                     %fits: tensor<?x?x3xf64>, %starts: tensor<?x?xi64>, %radii: tensor<?x4xf64>,
                     %nuclides: tensor<?x?xi64>, %concs: tensor<?x?xf64>, %counts: tensor<?xi64>,
                     %energies: tensor<?xf64>, %materials: tensor<?xi64>, %weights: tensor<4xf64>)
    -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f64
  %weight_t = tensor.extract %weights[%c0] : tensor<4xf64>
  %weight_a = tensor.extract %weights[%c1] : tensor<4xf64>
  %weight_f = tensor.extract %weights[%c2] : tensor<4xf64>
  %weight_e = tensor.extract %weights[%c3] : tensor<4xf64>
  %lookups = soac.map ins(%energies, %materials : tensor<?xf64>, tensor<?xi64>)
      (%energy: f64, %material: i64) -> tensor<?xf64> {
    %m = arith.index_cast %material : i64 to index
    %number = tensor.extract %counts[%m] : tensor<?xi64>
    %count = arith.index_cast %number : i64 to index
    %total = scf.for %j = %c0 to %count step %c1 iter_args(%sum = %zero) -> (f64) {
      %nuclide = tensor.extract %nuclides[%m, %j] : tensor<?x?xi64>
      %i = arith.index_cast %nuclide : i64 to index
      %conc = tensor.extract %concs[%m, %j] : tensor<?x?xf64>
      %t, %a, %f = func.call @nuclide(%poles, %moments, %fits, %starts, %radii, %i, %energy)
          : (tensor<?x?x8xf64>, tensor<?x?xi64>, tensor<?x?x3xf64>, tensor<?x?xi64>,
             tensor<?x4xf64>, index, f64) -> (f64, f64, f64)
      %e = arith.subf %t, %a : f64
      %wt = arith.mulf %weight_t, %t : f64
      %wa = arith.mulf %weight_a, %a : f64
      %wf = arith.mulf %weight_f, %f : f64
      %we = arith.mulf %weight_e, %e : f64
      %ta = arith.addf %wt, %wa : f64
      %fe = arith.addf %wf, %we : f64
      %micro = arith.addf %ta, %fe : f64
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

func.func @gradient(%poles: tensor<?x?x8xf64>, %moments: tensor<?x?xi64>,
                    %fits: tensor<?x?x3xf64>, %starts: tensor<?x?xi64>, %radii: tensor<?x4xf64>,
                    %nuclides: tensor<?x?xi64>, %concs: tensor<?x?xf64>, %counts: tensor<?xi64>,
                    %energies: tensor<?xf64>, %materials: tensor<?xi64>, %weights: tensor<4xf64>)
    -> (tensor<?x?x8xf64>, tensor<?x?x3xf64>, tensor<?x?xf64>) {
  %one = arith.constant 1.0 : f64
  %y, %poles_bar, %fits_bar, %concs_bar = ad.vjp
      @objective(%poles, %moments, %fits, %starts, %radii, %nuclides, %concs, %counts, %energies,
                 %materials, %weights) seed(%one) {wrt = array<i64: 0, 2, 6>}
      : (tensor<?x?x8xf64>, tensor<?x?xi64>, tensor<?x?x3xf64>, tensor<?x?xi64>, tensor<?x4xf64>,
         tensor<?x?xi64>, tensor<?x?xf64>, tensor<?xi64>, tensor<?xf64>, tensor<?xi64>,
         tensor<4xf64>), (f64)
      -> (f64, tensor<?x?x8xf64>, tensor<?x?x3xf64>, tensor<?x?xf64>)
  return %poles_bar, %fits_bar, %concs_bar
      : tensor<?x?x8xf64>, tensor<?x?x3xf64>, tensor<?x?xf64>
}

// The total, absorption and fission cross sections of nuclide i at an energy.
func.func private @nuclide(%poles: tensor<?x?x8xf64>, %moments: tensor<?x?xi64>,
                           %fits: tensor<?x?x3xf64>, %starts: tensor<?x?xi64>,
                           %radii: tensor<?x4xf64>, %i: index, %energy: f64) -> (f64, f64, f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c6 = arith.constant 6 : index
  %c7 = arith.constant 7 : index
  %half = arith.constant 0.5 : f64
  %windows = tensor.dim %fits, %c1 : tensor<?x?x3xf64>
  %windows_i = arith.index_cast %windows : index to i64
  %windows_f = arith.sitofp %windows_i : i64 to f64
  %scaled = arith.mulf %energy, %windows_f : f64
  %floor = arith.fptosi %scaled : f64 to i64
  %number = arith.index_cast %floor : i64 to index
  %most = arith.subi %windows, %c1 : index
  %w = arith.minsi %number, %most : index
  %w_1 = arith.addi %w, %c1 : index
  %from_i = tensor.extract %starts[%i, %w] : tensor<?x?xi64>
  %to_i = tensor.extract %starts[%i, %w_1] : tensor<?x?xi64>
  %from = arith.index_cast %from_i : i64 to index
  %to = arith.index_cast %to_i : i64 to index
  %fit_t = tensor.extract %fits[%i, %w, %c0] : tensor<?x?x3xf64>
  %fit_a = tensor.extract %fits[%i, %w, %c1] : tensor<?x?x3xf64>
  %fit_f = tensor.extract %fits[%i, %w, %c2] : tensor<?x?x3xf64>
  %t = arith.mulf %energy, %fit_t : f64
  %a = arith.mulf %energy, %fit_a : f64
  %f = arith.mulf %energy, %fit_f : f64
  %root = math.sqrt %energy : f64
  %own = tensor.extract_slice %radii[%i, 0] [1, 4] [1, 1] : tensor<?x4xf64> to tensor<4xf64>
  %moment_numbers = soac.iota : tensor<4xindex>
  %factors = soac.map ins(%own, %moment_numbers : tensor<4xf64>, tensor<4xindex>)
      (%radius: f64, %l: index) -> tensor<4xcomplex<f64>> {
    %factor = func.call @factor(%radius, %root, %l) : (f64, f64, index) -> complex<f64>
    soac.yield %factor : complex<f64>
  }
  %t_1, %a_1, %f_1 = scf.for %p = %from to %to step %c1
      iter_args(%sum_t = %t, %sum_a = %a, %sum_f = %f) -> (f64, f64, f64) {
    %place_re = tensor.extract %poles[%i, %p, %c0] : tensor<?x?x8xf64>
    %place_im = tensor.extract %poles[%i, %p, %c1] : tensor<?x?x8xf64>
    %rt_re = tensor.extract %poles[%i, %p, %c2] : tensor<?x?x8xf64>
    %rt_im = tensor.extract %poles[%i, %p, %c3] : tensor<?x?x8xf64>
    %ra_re = tensor.extract %poles[%i, %p, %c4] : tensor<?x?x8xf64>
    %ra_im = tensor.extract %poles[%i, %p, %c5] : tensor<?x?x8xf64>
    %rf_re = tensor.extract %poles[%i, %p, %c6] : tensor<?x?x8xf64>
    %rf_im = tensor.extract %poles[%i, %p, %c7] : tensor<?x?x8xf64>
    %rt = complex.create %rt_re, %rt_im : complex<f64>
    %ra = complex.create %ra_re, %ra_im : complex<f64>
    %rf = complex.create %rf_re, %rf_im : complex<f64>
    %moment = tensor.extract %moments[%i, %p] : tensor<?x?xi64>
    %l = arith.index_cast %moment : i64 to index
    %factor = tensor.extract %factors[%l] : tensor<4xcomplex<f64>>
    %away = arith.subf %energy, %place_re : f64
    %z_re = arith.mulf %away, %half : f64
    %minus = arith.negf %place_im : f64
    %z_im = arith.mulf %minus, %half : f64
    %z = complex.create %z_re, %z_im : complex<f64>
    %value = func.call @faddeeva(%z) : (complex<f64>) -> complex<f64>
    %turned = complex.mul %rt, %factor : complex<f64>
    %part_t = complex.mul %value, %turned : complex<f64>
    %part_a = complex.mul %value, %ra : complex<f64>
    %part_f = complex.mul %value, %rf : complex<f64>
    %more_t = complex.re %part_t : complex<f64>
    %more_a = complex.re %part_a : complex<f64>
    %more_f = complex.re %part_f : complex<f64>
    %next_t = arith.addf %sum_t, %more_t : f64
    %next_a = arith.addf %sum_a, %more_a : f64
    %next_f = arith.addf %sum_f, %more_f : f64
    scf.yield %next_t, %next_a, %next_f : f64, f64, f64
  }
  return %t_1, %a_1, %f_1 : f64, f64, f64
}

// exp(-2 i phi) with x = radius sqrt(e) and phi = x, x - atan x, x - atan(3 x / (3 - x^2)) or
// x - atan(x (15 - x^2) / (15 - 6 x^2)) for l = 0 .. 3.
func.func private @factor(%radius: f64, %root: f64, %l: index) -> complex<f64> {
  %zero = arith.constant 0.0 : f64
  %minus_two = arith.constant -2.0 : f64
  %three = arith.constant 3.0 : f64
  %six = arith.constant 6.0 : f64
  %fifteen = arith.constant 15.0 : f64
  %x = arith.mulf %radius, %root : f64
  %xx = arith.mulf %x, %x : f64
  %less = scf.index_switch %l -> f64
  case 0 {
    scf.yield %zero : f64
  }
  case 1 {
    %angle = math.atan %x : f64
    scf.yield %angle : f64
  }
  case 2 {
    %numerator = arith.mulf %three, %x : f64
    %denominator = arith.subf %three, %xx : f64
    %ratio = arith.divf %numerator, %denominator : f64
    %angle = math.atan %ratio : f64
    scf.yield %angle : f64
  }
  default {
    %rest = arith.subf %fifteen, %xx : f64
    %numerator = arith.mulf %x, %rest : f64
    %six_xx = arith.mulf %six, %xx : f64
    %denominator = arith.subf %fifteen, %six_xx : f64
    %ratio = arith.divf %numerator, %denominator : f64
    %angle = math.atan %ratio : f64
    scf.yield %angle : f64
  }
  %phi = arith.subf %x, %less : f64
  %twice = arith.mulf %minus_two, %phi : f64
  %re = math.cos %twice : f64
  %im = math.sin %twice : f64
  %factor = complex.create %re, %im : complex<f64>
  return %factor : complex<f64>
}

// The Faddeeva function W(z): for |z| < 6 with 10 terms of the sum of Abrarov and Quine,
//   i (1 - E) / (12 z) + 24 i z sum_n exp(-(n pi / 12)^2) ((-1)^n E - 1) / ((n pi)^2 - 144 z^2),
// n = 1 .. 10 and E = exp(12 i z), and elsewhere a rational function.
func.func private @faddeeva(%z: complex<f64>) -> complex<f64> {
  %thirty_six = arith.constant 36.0 : f64
  %re = complex.re %z : complex<f64>
  %im = complex.im %z : complex<f64>
  %re_2 = arith.mulf %re, %re : f64
  %im_2 = arith.mulf %im, %im : f64
  %square = arith.addf %re_2, %im_2 : f64
  %is_near = arith.cmpf olt, %square, %thirty_six : f64
  %value = scf.if %is_near -> complex<f64> {
    %near = func.call @near(%z) : (complex<f64>) -> complex<f64>
    scf.yield %near : complex<f64>
  } else {
    %far = func.call @far(%z) : (complex<f64>) -> complex<f64>
    scf.yield %far : complex<f64>
  }
  return %value : complex<f64>
}

func.func private @near(%z: complex<f64>) -> complex<f64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  %zero = complex.constant [0.0, 0.0] : complex<f64>
  %nought = arith.constant 0.0 : f64
  %one = complex.constant [1.0, 0.0] : complex<f64>
  %i = complex.constant [0.0, 1.0] : complex<f64>
  %twelve = complex.constant [12.0, 0.0] : complex<f64>
  %twelve_i = complex.constant [0.0, 12.0] : complex<f64>
  %scale = complex.constant [0.0, 24.0] : complex<f64>
  // exp(-(n pi / 12)^2), (n pi)^2 and (-1)^n
  %heights = arith.constant dense<[0.933757118080976, 0.760213717643091, 0.5396414858162972, 0.3339971859861319,
      0.18023873770401827, 0.0848049724711138, 0.034790634459528395, 0.012444321744005109,
      0.003881038619955638, 0.001055340362922034]> : tensor<10xf64>
  %squares = arith.constant dense<[9.869604401089358, 39.47841760435743, 88.82643960980423, 157.91367041742973,
      246.74011002723395, 355.3057584392169, 483.61061565337855, 631.6546816697189,
      799.437956488238, 986.9604401089358]> : tensor<10xf64>
  %signs = arith.constant dense<[-1.0, 1.0, -1.0, 1.0, -1.0, 1.0, -1.0, 1.0, -1.0, 1.0]>
      : tensor<10xf64>
  %angle = complex.mul %twelve_i, %z : complex<f64>
  %e = complex.exp %angle : complex<f64>
  %twelve_z = complex.mul %twelve, %z : complex<f64>
  %square = complex.mul %twelve_z, %twelve_z : complex<f64>
  %sum = scf.for %n = %c0 to %c10 step %c1 iter_args(%part = %zero) -> (complex<f64>) {
    %height = tensor.extract %heights[%n] : tensor<10xf64>
    %n_pi_2 = tensor.extract %squares[%n] : tensor<10xf64>
    %sign = tensor.extract %signs[%n] : tensor<10xf64>
    %height_c = complex.create %height, %nought : complex<f64>
    %n_pi_2_c = complex.create %n_pi_2, %nought : complex<f64>
    %sign_c = complex.create %sign, %nought : complex<f64>
    %signed = complex.mul %sign_c, %e : complex<f64>
    %less = complex.sub %signed, %one : complex<f64>
    %numerator = complex.mul %height_c, %less : complex<f64>
    %denominator = complex.sub %n_pi_2_c, %square : complex<f64>
    %term = complex.div %numerator, %denominator : complex<f64>
    %part_1 = complex.add %part, %term : complex<f64>
    scf.yield %part_1 : complex<f64>
  }
  %rest = complex.sub %one, %e : complex<f64>
  %turned = complex.mul %i, %rest : complex<f64>
  %first = complex.div %turned, %twelve_z : complex<f64>
  %scaled = complex.mul %scale, %z : complex<f64>
  %others = complex.mul %scaled, %sum : complex<f64>
  %value = complex.add %first, %others : complex<f64>
  return %value : complex<f64>
}

// i z (a / (z^2 - b) + c / (z^2 - d)), the constants as in RSBench.
func.func private @far(%z: complex<f64>) -> complex<f64> {
  %i = complex.constant [0.0, 1.0] : complex<f64>
  %a = complex.constant [0.5124242247547685, 0.0]
      : complex<f64>
  %b = complex.constant [0.27525512860841095, 0.0]
      : complex<f64>
  %c = complex.constant [0.05176535879298782, 0.0]
      : complex<f64>
  %d = complex.constant [2.724744871391589, 0.0]
      : complex<f64>
  %square = complex.mul %z, %z : complex<f64>
  %less_b = complex.sub %square, %b : complex<f64>
  %less_d = complex.sub %square, %d : complex<f64>
  %left = complex.div %a, %less_b : complex<f64>
  %right = complex.div %c, %less_d : complex<f64>
  %sum = complex.add %left, %right : complex<f64>
  %turned = complex.mul %i, %z : complex<f64>
  %value = complex.mul %turned, %sum : complex<f64>
  return %value : complex<f64>
}
