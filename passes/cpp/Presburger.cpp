//===- Presburger.cpp - questions to MLIR's library of integer sets -------===//
//
// Systems come as numbers: those of locals, equalities and inequalities, then the
// rows. A row has a factor for each variable and local, and a constant. The Rust
// side is passes/src/support/presburger.rs.
//
//===----------------------------------------------------------------------===//

#include "mlir/Analysis/Presburger/IntegerRelation.h"
#include "mlir/Analysis/Presburger/Simplex.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir::presburger;
using llvm::ArrayRef;
using llvm::DynamicAPInt;

namespace {
/// No larger number is handed back.
constexpr int64_t largest = int64_t(1) << 30;

/// What the numbers of a system may have in bits, for each column, for the search
/// for an integer solution, which takes long where there are many.
constexpr unsigned searchedBits = 32;

struct System : IntegerPolyhedron {
  System(unsigned variables, const int64_t *words)
      : IntegerPolyhedron(PresburgerSpace::getSetSpace(variables, 0, words[0])) {
    size_t width = variables + words[0] + 1;
    const int64_t *row = words + 3;
    for (int64_t left = words[1]; left > 0; --left, row += width)
      addEquality(ArrayRef<int64_t>(row, width));
    for (int64_t left = words[2]; left > 0; --left, row += width)
      addInequality(ArrayRef<int64_t>(row, width));
  }

  /// Removes the equality and the variable of a factor 1 or -1.
  bool substituteOne() {
    for (unsigned by = 0; by < getNumEqualities(); ++by)
      for (unsigned column = 0; column < getNumVars(); ++column) {
        DynamicAPInt unit = atEq(by, column);
        if (unit != 1 && unit != -1)
          continue;
        for (unsigned row = 0; row < getNumConstraints(); ++row) {
          DynamicAPInt multiple = atConstraint(row, column) * unit;
          if (row == getNumInequalities() + by || multiple == 0)
            continue;
          for (unsigned other = 0; other < getNumCols(); ++other)
            atConstraint(row, other) -= multiple * atEq(by, other);
        }
        removeEquality(by);
        removeVar(column);
        return true;
      }
    return false;
  }

  bool hasFewNumbers() {
    DynamicAPInt most(1);
    for (unsigned row = 0; row < getNumConstraints(); ++row)
      for (unsigned column = 0; column < getNumVars(); ++column)
        most = std::max(most, llvm::abs(atConstraint(row, column)));
    return most < largest &&
           getNumVars() * llvm::bit_width(uint64_t(int64_t(most))) <= searchedBits;
  }

  bool hasNone() {
    while (substituteOne())
      ;
    // Also for rows without variables.
    removeTrivialRedundancy();
    if (isObviouslyEmpty() || isEmptyByGCDTest())
      return true;
    if (getNumVars() == 0)
      return false;
    if (Simplex(*this).isEmpty())
      return true;
    return hasFewNumbers() && isIntegerEmpty();
  }
};
} // namespace

extern "C" {
/// Whether a system has no integer solution; false if it is not known.
bool ad_presburger_is_empty(unsigned variables, const int64_t *words) {
  return System(variables, words).hasNone();
}

/// Hands back the rows of a system without locals that a system implies. False if
/// numbers are large.
bool ad_presburger_shadow(unsigned variables, const int64_t *words, void *to,
                          void (*row)(void *to, bool isEquality,
                                      const int64_t *factors)) {
  System system(variables, words);
  system.projectOut(variables, system.getNumLocalVars());
  system.removeTrivialRedundancy();
  for (unsigned i = 0; i < system.getNumConstraints(); ++i) {
    bool isEquality = i >= system.getNumInequalities();
    llvm::SmallVector<int64_t> factors;
    for (unsigned column = 0; column < system.getNumCols(); ++column) {
      const DynamicAPInt &factor = system.atConstraint(i, column);
      if (factor >= largest || factor <= -largest)
        return false;
      factors.push_back(int64_t(factor));
    }
    row(to, isEquality, factors.data());
  }
  return true;
}
}
