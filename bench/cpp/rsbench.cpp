// One pass over lookups, nuclides and poles gives the gradient: that of a sum
// of Re(W(z) c) with respect to the place of a pole, by W'(z), and to its
// residues, in which it is linear.

#include <rsbench.h>

#include <algorithm>
#include <cmath>

#include "results.h"

namespace {
// std::complex looks for infinities in every product.
struct Complex {
  double re, im;
};
inline Complex operator+(Complex x, Complex y) {
  return {x.re + y.re, x.im + y.im};
}
inline Complex operator-(Complex x, Complex y) {
  return {x.re - y.re, x.im - y.im};
}
inline Complex operator*(Complex x, Complex y) {
  return {x.re * y.re - x.im * y.im, x.re * y.im + x.im * y.re};
}
inline Complex operator*(double x, Complex y) { return {x * y.re, x * y.im}; }
inline Complex inverse(Complex x) {
  const double factor = 1 / (x.re * x.re + x.im * x.im);
  return {x.re * factor, -x.im * factor};
}

struct Term {
  double height, square, sign;
};

// exp(-(n pi / 12)^2), (n pi)^2 and (-1)^n for n = 1 .. 10.
struct Terms {
  Term all[10];
  Terms() {
    for (int n = 1; n <= 10; ++n) {
      const double x = n * M_PI;
      all[n - 1] = {std::exp(-x * x / 144), x * x, n % 2 ? -1.0 : 1.0};
    }
  }
};
const Terms terms;
constexpr double Scale = 24;
constexpr Complex I{0, 1}, One{1, 0};

// The Faddeeva function and its derivative.
template <bool WithDerivative>
inline Complex faddeeva(Complex z, Complex *derivative) {
  if (z.re * z.re + z.im * z.im < 36) {
    const double size = std::exp(-12 * z.im);
    const Complex e{size * std::cos(12 * z.re), size * std::sin(12 * z.re)};
    const Complex square = 144 * (z * z);
    Complex sum{0, 0}, change{0, 0};
    for (const Term &term : terms.all) {
      const Complex by = inverse(Complex{term.square, 0} - square);
      const Complex value = term.height * ((term.sign * e - One) * by);
      sum = sum + value;
      if (WithDerivative)
        change = change + (12 * term.height * term.sign) * (I * e * by) +
                 288 * (value * by * z);
    }
    const Complex by = inverse(12 * z), first = I * (One - e) * by;
    if (WithDerivative)
      *derivative =
          e * (12 * by) - 12 * (first * by) + Scale * (I * (sum + z * change));
    return first + Scale * (I * z * sum);
  }
  const double a = 0.5124242247547685, b = 0.27525512860841095,
               c = 0.05176535879298782, d = 2.724744871391589;
  const Complex square = z * z;
  const Complex left = inverse(square - Complex{b, 0});
  const Complex right = inverse(square - Complex{d, 0});
  const Complex sum = a * left + c * right;
  if (WithDerivative)
    *derivative =
        I * (sum - 2 * (square * (a * (left * left) + c * (right * right))));
  return I * z * sum;
}

// exp(-2 i phi) for each angular momentum.
inline void factors(const double *radii, double root, Complex *to) {
  for (int l = 0; l < 4; ++l) {
    const double x = radii[l] * root, xx = x * x;
    double phi = x;
    if (l == 1)
      phi -= std::atan(x);
    else if (l == 2)
      phi -= std::atan(3 * x / (3 - xx));
    else if (l == 3)
      phi -= std::atan(x * (15 - xx) / (15 - 6 * xx));
    to[l] = {std::cos(-2 * phi), std::sin(-2 * phi)};
  }
}

struct Arguments {
  const ad_f64_3d *poles;
  const ad_i64_2d *moments;
  const ad_f64_3d *fits;
  const ad_i64_2d *starts;
  const ad_f64_2d *radii;
  const ad_i64_2d *nuclides;
  const ad_f64_2d *concs;
  const ad_i64_1d *counts;
  const ad_f64_1d *energies;
  const ad_i64_1d *materials;
  const ad_f64_1d *weights;
};

// Visits the nuclides of each lookup; returns the objective.
template <bool WithGradient>
double lookups(const Arguments &x, double *poles_bar, double *fits_bar,
               double *concs_bar) {
  const int64_t most = x.nuclides->sizes[1], windows = x.fits->sizes[1];
  const int64_t poles = x.poles->sizes[1];
  const double *w = x.weights->aligned;
  const double of_t = w[0] + w[3], of_a = w[1] - w[3], of_f = w[2];
  double total = 0;
  for (int64_t n = 0; n < x.energies->sizes[0]; ++n) {
    const double e = x.energies->aligned[n];
    const int64_t m = x.materials->aligned[n];
    const int64_t window = std::min(int64_t(e * windows), windows - 1);
    for (int64_t j = 0; j < x.counts->aligned[m]; ++j) {
      const int64_t i = x.nuclides->aligned[m * most + j];
      const double conc = x.concs->aligned[m * most + j];
      const int64_t fit = (i * windows + window) * 3;
      const double *own = x.fits->aligned + fit;
      double micro = e * (of_t * own[0] + of_a * own[1] + of_f * own[2]);
      if (WithGradient) {
        fits_bar[fit] += conc * e * of_t;
        fits_bar[fit + 1] += conc * e * of_a;
        fits_bar[fit + 2] += conc * e * of_f;
      }
      Complex factor[4];
      factors(x.radii->aligned + 4 * i, std::sqrt(e), factor);
      const int64_t *start =
          x.starts->aligned + i * x.starts->sizes[1] + window;
      for (int64_t p = start[0]; p < start[1]; ++p) {
        const double *pole = x.poles->aligned + (i * poles + p) * 8;
        const Complex turn = of_t * factor[x.moments->aligned[i * poles + p]];
        const Complex sum = turn * Complex{pole[2], pole[3]} +
                            of_a * Complex{pole[4], pole[5]} +
                            of_f * Complex{pole[6], pole[7]};
        const Complex z{(e - pole[0]) / 2, -pole[1] / 2};
        Complex slope;
        const Complex value = faddeeva<WithGradient>(z, &slope);
        micro += (value * sum).re;
        if (WithGradient) {
          double *bar = poles_bar + (i * poles + p) * 8;
          const Complex place = slope * sum, turned = value * turn;
          bar[0] -= conc / 2 * place.re;
          bar[1] += conc / 2 * place.im;
          bar[2] += conc * turned.re;
          bar[3] -= conc * turned.im;
          bar[4] += conc * of_a * value.re;
          bar[5] -= conc * of_a * value.im;
          bar[6] += conc * of_f * value.re;
          bar[7] -= conc * of_f * value.im;
        }
      }
      total += conc * micro;
      if (WithGradient)
        concs_bar[m * most + j] += micro;
    }
  }
  return total;
}
} // namespace

double objective(const ad_f64_3d *poles, const ad_i64_2d *moments,
                 const ad_f64_3d *fits, const ad_i64_2d *starts,
                 const ad_f64_2d *radii, const ad_i64_2d *nuclides,
                 const ad_f64_2d *concs, const ad_i64_1d *counts,
                 const ad_f64_1d *energies, const ad_i64_1d *materials,
                 const ad_f64_1d *weights) {
  const Arguments all{poles, moments, fits,     starts,    radii,  nuclides,
                      concs, counts,  energies, materials, weights};
  return lookups<false>(all, nullptr, nullptr, nullptr);
}

void gradient(const ad_f64_3d *poles, const ad_i64_2d *moments,
              const ad_f64_3d *fits, const ad_i64_2d *starts,
              const ad_f64_2d *radii, const ad_i64_2d *nuclides,
              const ad_f64_2d *concs, const ad_i64_1d *counts,
              const ad_f64_1d *energies, const ad_i64_1d *materials,
              const ad_f64_1d *weights, ad_f64_3d *result0, ad_f64_3d *result1,
              ad_f64_2d *result2) {
  const Arguments all{poles, moments, fits,     starts,    radii,  nuclides,
                      concs, counts,  energies, materials, weights};
  const auto zeros = [](auto *result, auto... sizes) {
    double *to = allocate(result, sizes...);
    std::fill_n(to, (sizes * ...), 0.0);
    return to;
  };
  double *poles_bar = zeros(result0, poles->sizes[0], poles->sizes[1], 8);
  double *fits_bar = zeros(result1, fits->sizes[0], fits->sizes[1], 3);
  double *concs_bar = zeros(result2, concs->sizes[0], concs->sizes[1]);
  lookups<true>(all, poles_bar, fits_bar, concs_bar);
}
