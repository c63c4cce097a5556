//! Costs as formulas: by hand, and beside the cost that evaluating counts.

use crate::affine::{Affine, Index, Size};
use crate::expr::{
    Expr, Var, access, add, bracket, constant, generate, generate_all, mul, sum, sum_all, var,
};
use crate::predicate::{Predicate, Range, Relation};
use crate::tally::{Bound, Tally};
use crate::testing::FourierMotzkin;
use crate::testing::random::program;
use crate::testing::terms::{f, index};
use crate::testing::{MOST_STEPS, Run, count, steps};

const X: Var = Var(0);

fn range(name: u32, size: u32) -> Range {
    Range::new(Index(name), Affine::size(Size(size)))
}

/// What an expression costs where some sizes are known. Relation 1 is a list of
/// numbered tuples.
fn tallied(expr: &Expr, sizes: &[i64]) -> Bound {
    let mut total = Bound::default();
    let mut tally = Tally {
        size_of: &|size| sizes.get(size.0 as usize).copied(),
        is_numbered: &|relation| relation == Relation(1),
        oracle: &FourierMotzkin,
        spend: &mut |_, spent| total = total.plus(&spent),
    };
    tally.expression(expr);
    total
}

fn formula(expr: &Expr, sizes: &[i64]) -> String {
    let bound = tallied(expr, sizes);
    let word = if bound.is_loose { "at most " } else { "" };
    format!("{word}{}", bound.most)
}

/// T21: costs as formulas, each with and without sizes.
#[test]
fn costs_are_formulas_in_sizes() {
    let at = |place: Affine| access(var(X), place);
    let equal = |left: &Affine, right: &Affine| Predicate::equal(left, right);
    let rules = [
        // Products of sizes, and one addition less than there are terms.
        (generate(range(0, 0), f(at(index(0)))), "n0", "4"),
        (sum(range(0, 0), f(at(index(0)))), "2*n0 - 1", "7"),
        (generate(range(1, 1), sum(range(0, 0), f(at(index(0))))), "2*n0*n1 - n1", "21"),
        (generate_all(&[range(0, 0), range(1, 0)], f(at(index(0)))), "n0^2", "16"),
        // An equality fixes an index, where it is in range.
        (
            sum_all(
                &[range(0, 0), range(1, 0)],
                bracket(equal(&index(0), &index(1)), f(at(index(0)))),
            ),
            "2*n0 - 1",
            "7",
        ),
        (
            generate(
                range(0, 0),
                sum(
                    range(1, 1),
                    bracket(equal(&index(0), &index(1).plus_constant(-1)), f(at(index(1)))),
                ),
            ),
            "at most n0",
            "2",
        ),
        // What a disjunction says twice counts once.
        (
            generate_all(
                &[range(0, 0), range(1, 0)],
                bracket(
                    Predicate::or([
                        equal(&index(0), &Affine::constant(0)),
                        equal(&index(1), &Affine::constant(0)),
                    ]),
                    f(at(index(0))),
                ),
            ),
            "2*n0 - 1",
            "7",
        ),
        // Triangles are counted when the sizes are known.
        (
            generate_all(
                &[range(0, 0), range(1, 0)],
                bracket(Predicate::less(&index(0), &index(1)), f(at(index(0)))),
            ),
            "at most n0^2",
            "6",
        ),
        // An addition of what is nowhere together costs nothing.
        (
            generate(
                range(0, 0),
                add(
                    bracket(equal(&index(0), &Affine::constant(0)), constant(1.0)),
                    bracket(Predicate::less(&Affine::constant(0), &index(0)), constant(1.0)),
                ),
            ),
            "0",
            "0",
        ),
        // Data say where a relation holds; a numbered tuple is in one place.
        (
            sum(
                range(0, 0),
                bracket(Predicate::Related(Relation(0), vec![index(0)]), f(at(index(0)))),
            ),
            "at most 2*n0 - 1",
            "at most 7",
        ),
        (
            generate(
                range(0, 0),
                sum_all(
                    &[range(1, 0), range(2, 1)],
                    bracket(
                        Predicate::Related(Relation(1), vec![index(0), index(1), index(2)]),
                        mul(at(index(1)), at(index(2))),
                    ),
                ),
            ),
            "at most 2*n1",
            "at most 6",
        ),
        // Two lists that number each other's tuples say nothing of how many there are.
        (
            generate_all(
                &[range(0, 0), range(1, 0)],
                bracket(
                    Predicate::and([
                        Predicate::Related(Relation(1), vec![index(0), index(1)]),
                        Predicate::Related(Relation(1), vec![index(1), index(0)]),
                    ]),
                    f(at(index(0))),
                ),
            ),
            "at most n0",
            "at most 4",
        ),
    ];
    for (expr, wanted, wanted_for_sizes) in rules {
        assert_eq!(formula(&expr, &[]), wanted);
        assert_eq!(formula(&expr, &[4, 3]), wanted_for_sizes);
    }
    // Nothing is added where there is nothing.
    assert_eq!(formula(&sum(range(0, 0), f(at(index(0)))), &[0]), "0");
}

/// T21: formulas are what evaluating counts, or more if they say so.
#[test]
fn formulas_are_the_cost() {
    let (mut tried, mut exact) = (0, 0);
    for seed in 0..count() {
        let program = program(seed);
        let run = Run::new(seed, &program.inputs);
        if steps(&program.body, &run.sizes) > MOST_STEPS {
            continue;
        }
        let wanted = i128::from(run.cost(&program.body, &program.functions));
        let check = |sizes: &[i64]| {
            let bound = tallied(&program.body, sizes);
            let found = bound.most.evaluate(&|size| run.sizes[size.0 as usize]);
            assert!(found >= wanted, "seed {seed}: {} {wanted}", bound.most);
            assert!(bound.is_loose || found == wanted, "seed {seed}: {} {wanted}", bound.most);
            !bound.is_loose
        };
        check(&run.sizes);
        if run.sizes[..3].iter().all(|size| *size > 0) {
            tried += 1;
            exact += u64::from(check(&[]));
            check(&run.sizes[..2]);
        }
    }
    assert!(tried > 0 && exact * 2 > tried, "{exact} of {tried}");
}
