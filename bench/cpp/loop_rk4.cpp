// The sum of squares of the state after n Runge-Kutta steps of the Lorenz
// system. The gradient keeps the state before every step and does the step
// again on the way back; the strip-mined one keeps the state before every 100
// blocks of 100 steps, and before every block and step while it is needed.

#include <loop_rk4.h>

#include <algorithm>

#include "results.h"

#pragma clang fp contract(fast)

namespace {
struct Vec {
  double x = 0, y = 0, z = 0;
};
Vec operator+(Vec a, Vec b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
Vec operator*(double s, Vec a) { return {s * a.x, s * a.y, s * a.z}; }

Vec load(const double *v) { return {v[0], v[1], v[2]}; }

void store(Vec a, double *v) { v[0] = a.x, v[1] = a.y, v[2] = a.z; }

Vec slope(Vec p, Vec s) {
  return {p.x * (s.y - s.x), s.x * (p.y - s.z) - s.y, s.x * s.y - p.z * s.z};
}

// The derivatives of <slope(p, s), k_bar>: that with respect to p is added.
Vec slope_vjp(Vec p, Vec s, Vec k_bar, Vec &p_bar) {
  p_bar.x += (s.y - s.x) * k_bar.x;
  p_bar.y += s.x * k_bar.y;
  p_bar.z -= s.z * k_bar.z;
  return {(p.y - s.z) * k_bar.y + s.y * k_bar.z - p.x * k_bar.x,
          p.x * k_bar.x - k_bar.y + s.x * k_bar.z,
          -s.x * k_bar.y - p.z * k_bar.z};
}

Vec step(Vec p, double dt, Vec s) {
  const Vec k1 = slope(p, s), k2 = slope(p, s + dt / 2 * k1),
            k3 = slope(p, s + dt / 2 * k2);
  const Vec k4 = slope(p, s + dt * k3);
  return s + dt / 6 * (k1 + 2 * (k2 + k3) + k4);
}

Vec step_vjp(Vec p, double dt, Vec s, Vec s_bar, Vec &p_bar) {
  const Vec s2 = s + dt / 2 * slope(p, s), s3 = s + dt / 2 * slope(p, s2);
  const Vec s4 = s + dt * slope(p, s3);
  const Vec s4_bar = slope_vjp(p, s4, dt / 6 * s_bar, p_bar);
  const Vec s3_bar = slope_vjp(p, s3, dt / 3 * s_bar + dt * s4_bar, p_bar);
  const Vec s2_bar = slope_vjp(p, s2, dt / 3 * s_bar + dt / 2 * s3_bar, p_bar);
  const Vec s1_bar = slope_vjp(p, s, dt / 6 * s_bar + dt / 2 * s2_bar, p_bar);
  return s_bar + s4_bar + s3_bar + s2_bar + s1_bar;
}

// Does n steps from a state and keeps the states before every Stride of them.
template <int64_t Stride>
Vec forth(Vec p, double dt, Vec s, int64_t n, Vec *kept) {
  for (int64_t i = 0; i < n; i += Stride) {
    *kept++ = s;
    for (int64_t j = i; j < std::min(i + Stride, n); ++j)
      s = step(p, dt, s);
  }
  return s;
}

struct Adjoint {
  Vec s, p;
};

// The adjoint before n steps from a state, given that after them. The states
// before every Stride of them are kept; the steps in between are done again,
// and so on with a hundredth of the stride.
template <int64_t Stride>
Adjoint back(Vec p, double dt, const Vec *kept, int64_t n, Adjoint adjoint) {
  if constexpr (Stride == 1) {
    for (int64_t i = n; i-- > 0;)
      adjoint.s = step_vjp(p, dt, kept[i], adjoint.s, adjoint.p);
  } else {
    constexpr int64_t Inner = Stride / 100;
    const Buffer<Vec> states(100);
    for (int64_t at = (n + Stride - 1) / Stride; at-- > 0;) {
      const int64_t count = std::min(Stride, n - at * Stride);
      forth<Inner>(p, dt, kept[at], count, states.data());
      adjoint = back<Inner>(p, dt, states.data(), count, adjoint);
    }
  }
  return adjoint;
}

template <int64_t Stride>
void sweep(const ad_f64_1d *y0, const ad_f64_1d *p, double dt, int64_t n,
           ad_f64_1d *result0, ad_f64_1d *result1) {
  const Vec parameters = load(p->aligned);
  const Buffer<Vec> states(n / Stride + 1);
  const Vec last =
      forth<Stride>(parameters, dt, load(y0->aligned), n, states.data());
  const Adjoint adjoint =
      back<Stride>(parameters, dt, states.data(), n, {2 * last, {}});
  store(adjoint.s, allocate(result0, 3));
  store(adjoint.p, allocate(result1, 3));
}
} // namespace

double objective(const ad_f64_1d *y0, const ad_f64_1d *p, double dt,
                 int64_t n) {
  Vec s = load(y0->aligned);
  for (int64_t i = 0; i < n; ++i)
    s = step(load(p->aligned), dt, s);
  return s.x * s.x + s.y * s.y + s.z * s.z;
}

void gradient(const ad_f64_1d *y0, const ad_f64_1d *p, double dt, int64_t n,
              ad_f64_1d *result0, ad_f64_1d *result1) {
  sweep<1>(y0, p, dt, n, result0, result1);
}

void gradient_stripmined(const ad_f64_1d *y0, const ad_f64_1d *p, double dt,
                         int64_t n, ad_f64_1d *result0, ad_f64_1d *result1) {
  sweep<10000>(y0, p, dt, n, result0, result1);
}
