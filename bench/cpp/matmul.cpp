// sum((A B)^2); the gradients are 2 (A B) B^T and 2 A^T (A B).

#include <matmul.h>

#include <cstring>
#include <vector>

#include "gemm.h"
#include "results.h"

static std::vector<double> product(const ad_f64_2d *A, const ad_f64_2d *B) {
  const int64_t m = A->sizes[0], k = A->sizes[1], n = B->sizes[1];
  std::vector<double> C(m * n);
  Gemm<double>().add(m, n, k, 1, A->aligned, k, 1, B->aligned, n, 1, C.data(),
                     n);
  return C;
}

double objective(const ad_f64_2d *A, const ad_f64_2d *B) {
#pragma clang fp reassociate(on)
  double sum = 0;
  for (double c : product(A, B))
    sum += c * c;
  return sum;
}

void gradient(const ad_f64_2d *A, const ad_f64_2d *B, ad_f64_2d *result0,
              ad_f64_2d *result1) {
  const int64_t m = A->sizes[0], k = A->sizes[1], n = B->sizes[1];
  const std::vector<double> C = product(A, B);
  double *A_bar = allocate(result0, m, k), *B_bar = allocate(result1, k, n);
  std::memset(A_bar, 0, m * k * sizeof(double));
  std::memset(B_bar, 0, k * n * sizeof(double));
  Gemm<double> gemm;
  gemm.add(m, k, n, 2, C.data(), n, 1, B->aligned, 1, n, A_bar, k);
  gemm.add(k, n, m, 2, A->aligned, 1, k, C.data(), n, 1, B_bar, n);
}
