// A batched LSTM in single precision: sum of squared errors of its hidden
// states, and its gradient by hand.
//
//   z = xs[t] W + hidden U + b,  i, f, o = sigmoid(z_0, z_1, z_2),  g =
//   tanh(z_3) cell = f cell + i g,  hidden = o tanh(cell),  total += |hidden -
//   target[t]|^2
//
// The products with W are one for all steps, those with U one for each step.
// The return sweep runs from the last step, with h_bar and c_bar the cotangents
// of hidden values and cells:
//
//   h_bar += 2 (hidden - target),   c_bar += h_bar o (1 - tanh(cell)^2)
//   z_bar = (c_bar g i (1 - i), c_bar cell_before f (1 - f), h_bar tanh(cell) o
//   (1 - o),
//            c_bar i (1 - g^2))
//   c_bar = c_bar f,   h_bar = z_bar U^T
//
// and then W_bar = xs^T z_bar, U_bar = hidden_before^T z_bar and b_bar = sum of
// z_bar, over all steps at once.

#include "lstm_batched.h"

#include "packed_product.h"
#include "vectors.h"

#include <algorithm>

namespace {

struct Arguments {
  const ad_f32_2d *W, *U;
  const ad_f32_1d *b;
  const ad_f32_3d *xs;
  const ad_f32_2d *h0;
  const ad_f32_3d *target;

  int64_t n() const { return xs->sizes[0]; }
  int64_t bs() const { return xs->sizes[1]; }
  int64_t d() const { return xs->sizes[2]; }
  int64_t h() const { return h0->sizes[1]; }
  MatrixView rows_of_W() const { return {W->aligned, 4 * h(), 1}; }
  MatrixView rows_of_U() const { return {U->aligned, 4 * h(), 1}; }
};

/// The first `count` lanes, or all if there are fewer; the others are 0.
inline f32_vector load_some(const float *from, int64_t count) {
  if (count >= f32_lanes)
    return load(from);
  f32_vector v{};
  std::memcpy(&v, from, count * sizeof(float));
  return v;
}

inline void store_some(float *to, int64_t count, f32_vector v) {
  std::memcpy(to, &v, std::min(count, f32_lanes) * sizeof(float));
}

/// One row of a step. Writes `cell` and `hidden` and, if `squashed` is given,
/// that and the gates into z. Returns the sum of squared errors.
inline float advance(int64_t h, float *z, const float *before,
                     const float *target, float *cell, float *squashed,
                     float *hidden) {
  f32_vector sum{};
  for (int64_t j = 0; j < h; j += f32_lanes) {
    const int64_t left = h - j;
    const f32_vector i = sigmoid(load_some(z + j, left));
    const f32_vector f = sigmoid(load_some(z + h + j, left));
    const f32_vector o = sigmoid(load_some(z + 2 * h + j, left));
    const f32_vector g = tanh(load_some(z + 3 * h + j, left));
    const f32_vector c = f * load_some(before + j, left) + i * g;
    const f32_vector s = tanh(c), y = o * s;
    if (squashed) {
      store_some(z + j, left, i);
      store_some(z + h + j, left, f);
      store_some(z + 2 * h + j, left, o);
      store_some(z + 3 * h + j, left, g);
      store_some(squashed + j, left, s);
    }
    store_some(cell + j, left, c);
    store_some(hidden + j, left, y);
    f32_vector error{};
    store_some(reinterpret_cast<float *>(&error), left,
               y - load_some(target + j, left));
    sum += error * error;
  }
  return sum_lanes(sum);
}

/// The state of all steps or, for the objective, of the current one.
struct States {
  int64_t z_stride, stride; // between steps, 0 if they replace each other
  Buffer<float> z, cells, hidden, squashed;

  States(const Arguments &in, bool all)
      : z_stride(all ? in.bs() * 4 * in.h() : 0),
        stride(all ? in.bs() * in.h() : 0),
        z(new_buffer<float>(in.bs() * 4 * in.h() * (all ? in.n() : 1))),
        cells(new_buffer<float>(in.bs() * in.h() * (all ? in.n() + 1 : 1))),
        hidden(new_buffer<float>(in.bs() * in.h() * (all ? in.n() + 1 : 1))),
        squashed(all ? new_buffer<float>(in.bs() * in.h() * in.n()) : nullptr) {
    std::copy_n(in.h0->aligned, in.bs() * in.h(), cells.get());
    std::copy_n(in.h0->aligned, in.bs() * in.h(), hidden.get());
  }
};

float forward(const Arguments &in, States &states) {
  const int64_t n = in.n(), bs = in.bs(), d = in.d(), h = in.h();
  const PackedMatrix W(in.rows_of_W(), d, 4 * h), U(in.rows_of_U(), h, 4 * h);
  double total = 0;
  for (int64_t t = 0; t < n; ++t) {
    float *z = &states.z[t * states.z_stride];
    const float *hidden = &states.hidden[t * states.stride];
    for (int64_t r = 0; r < bs; ++r)
      std::copy_n(in.b->aligned, 4 * h, z + r * 4 * h);
    W.multiply({in.xs->aligned + t * bs * d, d, 1}, bs, z);
    U.multiply({hidden, h, 1}, bs, z);
    for (int64_t r = 0; r < bs; ++r) {
      const int64_t at = t * states.stride + r * h, next = at + states.stride;
      total +=
          advance(h, z + r * 4 * h, &states.cells[at],
                  in.target->aligned + (t * bs + r) * h, &states.cells[next],
                  states.squashed ? &states.squashed[at] : nullptr,
                  &states.hidden[next]);
    }
  }
  return float(total);
}

/// One row of a step backwards: the gates z become z_bar, which is added to
/// b_bar.
inline void retreat(int64_t h, float *z, const float *before,
                    const float *target, const float *squashed,
                    const float *hidden, const float *h_bar, float *c_bar,
                    float *b_bar) {
  for (int64_t j = 0; j < h; j += f32_lanes) {
    const int64_t left = h - j;
    const auto read = [&](const float *row) {
      return load_some(row + j, left);
    };
    const f32_vector i = read(z), f = read(z + h), o = read(z + 2 * h),
                     g = read(z + 3 * h);
    const f32_vector s = read(squashed);
    const f32_vector hb = read(h_bar) + 2 * (read(hidden) - read(target));
    const f32_vector cb = read(c_bar) + hb * o * (1 - s * s);
    const f32_vector z_bar[4] = {cb * g * i * (1 - i),
                                 cb * read(before) * f * (1 - f),
                                 hb * s * o * (1 - o), cb * i * (1 - g * g)};
    store_some(c_bar + j, left, cb * f);
    for (int k = 0; k < 4; ++k) {
      store_some(z + k * h + j, left, z_bar[k]);
      store_some(b_bar + k * h + j, left, read(b_bar + k * h) + z_bar[k]);
    }
  }
}

} // namespace

float objective(const ad_f32_2d *W, const ad_f32_2d *U, const ad_f32_1d *b,
                const ad_f32_3d *xs, const ad_f32_2d *h0,
                const ad_f32_3d *target) {
  const Arguments in{W, U, b, xs, h0, target};
  States states(in, false);
  return forward(in, states);
}

void gradient(const ad_f32_2d *W, const ad_f32_2d *U, const ad_f32_1d *b,
              const ad_f32_3d *xs, const ad_f32_2d *h0, const ad_f32_3d *target,
              ad_f32_2d *result0, ad_f32_2d *result1, ad_f32_1d *result2) {
  const Arguments in{W, U, b, xs, h0, target};
  const int64_t n = in.n(), bs = in.bs(), d = in.d(), h = in.h();
  States states(in, true);
  forward(in, states);

  float *W_bar = new_result(result0, {d, 4 * h});
  float *U_bar = new_result(result1, {h, 4 * h});
  float *b_bar = new_result(result2, {4 * h});
  std::fill_n(W_bar, d * 4 * h, 0.0f);
  std::fill_n(U_bar, h * 4 * h, 0.0f);
  std::fill_n(b_bar, 4 * h, 0.0f);
  auto h_bar = new_buffer<float>(bs * h), c_bar = new_buffer<float>(bs * h);
  std::fill_n(h_bar.get(), bs * h, 0.0f);
  std::fill_n(c_bar.get(), bs * h, 0.0f);
  const PackedMatrix back(in.rows_of_U().transposed(), 4 * h, h);
  for (int64_t t = n; t-- > 0;) {
    float *z = &states.z[t * bs * 4 * h];
    for (int64_t r = 0; r < bs; ++r) {
      const int64_t at = (t * bs + r) * h;
      retreat(h, z + r * 4 * h, &states.cells[at], target->aligned + at,
              &states.squashed[at], &states.hidden[at + bs * h], &h_bar[r * h],
              &c_bar[r * h], b_bar);
    }
    if (t == 0)
      break;
    std::fill_n(h_bar.get(), bs * h, 0.0f);
    back.multiply({z, 4 * h, 1}, bs, h_bar.get());
  }
  const PackedMatrix z_bars({states.z.get(), 4 * h, 1}, n * bs, 4 * h);
  z_bars.multiply(MatrixView{xs->aligned, d, 1}.transposed(), d, W_bar);
  z_bars.multiply(MatrixView{states.hidden.get(), h, 1}.transposed(), h, U_bar);
}
