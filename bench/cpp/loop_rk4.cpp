// The sum of squares of the state after n Runge-Kutta steps of the Lorenz
// system. The gradient keeps the state before every step and does the step
// again on the way back; the strip-mined one keeps the state before every 100
// blocks of 100 steps, and before every block and step while it is needed.

#include "loop_rk4.h"

#include <algorithm>
#include <vector>

#include "results.h"

namespace {
struct Vec {
  double x = 0, y = 0, z = 0;
};
Vec operator+(Vec a, Vec b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
Vec operator*(double s, Vec a) { return {s * a.x, s * a.y, s * a.z}; }

Vec load(const double *v) { return {v[0], v[1], v[2]}; }

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

struct Sweep {
  Vec p;
  double dt;
  Vec s_bar, p_bar;
  // The states of one level of blocks each.
  std::vector<Vec> states[3];

  // Does n steps; keeps the state before every `stride` of them.
  Vec forward(Vec s, int64_t n, int64_t stride, std::vector<Vec> &kept) {
    kept.clear();
    for (int64_t i = 0; i < n; i += stride) {
      kept.push_back(s);
      for (int64_t j = i; j < std::min(i + stride, n); ++j)
        s = step(p, dt, s);
    }
    return s;
  }

  // Goes back over n steps, whose states before every `stride` of them are
  // kept.
  void backward(int64_t n, int64_t stride, int level) {
    const std::vector<Vec> &kept = states[level];
    for (int64_t at = kept.size(); at-- > 0;) {
      if (stride == 1) {
        s_bar = step_vjp(p, dt, kept[at], s_bar, p_bar);
        continue;
      }
      const int64_t count = std::min(stride, n - at * stride);
      forward(kept[at], count, stride / 100, states[level + 1]);
      backward(count, stride / 100, level + 1);
    }
  }

  void run(const ad_f64_1d *y0, int64_t n, int64_t stride, ad_f64_1d *result0,
           ad_f64_1d *result1) {
    s_bar = 2 * forward(load(y0->aligned), n, stride, states[0]);
    backward(n, stride, 0);
    double *y0_bar = allocate(result0, 3),
           *parameters_bar = allocate(result1, 3);
    y0_bar[0] = s_bar.x, y0_bar[1] = s_bar.y, y0_bar[2] = s_bar.z;
    parameters_bar[0] = p_bar.x, parameters_bar[1] = p_bar.y,
    parameters_bar[2] = p_bar.z;
  }
};
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
  Sweep{load(p->aligned), dt}.run(y0, n, 1, result0, result1);
}

void gradient_stripmined(const ad_f64_1d *y0, const ad_f64_1d *p, double dt,
                         int64_t n, ad_f64_1d *result0, ad_f64_1d *result1) {
  Sweep{load(p->aligned), dt}.run(y0, n, 10000, result0, result1);
}
