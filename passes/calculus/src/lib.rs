//! The calculus of a tensor language \[ATL\]: its expressions, what they mean and
//! cost, their normal forms and derivatives.
//!
//! Nothing here knows MLIR. Reading order: [`affine`], [`predicate`] and [`expr`]
//! are the language (ATL Figure 3), [`eval`] and [`cost`](mod@cost) what it means
//! and costs (Figures 4 to 6), [`tally`] what it costs as a formula, [`let_lift`], [`pairs`], [`push_out`], [`ssa`] and
//! [`convert`] the normal forms (5.1 to 5.4), [`forward`] and [`adjoint`] the derivatives
//! (6.2, 6.3), with [`total`] and [`inner`] (Figures 13, 14 and 17) for what the
//! theorems about their cost say. What makes efficient code of them is in [`known`],
//! [`simplify`](mod@simplify) and [`inline`]; it asks which predicates contradict or
//! follow from each other, in [`oracle`], [`systems`] and [`subset`].
//!
//! No function returns an error but [`eval`]: what is not in the form that a
//! function wants is a mistake of the caller, and a panic.

pub mod adjoint;
pub mod affine;
pub mod convert;
pub mod cost;
pub mod eval;
pub mod expand;
pub mod expr;
pub mod forward;
pub mod functions;
pub mod inline;
pub mod inner;
mod intervals;
pub mod known;
pub mod let_lift;
pub mod oracle;
pub mod pairs;
pub mod polynomial;
pub mod predicate;
pub mod push_out;
pub mod simplify;
pub mod ssa;
pub mod subset;
pub mod systems;
pub mod tally;
pub mod testing;
pub mod total;

#[cfg(test)]
mod tests;
#[cfg(test)]
mod tests_cost;
#[cfg(test)]
mod tests_forms;
#[cfg(test)]
mod tests_linear;
#[cfg(test)]
mod tests_optimise;
#[cfg(test)]
mod tests_tally;
#[cfg(test)]
mod tests_theorems;
