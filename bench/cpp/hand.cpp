// Hand tracking by linear blend skinning, and the Jacobian of its errors by
// hand.
//
// An angle moves only the bones from its own on outwards, at most three of a
// finger. For a bone b and each angle a that moves it,
//
//   absolute_b   = absolute_parent rel_b R_b
//   d absolute_b = (d absolute_parent) rel_b R_b,   or   absolute_parent rel_b
//   (dR_b / da) for its own
//
// so that with the matrix M of the global rotation, and A_b = M absolute_b
// inv_b,
//
//   vertex     = sum_b wts[b] A_b (pos, 1) + translation
//   d vertex/da = sum_b wts[b] (dA_b / da) (pos, 1)
//   d vertex   = (J dr) x (vertex - translation)   by the rotation
//
// over the bones whose weight is not zero. All of it is computed for the
// vertices that a point refers to, once each, and then handed to the points.

#include "hand.h"

#include "arrays.h"
#include "rotation.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <vector>

namespace {

// A column of a matrix. Of a point or a direction the last number does not
// matter.
typedef double Four __attribute__((vector_size(32)));

struct Matrix {
  Four column[4];
};

Matrix operator*(const Matrix &a, const Matrix &b) {
  Matrix product;
  for (int j = 0; j < 4; ++j)
    product.column[j] =
        a.column[0] * b.column[j][0] + a.column[1] * b.column[j][1] +
        a.column[2] * b.column[j][2] + a.column[3] * b.column[j][3];
  return product;
}

/// A matrix that is stored row by row.
Matrix from_rows(const double *m) {
  Matrix result;
  for (int j = 0; j < 4; ++j)
    result.column[j] = Four{m[j], m[4 + j], m[8 + j], m[12 + j]};
  return result;
}

Four cross(Four a, Four b) {
  return Four{a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
              a[0] * b[1] - a[1] * b[0], 0};
}

struct Arguments {
  const ad_f64_1d *theta;
  const ad_f64_2d *us;
  const ad_i64_1d *parents;
  const ad_f64_3d *rel, *inv;
  const ad_f64_2d *pos, *wts;
  const ad_i64_2d *tris;
  const ad_i64_1d *corr;
  const ad_f64_2d *pts;

  int64_t parameters() const { return theta->sizes[0]; }
  int64_t points() const { return pts->sizes[0]; }
};

/// How an angle moves a bone: d(absolute) and later dA by theta[at].
struct Motion {
  int64_t at;
  Matrix slope;
};

/// The transforms A of all bones, and their derivatives by the angles.
class Skeleton {
  std::vector<Matrix> transforms;
  std::vector<Motion> motions; // of all bones
  std::vector<int64_t> starts; // of the motions of a bone, and the end

  /// The rotation R = Rz Rx of bone b, and its derivatives by the bone's own
  /// angles.
  static Matrix bend(const Arguments &in, int64_t b, std::vector<Motion> &own) {
    const int64_t joint = (b + 3) % 4, first = (b + 3) / 4 * 4 + 2;
    const bool bends = b > 0 && joint != 0 && first + 4 <= in.parameters();
    const int64_t flexion = first + (joint == 1 ? 0 : joint),
                  abduction = first + 1;
    const double *theta = in.theta->aligned;
    const double x = bends ? theta[flexion] : 0,
                 z = bends && joint == 1 ? theta[abduction] : 0;
    const double sx = std::sin(x), cx = std::cos(x), sz = std::sin(z),
                 cz = std::cos(z);
    own.clear();
    if (bends)
      own.push_back({flexion,
                     {Four{}, Four{sz * sx, -cz * sx, cx},
                      Four{sz * cx, -cz * cx, -sx}, Four{}}});
    if (bends && joint == 1)
      own.push_back({abduction,
                     {Four{-sz, cz}, Four{-cz * cx, -sz * cx},
                      Four{cz * sx, sz * sx}, Four{}}});
    return {Four{cz, sz}, Four{-sz * cx, cz * cx, sx},
            Four{sz * sx, -cz * sx, cx}, Four{0, 0, 0, 1}};
  }

public:
  Skeleton(const Arguments &in, const Rotation &global) {
    const int64_t bones = in.parents->sizes[0];
    transforms.resize(bones);
    starts.push_back(0);
    std::vector<Motion> own;
    for (int64_t b = 0; b < bones; ++b) {
      // The global rotation is that of a bone around the root.
      Matrix around{};
      for (int j = 0; j < 3; ++j)
        around.column[j] =
            Four{global.R[0][j], global.R[1][j], global.R[2][j], 0};
      around.column[3] = Four{0, 0, 0, 1};
      const int64_t parent = in.parents->aligned[b];
      if (parent >= 0)
        around = transforms[parent];
      const Matrix bent = bend(in, b, own),
                   rel = from_rows(in.rel->aligned + 16 * b);
      const Matrix local = rel * bent;
      for (int64_t i = parent < 0 ? 0 : starts[parent];
           parent >= 0 && i < starts[parent + 1]; ++i) {
        const Motion inherited{motions[i].at, motions[i].slope * local};
        motions.push_back(inherited);
      }
      const Matrix here = around * rel;
      for (const Motion &motion : own)
        motions.push_back({motion.at, here * motion.slope});
      starts.push_back(int64_t(motions.size()));
      transforms[b] = around * local;
    }
    for (int64_t b = 0; b < bones; ++b) {
      const Matrix inverse = from_rows(in.inv->aligned + 16 * b);
      transforms[b] = transforms[b] * inverse;
      for (int64_t i = starts[b]; i < starts[b + 1]; ++i)
        motions[i].slope = motions[i].slope * inverse;
    }
  }

  /// sum_b wts[b] A_b (pos, 1); adds the derivatives by the angles to `slopes`,
  /// if given.
  template <bool derivatives>
  Four skin(const double *pos, const double *wts, int64_t *used,
            Four *slopes) const {
    int64_t count = 0;
    for (int64_t b = 0; b < int64_t(transforms.size()); ++b) {
      used[count] = b;
      count += wts[b] != 0;
    }
    Four vertex{};
    for (int64_t i = 0; i < count; ++i) {
      const int64_t b = used[i];
      const double w = wts[b], x = w * pos[0], y = w * pos[1], z = w * pos[2];
      const auto apply = [&](const Matrix &m) {
        return m.column[0] * x + m.column[1] * y + m.column[2] * z +
               m.column[3] * w;
      };
      vertex += apply(transforms[b]);
      if (derivatives)
        for (int64_t k = starts[b]; k < starts[b + 1]; ++k)
          slopes[motions[k].at] += apply(motions[k].slope);
    }
    return vertex;
  }
};

/// The vertices that points refer to: those of their triangles, or themselves.
/// If there are as many references as vertices, all vertices.
struct References {
  std::vector<int32_t> vertices;
  Buffer<int32_t> slots; // `corners` positions in `vertices` per point

  References(const Arguments &in, int64_t corners)
      : slots(new_buffer<int32_t>(in.points() * corners)) {
    const int64_t count = in.points() * corners;
    for (int64_t i = 0; i < in.points(); ++i) {
      const int64_t id = in.corr->aligned[i];
      if (corners == 1)
        slots[i] = int32_t(id);
      else
        for (int64_t c = 0; c < 3; ++c)
          slots[3 * i + c] = int32_t(in.tris->aligned[3 * id + c]);
    }
    if (count >= in.pos->sizes[0]) {
      vertices.resize(in.pos->sizes[0]);
      std::iota(vertices.begin(), vertices.end(), 0);
      return;
    }
    std::vector<int32_t> slot_of(in.pos->sizes[0], -1);
    for (int64_t i = 0; i < count; ++i) {
      int32_t &slot = slot_of[slots[i]];
      if (slot < 0) {
        slot = int32_t(vertices.size());
        vertices.push_back(slots[i]);
      }
      slots[i] = slot;
    }
  }

  int64_t size() const { return int64_t(vertices.size()); }
};

/// The vertices; if `slopes` is given, it gets minus their derivatives by
/// theta[k], row k.
template <bool derivatives>
void move(const Arguments &in, const References &references, Four *vertices,
          Four *slopes) {
  const double *theta = in.theta->aligned;
  const Rotation global(theta);
  const Skeleton skeleton(in, global);
  const int64_t parameters = in.parameters(), bones = in.parents->sizes[0];
  const Four translation{theta[3], theta[4], theta[5], 0};
  Four axes[3];
  for (int j = 0; j < 3; ++j)
    axes[j] = Four{global.J[0][j], global.J[1][j], global.J[2][j], 0};

  auto used = new_buffer<int64_t>(bones + 1);
  auto by = new_buffer<Four>(parameters);
  for (int64_t i = 0; i < references.size(); ++i) {
    const int64_t v = references.vertices[i];
    if (derivatives)
      std::fill_n(by.get(), parameters, Four{});
    const Four turned = skeleton.skin<derivatives>(in.pos->aligned + 3 * v,
                                                   in.wts->aligned + bones * v,
                                                   used.get(), by.get());
    vertices[i] = turned + translation;
    if (derivatives) {
      for (int j = 0; j < 3; ++j) {
        by[j] = cross(axes[j], turned);
        by[3 + j] = Four{double(j == 0), double(j == 1), double(j == 2), 0};
      }
      for (int64_t k = 0; k < parameters; ++k)
        slopes[k * references.size() + i] = -by[k];
    }
  }
}

/// Calls `of(i)` for each of the points and stores the first three numbers.
template <class Function>
inline void fill_row(int64_t points, double *row, Function of) {
  // A store leaves a fourth number, which the next one replaces.
  for (int64_t i = 0; i + 1 < points; ++i) {
    const Four value = of(i);
    std::memcpy(row + 3 * i, &value, sizeof value);
  }
  if (points > 0) {
    const Four value = of(points - 1);
    std::memcpy(row + 3 * (points - 1), &value, 3 * sizeof(double));
  }
}

/// sum of the coordinates of point i times the rows of its corners
inline Four blend(const Arguments &in, const int32_t *slots, const Four *rows,
                  int64_t i) {
  const double u0 = in.us->aligned[2 * i], u1 = in.us->aligned[2 * i + 1];
  return u0 * rows[slots[3 * i]] + u1 * rows[slots[3 * i + 1]] +
         (1 - u0 - u1) * rows[slots[3 * i + 2]];
}

Four measured(const Arguments &in, int64_t i) {
  const double *point = in.pts->aligned + 3 * i;
  return Four{point[0], point[1], point[2], 0};
}

void errors(const Arguments &in, int64_t corners, ad_f64_2d *result) {
  const References references(in, corners);
  auto vertices = new_buffer<Four>(references.size());
  move<false>(in, references, vertices.get(), nullptr);
  const int64_t points = in.points();
  const int32_t *slots = references.slots.get();
  double *row = new_result(result, {points, 3});
  if (corners == 1)
    fill_row(points, row,
             [&](int64_t i) { return measured(in, i) - vertices[slots[i]]; });
  else
    fill_row(points, row, [&](int64_t i) {
      return measured(in, i) - blend(in, slots, vertices.get(), i);
    });
}

void slopes(const Arguments &in, int64_t corners, ad_f64_3d *result) {
  const References references(in, corners);
  const int64_t points = in.points(), parameters = in.parameters();
  auto vertices = new_buffer<Four>(references.size());
  auto by = new_buffer<Four>(parameters * references.size());
  move<true>(in, references, vertices.get(), by.get());

  const int32_t *slots = references.slots.get();
  const int64_t own = corners == 1 ? 0 : 2;
  double *row = new_result(result, {own + parameters, points, 3});
  for (int64_t j = 0; j < own; ++j, row += 3 * points) // -(v_j - v_2)
    fill_row(points, row, [&](int64_t i) {
      return vertices[slots[3 * i + 2]] - vertices[slots[3 * i + j]];
    });
  const Four *rows = by.get();
  for (int64_t k = 0; k < parameters;
       ++k, row += 3 * points, rows += references.size())
    if (corners == 1)
      fill_row(points, row, [&](int64_t i) { return rows[slots[i]]; });
    else
      fill_row(points, row,
               [&](int64_t i) { return blend(in, slots, rows, i); });
}

} // namespace

#define HAND_ARGUMENTS                                                         \
  const ad_f64_1d *theta, const ad_f64_2d *us, const ad_i64_1d *parents,       \
      const ad_f64_3d *rel, const ad_f64_3d *inv, const ad_f64_2d *pos,        \
      const ad_f64_2d *wts, const ad_i64_2d *tris, const ad_i64_1d *corr,      \
      const ad_f64_2d *pts

void objective(HAND_ARGUMENTS, ad_f64_2d *result) {
  errors({theta, us, parents, rel, inv, pos, wts, tris, corr, pts}, 1, result);
}

void objective_complicated(HAND_ARGUMENTS, ad_f64_2d *result) {
  errors({theta, us, parents, rel, inv, pos, wts, tris, corr, pts}, 3, result);
}

void jacobian(HAND_ARGUMENTS, ad_f64_3d *result) {
  slopes({theta, us, parents, rel, inv, pos, wts, tris, corr, pts}, 1, result);
}

void jacobian_complicated(HAND_ARGUMENTS, ad_f64_3d *result) {
  slopes({theta, us, parents, rel, inv, pos, wts, tris, corr, pts}, 3, result);
}
