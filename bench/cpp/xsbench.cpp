// The objective is linear in the cross sections and in the concentrations, so
// that one pass over the lookups gives the gradient.

#include <xsbench.h>

#include <algorithm>

#include "results.h"

namespace {
constexpr int64_t Channels = 5;

// Calls visit(place of the concentration, place of the lower cross sections, f)
// for each nuclide of each lookup.
template <class Visit>
void lookups(const ad_f64_2d *grid, const ad_i64_2d *nuclides,
             const ad_i64_1d *counts, const ad_f64_1d *energies,
             const ad_i64_1d *materials, Visit visit) {
  const int64_t points = grid->sizes[1], most = nuclides->sizes[1];
  for (int64_t n = 0; n < energies->sizes[0]; ++n) {
    const double e = energies->aligned[n];
    const int64_t m = materials->aligned[n];
    for (int64_t j = 0; j < counts->aligned[m]; ++j) {
      const int64_t i = nuclides->aligned[m * most + j];
      const double *own = grid->aligned + i * points;
      int64_t from = 0, to = points - 1;
      while (to - from > 1) {
        const int64_t middle = (from + to) / 2;
        const bool is_above = own[middle] > e;
        from = is_above ? from : middle;
        to = is_above ? middle : to;
      }
      const double f = (own[from + 1] - e) / (own[from + 1] - own[from]);
      visit(m * most + j, (i * points + from) * Channels, f);
    }
  }
}
} // namespace

double objective(const ad_f64_2d *grid, const ad_f64_3d *xs,
                 const ad_i64_2d *nuclides, const ad_f64_2d *concs,
                 const ad_i64_1d *counts, const ad_f64_1d *energies,
                 const ad_i64_1d *materials, const ad_f64_1d *weights) {
  const double *w = weights->aligned;
  double sum = 0;
  lookups(grid, nuclides, counts, energies, materials,
          [&](int64_t at, int64_t place, double f) {
            const double *low = xs->aligned + place, *high = low + Channels;
            double micro = 0;
            for (int64_t k = 0; k < Channels; ++k)
              micro += w[k] * (high[k] - f * (high[k] - low[k]));
            sum += concs->aligned[at] * micro;
          });
  return sum;
}

void gradient(const ad_f64_2d *grid, const ad_f64_3d *xs,
              const ad_i64_2d *nuclides, const ad_f64_2d *concs,
              const ad_i64_1d *counts, const ad_f64_1d *energies,
              const ad_i64_1d *materials, const ad_f64_1d *weights,
              ad_f64_3d *result0, ad_f64_2d *result1) {
  const double *w = weights->aligned;
  double *xs_bar = allocate(result0, xs->sizes[0], xs->sizes[1], Channels);
  double *concs_bar = allocate(result1, concs->sizes[0], concs->sizes[1]);
  std::fill_n(xs_bar, xs->sizes[0] * xs->sizes[1] * Channels, 0.0);
  std::fill_n(concs_bar, concs->sizes[0] * concs->sizes[1], 0.0);
  lookups(grid, nuclides, counts, energies, materials,
          [&](int64_t at, int64_t place, double f) {
            const double *low = xs->aligned + place, *high = low + Channels;
            double *low_bar = xs_bar + place, *high_bar = low_bar + Channels;
            const double conc = concs->aligned[at];
            double micro = 0;
            for (int64_t k = 0; k < Channels; ++k) {
              micro += w[k] * (high[k] - f * (high[k] - low[k]));
              low_bar[k] += conc * w[k] * f;
              high_bar[k] += conc * w[k] * (1 - f);
            }
            concs_bar[at] += micro;
          });
}
