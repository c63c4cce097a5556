//! What values are: equal ones have equal numbers, also those of two loops in the same iteration.

use std::collections::HashMap;

use ad_dialect::ir::{BlkExt, Op, OpExt, TyExt, Val, ValExt, ValueKey};
use melior::ir::{TypeLike, ValueLike, operation::OperationLike};

use crate::support::{
    combinator::{constant_index, input_count, is_iota},
    region::{is_of_values, what},
};

/// What a value is made of.
#[derive(PartialEq, Eq, Hash)]
enum Term {
    /// A value that is not looked into.
    Value(ValueKey),
    /// The number of an iteration, counted from 0, of loops with so many that are counted.
    Iteration(usize),
    /// The same, counted from the last one.
    Reversed(usize),
    /// The result of an operation, with its attributes and type, on values.
    Made(String, Vec<usize>),
}

/// How far back values are looked into: those in a loop are numbered in order, so that what they are made of is known.
const DEPTH: usize = 64;

/// The numbers of values.
#[derive(Default)]
pub struct Numbers {
    numbers: HashMap<Term, usize>,
    known: HashMap<ValueKey, usize>,
    constants: HashMap<usize, i64>,
    /// Those of iterations, what they are counted from the other end, and how many there are.
    counted: HashMap<usize, (usize, usize)>,
    /// What is the larger one of another number and zero: as a number of iterations they are the same.
    clamped: HashMap<usize, usize>,
    /// What is one less than another number.
    less_one: HashMap<usize, usize>,
    /// How many values are being looked into.
    depth: usize,
}

impl Numbers {
    /// The number of a value.
    pub fn of(&mut self, value: Val<'_>) -> usize {
        if let Some(&number) = self.known.get(&value.key()) {
            return number;
        }
        self.depth += 1;
        let made = value.defining_op().filter(|_| self.depth < DEPTH);
        let number = made.and_then(|op| self.of_result(op));
        self.depth -= 1;
        let number = number.unwrap_or_else(|| self.number(Term::Value(value.key())));
        self.known.insert(value.key(), number);
        number
    }

    /// The number of iterations of an `scf.for` with steps of 1, or of a `soac.map` that runs over numbers of
    /// iterations only. These are those of other loops with as many that were counted, too, from the last one if it is turned.
    pub fn count(&mut self, op: Op<'_>, is_turned: bool) -> Option<usize> {
        let iterations = self.iterations(op)?;
        let [number, reversed] =
            [Term::Iteration, Term::Reversed].map(|term| self.number(term(iterations)));
        self.counted.insert(number, (reversed, iterations));
        self.counted.insert(reversed, (number, iterations));
        let number = if is_turned { reversed } else { number };
        let arguments = op.body(0)?.arg_list();
        if op.op_name() == "soac.map" {
            self.known.extend(arguments[..input_count(op)].iter().map(|x| (x.key(), number)));
            return Some(iterations);
        }
        let from = op.opnd(0)?;
        let place = match constant_index(from) {
            Some(0) => number,
            _ => self.sum(from, number),
        };
        self.known.insert(arguments.first()?.key(), place);
        Some(iterations)
    }

    /// The number of the number of an iteration.
    pub fn iteration(&mut self, iterations: usize) -> usize {
        self.number(Term::Iteration(iterations))
    }

    /// Takes the iterations of loops that are inside of others for the same, too, if these have as many. What is in the
    /// bodies of different ones is then equal to what the other would compute as well, but is no value of it.
    pub fn count_inner(&mut self, op: Op<'_>) {
        let is_loop = op.op_name() == "scf.for";
        let counter =
            op.body(0).filter(|_| is_loop).and_then(|body| body.arg_list().first().copied());
        let counted = counter.filter(|counter| !self.known.contains_key(&counter.key()));
        if let Some((counter, iterations)) = counted.zip(self.iterations(op)) {
            let number = self.number(Term::Made("inner".to_owned(), vec![iterations]));
            self.known.insert(counter.key(), number);
        }
    }

    fn iterations(&mut self, op: Op<'_>) -> Option<usize> {
        let is_loop = op.op_name() == "scf.for";
        if is_loop
            && (op.opnd(2).and_then(constant_index) != Some(1) || op.attr("unsignedCmp").is_some())
        {
            return None;
        }
        if op.op_name() == "soac.map" {
            let arrays = op.operand_list();
            let (first, others) = arrays.get(..input_count(op))?.split_first()?;
            if !first.r#type().scalar().is_index() {
                return None;
            }
            let size = match first.defining_op().filter(|_| is_iota(*first))?.opnd(0) {
                Some(size) => self.of(size),
                None => self.constant(*first.r#type().shape().first()?),
            };
            let is_like = |other: &Val<'_>| is_iota(*other) && other.r#type() == first.r#type();
            return others.iter().all(is_like).then(|| self.unclamped(size));
        }
        let from = op.opnd(0).filter(|from| from.r#type().is_index())?;
        let to = op.opnd(1)?;
        Some(match (constant_index(from), constant_index(to)) {
            (Some(from), Some(to)) => self.constant(to.saturating_sub(from).max(0)),
            (Some(0), None) => {
                let to = self.of(to);
                self.unclamped(to)
            }
            _ => {
                let operands = vec![self.of(to), self.of(from)];
                self.number(Term::Made("arith.subi".to_owned(), operands))
            }
        })
    }

    /// The sum of an index and the number of an iteration.
    fn sum(&mut self, from: Val<'_>, number: usize) -> usize {
        let mut operands = vec![self.of(from), number];
        operands.sort_unstable();
        self.number(Term::Made("arith.addi".to_owned(), operands))
    }

    fn of_result(&mut self, op: Op<'_>) -> Option<usize> {
        let is_one = op.result_count() == 1 && op.region_count() == 0 && is_of_values(op);
        let result = op.res(0).filter(|_| is_one)?;
        let is_index = result.r#type().is_index();
        if let Some(constant) = constant_index(result).filter(|_| is_index) {
            return Some(self.constant(constant));
        }
        let mut operands: Vec<_> = op.operand_list().into_iter().map(|x| self.of(x)).collect();
        let name = op.op_name();
        match (name, &operands[..]) {
            ("arith.maxsi", &[x, zero]) if is_index && self.constants.get(&zero) == Some(&0) => {
                let number = self.number(Term::Made(name.to_owned(), operands));
                let x = self.unclamped(x);
                self.clamped.insert(number, x);
                return Some(number);
            }
            ("arith.subi", &[last, number])
                if is_index && self.counts_back(last, number).is_some() =>
            {
                return self.counts_back(last, number);
            }
            ("arith.subi", &[x, one]) if is_index && self.constants.get(&one) == Some(&1) => {
                let number = self.number(Term::Made(name.to_owned(), operands));
                let x = self.unclamped(x);
                self.less_one.insert(number, x);
                return Some(number);
            }
            ("arith.subi" | "arith.addi", _) if is_index => {
                if name == "arith.addi" {
                    operands.sort_unstable();
                }
                return Some(self.number(Term::Made(name.to_owned(), operands)));
            }
            _ => {}
        }
        Some(self.number(Term::Made(what(op), operands)))
    }

    /// The difference of two numbers, if it is that of an iteration, counted from the other end.
    fn counts_back(&self, last: usize, number: usize) -> Option<usize> {
        let &(reversed, iterations) = self.counted.get(&number)?;
        let constants = self.constants.get(&last).zip(self.constants.get(&iterations));
        let is_last = self.less_one.get(&last) == Some(&iterations)
            || constants.is_some_and(|(last, count)| last.checked_add(1) == Some(*count));
        is_last.then_some(reversed)
    }

    fn unclamped(&self, number: usize) -> usize {
        self.clamped.get(&number).copied().unwrap_or(number)
    }

    fn constant(&mut self, constant: i64) -> usize {
        let number = self.number(Term::Made(format!("index {constant}"), vec![]));
        self.constants.insert(number, constant);
        number
    }

    fn number(&mut self, term: Term) -> usize {
        let next = self.numbers.len();
        *self.numbers.entry(term).or_insert(next)
    }
}
