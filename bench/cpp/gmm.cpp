// Log posterior of a Gaussian mixture with a Wishart prior, and its gradient by
// hand.
//
// With c = x_i - means_k, y = Q_k c, and r_ik the softmax over k of
// terms[k, i] = alphas[k] + log det Q_k - |y|^2 / 2, the gradient needs the
// weighted moments
//
//   S_k = sum_i r_ik c c^T,   t_k = sum_i r_ik c,   R_k = sum_i r_ik
//
//   alphas_bar[k] = R_k - n softmax(alphas)[k]
//   means_bar[k]  = Q_k^T Q_k t_k
//   Q_bar         = -Q_k S_k + gamma^2 Q_k, strictly below the diagonal
//   log-diagonal  = Q_k[j, j] Q_bar[j, j] + R_k - m
//
// so that y is neither stored nor computed again. A vector holds the same
// coordinate of several points; c has a last coordinate 1, and t_k and R_k are
// the last row of S_k.

#include "gmm.h"

#include "arrays.h"
#include "vectors.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace {

constexpr int64_t panel = 2 * f64_lanes; // points side by side
constexpr int64_t tile_rows = 6;         // rows of Q at a time
constexpr int64_t edge = 3;              // rows and columns of S at a time

struct Problem {
  int64_t n, d, K;
  int64_t panels; // of points
  int64_t stride; // of the table of terms
  const double *alphas, *means, *icf;
  double gamma;
  int64_t m;
  Buffer<double> x; // panels x d x panel, zero after the last point

  int64_t factor_size() const { return d * (d + 1) / 2; }

  Problem(const ad_f64_1d *alphas, const ad_f64_2d *means, const ad_f64_2d *icf,
          const ad_f64_2d *points, double gamma, int64_t m)
      : n(points->sizes[0]), d(points->sizes[1]), K(alphas->sizes[0]),
        panels((n + panel - 1) / panel), alphas(alphas->aligned),
        means(means->aligned), icf(icf->aligned), gamma(gamma), m(m) {
    // An odd number of cache lines per row of the table, so that a column does
    // not fill one set.
    stride = (round_up(panels * panel, 8) / 8 | 1) * 8;
    x = new_buffer<double>(panels * d * panel);
    for (int64_t p = 0; p < panels; ++p)
      for (int64_t j = 0; j < d; ++j)
        for (int64_t lane = 0; lane < panel; ++lane) {
          const int64_t i = p * panel + lane;
          x[(p * d + j) * panel + lane] =
              i < n ? points->aligned[i * d + j] : 0;
        }
  }
};

/// The lower triangular factor of component k, row-major with rows of `width`
/// numbers.
void unpack(const Problem &problem, int64_t k, int64_t width, double *q) {
  const int64_t d = problem.d;
  const double *icf = problem.icf + k * problem.factor_size();
  const double *below = icf + d;
  std::fill_n(q, d * width, 0.0);
  for (int64_t j = 0; j < d; ++j) {
    q[j * width + j] = std::exp(icf[j]);
    for (int64_t i = j + 1; i < d; ++i)
      q[i * width + j] = *below++;
  }
}

/// Adds |rows of Q c|^2 for the rows of one tile, given as `columns` groups of
/// `tile_rows`.
inline void add_squares(const double *tile, int64_t columns, const double *c,
                        f64_vector (&norm)[2]) {
  f64_vector y[tile_rows][2] = {};
  for (int64_t j = 0; j < columns; ++j) {
    const f64_vector c0 = load(c + j * panel),
                     c1 = load(c + j * panel + f64_lanes);
    for (int r = 0; r < tile_rows; ++r) {
      y[r][0] += tile[j * tile_rows + r] * c0;
      y[r][1] += tile[j * tile_rows + r] * c1;
    }
  }
  for (auto &row : y) {
    norm[0] += row[0] * row[0];
    norm[1] += row[1] * row[1];
  }
}

/// terms[k, i] for all points.
void log_terms(const Problem &problem, double *terms) {
  const int64_t d = problem.d;
  const int64_t tiles = (d + tile_rows - 1) / tile_rows;
  auto q = new_buffer<double>(d * d);
  auto tiled = new_buffer<double>(tiles * tile_rows * d);
  auto c = new_buffer<double>(d * panel);
  for (int64_t k = 0; k < problem.K; ++k) {
    unpack(problem, k, d, q.get());
    for (int64_t t = 0; t < tiles; ++t)
      for (int64_t j = 0; j < d; ++j)
        for (int64_t r = 0; r < tile_rows; ++r) {
          const int64_t i = t * tile_rows + r;
          tiled[(t * d + j) * tile_rows + r] = i < d ? q[i * d + j] : 0;
        }
    double peak = problem.alphas[k];
    for (int64_t j = 0; j < d; ++j)
      peak += problem.icf[k * problem.factor_size() + j];

    const double *mean = problem.means + k * d;
    for (int64_t p = 0; p < problem.panels; ++p) {
      const double *x = &problem.x[p * d * panel];
      for (int64_t j = 0; j < d; ++j)
        for (int64_t lane = 0; lane < panel; ++lane)
          c[j * panel + lane] = x[j * panel + lane] - mean[j];
      f64_vector norm[2] = {};
      for (int64_t t = 0; t < tiles; ++t)
        add_squares(&tiled[t * d * tile_rows], std::min((t + 1) * tile_rows, d),
                    c.get(), norm);
      double *row = terms + k * problem.stride + p * panel;
      store(row, peak - 0.5 * norm[0]);
      store(row + f64_lanes, peak - 0.5 * norm[1]);
    }
  }
}

/// sum_i logsumexp_k terms[k, i]; if `weights`, terms become their softmax over
/// k, 0 after the last point.
template <bool weights>
double reduce_terms(const Problem &problem, double *terms) {
  double total = 0;
  for (int64_t p = 0; p < problem.panels; ++p) {
    double *column = terms + p * panel;
    f64_vector top[2], sum[2] = {};
    for (int h = 0; h < 2; ++h) {
      double *at = column + h * f64_lanes;
      top[h] = load(at);
      for (int64_t k = 1; k < problem.K; ++k)
        top[h] = maximum(top[h], load(at + k * problem.stride));
      for (int64_t k = 0; k < problem.K; ++k) {
        const f64_vector e = exp(load(at + k * problem.stride) - top[h]);
        sum[h] += e;
        if (weights)
          store(at + k * problem.stride, e);
      }
    }
    const int64_t used = std::min(panel, problem.n - p * panel);
    for (int64_t lane = 0; lane < used; ++lane)
      total += top[lane / f64_lanes][lane % f64_lanes] +
               std::log(sum[lane / f64_lanes][lane % f64_lanes]);
    if (weights)
      for (int64_t k = 0; k < problem.K; ++k) {
        for (int h = 0; h < 2; ++h) {
          double *at = column + k * problem.stride + h * f64_lanes;
          store(at, load(at) / sum[h]);
        }
        for (int64_t lane = used; lane < panel; ++lane)
          column[k * problem.stride + lane] = 0;
      }
  }
  return total;
}

/// sum_k ( gamma^2 |Q_k|^2 / 2 - m log det Q_k ) - K C
double log_wishart(const Problem &problem) {
  const int64_t d = problem.d, size = problem.factor_size();
  double squares = 0, logs = 0;
  for (int64_t k = 0; k < problem.K; ++k) {
    const double *icf = problem.icf + k * size;
    for (int64_t j = 0; j < d; ++j) {
      logs += icf[j];
      squares += std::exp(2 * icf[j]);
    }
    f64_vector sum{};
    int64_t j = d;
    for (; j + f64_lanes <= size; j += f64_lanes)
      sum += load(icf + j) * load(icf + j);
    for (; j < size; ++j)
      squares += icf[j] * icf[j];
    squares += sum_lanes(sum);
  }
  const double w = double(d + problem.m + 1);
  double log_gamma_multi =
      0.25 * double(d * (d - 1)) * std::log(std::numbers::pi);
  for (int64_t j = 0; j < d; ++j)
    log_gamma_multi += std::lgamma(0.5 * (w - double(j)));
  const double C =
      w * double(d) * (std::log(problem.gamma) - 0.5 * std::numbers::ln2) -
      log_gamma_multi;
  return 0.5 * problem.gamma * problem.gamma * squares -
         double(problem.m) * logs - double(problem.K) * C;
}

/// log sum exp of the K numbers v; if `softmax` is given, it gets theirs.
double log_sum_exp(const double *v, int64_t K, double *softmax = nullptr) {
  const double top = *std::max_element(v, v + K);
  double sum = 0;
  for (int64_t k = 0; k < K; ++k) {
    const double e = std::exp(v[k] - top);
    sum += e;
    if (softmax)
      softmax[k] = e;
  }
  for (int64_t k = 0; softmax && k < K; ++k)
    softmax[k] /= sum;
  return top + std::log(sum);
}

/// The moments of one component, as the lower triangle of a (d + 1) x (d + 1)
/// matrix.
class Moments {
  static constexpr int64_t block = 16; // panels

  const Problem &problem;
  int64_t tiles, rows;
  Buffer<double>
      c; // block x rows x panel, an odd number of rows; zero after row d
  Buffer<f64_vector>
      sums; // triangle of tiles x edge x edge, lanes still to be added

public:
  explicit Moments(const Problem &problem)
      : problem(problem), tiles((problem.d + edge) / edge),
        rows(tiles * edge | 1), c(new_buffer<double>(block * rows * panel)),
        sums(new_buffer<f64_vector>(tiles * (tiles + 1) / 2 * edge * edge)) {
    std::fill_n(c.get(), block * rows * panel, 0.0);
  }

  /// S of component k, both triangles, into rows of `width` numbers.
  void compute(int64_t k, const double *weights, int64_t width, double *S) {
    std::fill_n(sums.get(), tiles * (tiles + 1) / 2 * edge * edge,
                f64_vector{});
    for (int64_t p = 0; p < problem.panels; p += block) {
      const int64_t count = std::min(block, problem.panels - p);
      for (int64_t b = 0; b < count; ++b)
        scale(k, p + b, weights, &c[b * rows * panel]);
      f64_vector *sum = sums.get();
      for (int64_t s = 0; s < tiles; ++s)
        for (int64_t t = 0; t <= s; ++t, sum += edge * edge)
          add_products(&c[s * edge * panel], &c[t * edge * panel], count, sum);
    }
    const f64_vector *sum = sums.get();
    for (int64_t s = 0; s < tiles; ++s)
      for (int64_t t = 0; t <= s; ++t)
        for (int64_t i = s * edge; i < (s + 1) * edge; ++i)
          for (int64_t j = t * edge; j < (t + 1) * edge; ++j, ++sum)
            if (j <= i && i <= problem.d)
              S[i * width + j] = S[j * width + i] = sum_lanes(*sum);
  }

private:
  /// sqrt(weight) (c, 1) of the points of a panel.
  void scale(int64_t k, int64_t p, const double *weights, double *to) const {
    const int64_t d = problem.d;
    const double *x = &problem.x[p * d * panel], *mean = problem.means + k * d;
    const f64_vector w0 = __builtin_elementwise_sqrt(load(weights + p * panel));
    const f64_vector w1 =
        __builtin_elementwise_sqrt(load(weights + p * panel + f64_lanes));
    for (int64_t j = 0; j < d; ++j) {
      store(to + j * panel, w0 * (load(x + j * panel) - mean[j]));
      store(to + j * panel + f64_lanes,
            w1 * (load(x + j * panel + f64_lanes) - mean[j]));
    }
    store(to + d * panel, w0);
    store(to + d * panel + f64_lanes, w1);
  }

  void add_products(const double *a, const double *b, int64_t count,
                    f64_vector *sum) const {
    f64_vector product[edge][edge] = {};
    for (int64_t p = 0; p < count; ++p, a += rows * panel, b += rows * panel)
      for (int64_t at = 0; at < panel; at += f64_lanes)
        for (int i = 0; i < edge; ++i)
          for (int j = 0; j < edge; ++j)
            product[i][j] +=
                load(a + i * panel + at) * load(b + j * panel + at);
    for (int i = 0; i < edge; ++i)
      for (int j = 0; j < edge; ++j)
        sum[i * edge + j] += product[i][j];
  }
};

/// row[j] = (row i of Q) S[:, j] for j = 0 .. i, and some more.
void multiply_row(const double *q, const double *S, int64_t i, int64_t width,
                  double *row) {
  constexpr int64_t chunk = 4 * f64_lanes;
  for (int64_t j = 0; j <= i; j += chunk) {
    f64_vector sum[4] = {};
    for (int64_t l = 0; l <= i; ++l)
      for (int64_t v = 0; v < 4; ++v)
        sum[v] += q[l] * load(S + l * width + j + v * f64_lanes);
    for (int64_t v = 0; v < 4; ++v)
      store(row + j + v * f64_lanes, sum[v]);
  }
}

} // namespace

double objective(const ad_f64_1d *alphas, const ad_f64_2d *means,
                 const ad_f64_2d *icf, const ad_f64_2d *x, double gamma,
                 int64_t m) {
  const Problem problem(alphas, means, icf, x, gamma, m);
  auto terms = new_buffer<double>(problem.K * problem.stride);
  log_terms(problem, terms.get());
  const double per_point =
      log_sum_exp(problem.alphas, problem.K) +
      0.5 * double(problem.d) * std::log(2 * std::numbers::pi);
  return reduce_terms<false>(problem, terms.get()) -
         double(problem.n) * per_point + log_wishart(problem);
}

void gradient(const ad_f64_1d *alphas, const ad_f64_2d *means,
              const ad_f64_2d *icf, const ad_f64_2d *x, double gamma, int64_t m,
              ad_f64_1d *result0, ad_f64_2d *result1, ad_f64_2d *result2) {
  const Problem problem(alphas, means, icf, x, gamma, m);
  const int64_t d = problem.d, K = problem.K;
  double *alphas_bar = new_result(result0, {K});
  double *means_bar = new_result(result1, {K, d});
  double *icf_bar = new_result(result2, {K, problem.factor_size()});

  auto weights = new_buffer<double>(K * problem.stride);
  log_terms(problem, weights.get());
  reduce_terms<true>(problem, weights.get());
  log_sum_exp(problem.alphas, K, alphas_bar);

  const int64_t width = round_up(d + 1, 4 * f64_lanes);
  auto q = new_buffer<double>(d * width),
       S = new_buffer<double>((d + 1) * width);
  auto row = new_buffer<double>(width);
  std::fill_n(S.get(), (d + 1) * width, 0.0);
  Moments moments(problem);
  for (int64_t k = 0; k < K; ++k) {
    unpack(problem, k, width, q.get());
    moments.compute(k, &weights[k * problem.stride], width, S.get());
    const double *t = &S[d * width], R = t[d];
    alphas_bar[k] = R - double(problem.n) * alphas_bar[k];

    double *mean_bar = means_bar + k * d,
           *factor_bar = icf_bar + k * problem.factor_size();
    std::fill_n(mean_bar, d, 0.0);
    for (int64_t i = 0; i < d; ++i) {
      const double *q_i = &q[i * width];
      f64_vector sums{};
      for (int64_t j = 0; j <= i; j += f64_lanes)
        sums += load(q_i + j) * load(t + j);
      const double y = sum_lanes(sums);
      for (int64_t j = 0; j <= i; ++j)
        mean_bar[j] += y * q_i[j];

      multiply_row(q_i, S.get(), i, width, row.get());
      double *below = factor_bar + d + i -
                      1; // entry (i, 0); the next column is d - 2 - j later
      for (int64_t j = 0; j < i; below += d - 2 - j, ++j)
        *below = gamma * gamma * q_i[j] - row[j];
      factor_bar[i] =
          q_i[i] * (gamma * gamma * q_i[i] - row[i]) + R - double(m);
    }
  }
}
