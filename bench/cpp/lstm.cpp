// Log likelihood of a sequence under a diagonal LSTM, and its gradient by hand.
//
// One forward sweep keeps what every layer computed in every step; the return
// sweep has no elementary functions. With h_bar and c_bar the cotangents of a
// layer's hidden values and cells,
//
//   c_bar += h_bar outgate (1 - tanh(cell)^2)
//   z0 = c_bar cell_before forget (1 - forget)     z1 = c_bar change ingate (1
//   - ingate) z2 = h_bar tanh(cell) outgate (1 - outgate)    z3 = c_bar ingate
//   (1 - change^2) W0 += z0 input,  W1 += z1 hidden_before,  W2 += z2 input, W3
//   += z3 hidden_before,  Bk += zk input_bar = z0 W0 + z2 W2, hidden_before_bar
//   = z1 W1 + z3 W3,   cell_before_bar = c_bar forget y_bar = -(goal -
//   sum(goal) exp(y) / (sum(exp(y)) + 2)) / ((c - 1) b)
//
// Rows are padded to whole vectors. The padding of the offset of y is so low
// that exp(y) is 0.

#include "lstm.h"

#include "arrays.h"
#include "vectors.h"

#include <algorithm>
#include <cmath>

namespace {

// Two registers, so that the second works while the first waits.
typedef double pair_vector __attribute__((vector_size(2 * vector_bytes)));
constexpr int64_t pair_lanes = 2 * f64_lanes;

/// What is kept of a layer in a step, a row each.
enum Kept {
  forget,
  ingate,
  outgate,
  change,
  squashed,
  cell,
  hidden,
  kept_rows
};

/// `rows` rows of b numbers, padded to `width`.
Buffer<double> pad(const double *from, int64_t rows, int64_t b, int64_t width,
                   double fill = 0) {
  auto to = new_buffer<double>(rows * width);
  for (int64_t i = 0; i < rows; ++i) {
    std::copy_n(from + i * b, b, &to[i * width]);
    std::fill(&to[i * width + b], &to[(i + 1) * width], fill);
  }
  return to;
}

void unpad(const double *from, int64_t rows, int64_t b, int64_t width,
           double *to) {
  for (int64_t i = 0; i < rows; ++i)
    std::copy_n(from + i * width, b, to + i * b);
}

struct Model {
  int64_t layers, steps, b, width;
  Buffer<double> weights; // layers x (4 weights, 4 biases) x width
  Buffer<double> extra, state, sequence;

  Model(const ad_f64_2d *main, const ad_f64_2d *extra, const ad_f64_2d *state,
        const ad_f64_2d *seq)
      : layers(main->sizes[0] / 2), steps(seq->sizes[0] - 1), b(seq->sizes[1]),
        width(round_up(b, pair_lanes)),
        weights(pad(main->aligned, 8 * layers, b, width)),
        extra(pad(extra->aligned, 3, b, width)),
        state(pad(state->aligned, 2 * layers, b, width)),
        sequence(pad(seq->aligned, steps + 1, b, width)) {
    std::fill(&this->extra[2 * width + b], &this->extra[3 * width], -1e3);
  }

  int64_t layer_size() const { return kept_rows * width; }
  int64_t step_size() const { return layers * layer_size(); }
  double scale() const { return -1 / (double(steps) * double(b)); }

  /// Kept rows that hold the state before the first step.
  void start(double *kept) const {
    for (int64_t i = 0; i < layers; ++i) {
      double *layer = kept + i * layer_size();
      std::copy_n(&state[2 * i * width], width, layer + hidden * width);
      std::copy_n(&state[(2 * i + 1) * width], width, layer + cell * width);
    }
  }
};

/// One step of a layer; reads the cells and hidden values of `before`, which
/// may be `now`.
inline void advance(int64_t width, const double *W, const double *input,
                    const double *before, double *now) {
  const double *B = W + 4 * width;
  for (int64_t j = 0; j < width; j += pair_lanes) {
    const auto row = [&](const double *m, int64_t i) {
      return load<pair_vector>(m + i * width + j);
    };
    const pair_vector x = load<pair_vector>(input + j), h = row(before, hidden);
    const pair_vector f = sigmoid(x * row(W, 0) + row(B, 0));
    const pair_vector i = sigmoid(h * row(W, 1) + row(B, 1));
    const pair_vector o = sigmoid(x * row(W, 2) + row(B, 2));
    const pair_vector g = tanh(h * row(W, 3) + row(B, 3));
    const pair_vector c = row(before, cell) * f + i * g;
    const pair_vector s = tanh(c);
    const pair_vector rows[kept_rows] = {f, i, o, g, s, c, o * s};
    for (int64_t r = 0; r < kept_rows; ++r)
      store(now + r * width + j, rows[r]);
  }
}

/// sum(goal (y - log(sum(exp(y)) + 2))); `y_bar`, if given, gets its derivative
/// by y times scale.
inline double likelihood(const Model &m, const double *top, const double *goal,
                         double *y_bar) {
  const double *slope = &m.extra[m.width], *offset = slope + m.width;
  pair_vector exps{}, goals{}, products{};
  for (int64_t j = 0; j < m.width; j += pair_lanes) {
    const pair_vector y = load<pair_vector>(top + j) *
                              load<pair_vector>(slope + j) +
                          load<pair_vector>(offset + j),
                      g = load<pair_vector>(goal + j);
    const pair_vector e = exp(y);
    exps += e;
    goals += g;
    products += g * y;
    if (y_bar)
      store(y_bar + j, e);
  }
  const double norm = sum_lanes(exps) + 2, total = sum_lanes(goals);
  if (y_bar) {
    const double share = total / norm, scale = m.scale();
    for (int64_t j = 0; j < m.width; j += pair_lanes)
      store(y_bar + j, scale * (load<pair_vector>(goal + j) -
                                share * load<pair_vector>(y_bar + j)));
  }
  return sum_lanes(products) - total * std::log(norm);
}

/// The objective. `stride` is the distance of the steps in `kept`, 0 if they
/// replace each other.
double forward(const Model &m, double *kept, int64_t stride, double *y_bars) {
  auto input = new_buffer<double>(m.width);
  double total = 0;
  m.start(kept);
  for (int64_t t = 0; t < m.steps; ++t, kept += stride) {
    const double *bits = &m.sequence[t * m.width], *x = input.get();
    for (int64_t j = 0; j < m.width; ++j)
      input[j] = bits[j] * m.extra[j];
    for (int64_t i = 0; i < m.layers; ++i) {
      double *before = kept + i * m.layer_size(), *now = before + stride;
      advance(m.width, &m.weights[8 * i * m.width], x, before, now);
      x = now + hidden * m.width;
    }
    total += likelihood(m, x, bits + m.width,
                        y_bars ? y_bars + t * m.width : nullptr);
  }
  return total * m.scale();
}

/// One step of a layer backwards. `x_bar` is the cotangent that the layer's
/// hidden values get from above, and becomes that of its input.
inline void retreat(int64_t width, const double *W, const double *input,
                    const double *before, const double *now, double *hidden_bar,
                    double *cell_bar, double *x_bar, double *W_bar) {
  for (int64_t j = 0; j < width; j += pair_lanes) {
    const auto row = [&](const double *m, int64_t i) {
      return load<pair_vector>(m + i * width + j);
    };
    const pair_vector f = row(now, forget), i = row(now, ingate),
                      o = row(now, outgate);
    const pair_vector g = row(now, change), s = row(now, squashed);
    const pair_vector h_bar =
        load<pair_vector>(hidden_bar + j) + load<pair_vector>(x_bar + j);
    const pair_vector c_bar =
        load<pair_vector>(cell_bar + j) + h_bar * o * (1 - s * s);
    const pair_vector z[4] = {c_bar * row(before, cell) * f * (1 - f),
                              c_bar * g * i * (1 - i), h_bar * s * o * (1 - o),
                              c_bar * i * (1 - g * g)};
    const pair_vector x = load<pair_vector>(input + j), h = row(before, hidden);
    for (int64_t k = 0; k < 4; ++k) {
      double *weight = W_bar + k * width + j, *bias = weight + 4 * width;
      store(weight, load<pair_vector>(weight) + z[k] * (k % 2 == 0 ? x : h));
      store(bias, load<pair_vector>(bias) + z[k]);
    }
    store(cell_bar + j, c_bar * f);
    store(hidden_bar + j, z[1] * row(W, 1) + z[3] * row(W, 3));
    store(x_bar + j, z[0] * row(W, 0) + z[2] * row(W, 2));
  }
}

/// Adds z times x to `to`, row by row.
inline void add_product(int64_t width, const double *z, const double *x,
                        double *to) {
  for (int64_t j = 0; j < width; j += pair_lanes)
    store(to + j, load<pair_vector>(to + j) +
                      load<pair_vector>(z + j) * load<pair_vector>(x + j));
}

} // namespace

double objective(const ad_f64_2d *main, const ad_f64_2d *extra,
                 const ad_f64_2d *state, const ad_f64_2d *seq) {
  const Model m(main, extra, state, seq);
  auto kept = new_buffer<double>(m.step_size());
  return forward(m, kept.get(), 0, nullptr);
}

void gradient(const ad_f64_2d *main, const ad_f64_2d *extra,
              const ad_f64_2d *state, const ad_f64_2d *seq, ad_f64_2d *result0,
              ad_f64_2d *result1) {
  const Model m(main, extra, state, seq);
  const int64_t width = m.width;
  auto kept = new_buffer<double>((m.steps + 1) * m.step_size());
  auto y_bars = new_buffer<double>(m.steps * width);
  forward(m, kept.get(), m.step_size(), y_bars.get());

  const auto zeros = [&](int64_t rows) {
    auto to = new_buffer<double>(rows * width);
    std::fill_n(to.get(), rows * width, 0.0);
    return to;
  };
  auto main_bar = zeros(8 * m.layers), extra_bar = zeros(3);
  auto hidden_bar = zeros(m.layers), cell_bar = zeros(m.layers);
  auto x_bar = zeros(1), input = zeros(1);
  const double *scale_in = &m.extra[0], *scale_out = &m.extra[width];
  for (int64_t t = m.steps; t-- > 0;) {
    const double *before = &kept[t * m.step_size()],
                 *now = before + m.step_size();
    const double *bits = &m.sequence[t * width], *y_bar = &y_bars[t * width];
    const double *top =
        now + m.step_size() - width; // the last layer's hidden values
    for (int64_t j = 0; j < width; ++j) {
      x_bar[j] = y_bar[j] * scale_out[j];
      extra_bar[2 * width + j] += y_bar[j];
      input[j] = bits[j] * scale_in[j];
    }
    add_product(width, y_bar, top, &extra_bar[width]);
    for (int64_t i = m.layers; i-- > 0;) {
      const int64_t at = i * m.layer_size();
      const double *x =
          i == 0 ? input.get()
                 : now + at - width; // the layer below's hidden values
      retreat(width, &m.weights[8 * i * width], x, before + at, now + at,
              &hidden_bar[i * width], &cell_bar[i * width], x_bar.get(),
              &main_bar[8 * i * width]);
    }
    add_product(width, x_bar.get(), bits, &extra_bar[0]);
  }
  unpad(main_bar.get(), 8 * m.layers, m.b, width,
        new_result(result0, {2 * m.layers, 4 * m.b}));
  unpad(extra_bar.get(), 3, m.b, width, new_result(result1, {3, m.b}));
}
