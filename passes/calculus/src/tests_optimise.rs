//! What simplification and inlining leave of programs and their derivatives.

use crate::testing::{FourierMotzkin, count, optimised_programs_are_the_programs};

mod examples;
mod rules;

#[test]
fn optimised_programs_with_the_oracle_for_tests() {
    optimised_programs_are_the_programs(&FourierMotzkin, count() / 8);
}
