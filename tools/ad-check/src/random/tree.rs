//! The generator's own tree: small enough to shrink, rich enough to print as MLIR.
//!
//! Sizes are symbols, so that arrays that must agree in size do by construction.
//! A dynamic symbol is an `index` argument of every function; a static one is a number in the types.

use super::ops::{LanesOp, LinalgOp, Promise, ShapeOp};
use std::collections::HashSet;

/// A value; unique in the whole program.
pub type Var = u32;

/// The type of a value; floats are of the program's one width.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ty {
    Float,
    Index,
    /// Floats over symbols, outermost first.
    Array(Vec<usize>),
    /// Indices along one symbol.
    Indices(usize),
    /// A `vector` of so many floats.
    Lanes(usize),
}

/// A size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    pub size: usize,
    pub dynamic: bool,
}

/// A module; the last function is the entry.
#[derive(Clone, Debug, PartialEq)]
pub struct Tree {
    /// Floats are `f32` rather than `f64`.
    pub narrow: bool,
    pub symbols: Vec<Symbol>,
    pub functions: Vec<Body>,
}

/// A function body or the body of a construct.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Body {
    pub params: Vec<(Var, Ty)>,
    pub stmts: Vec<Stmt>,
    pub results: Vec<(Var, Ty)>,
}

/// One operation, or a few that belong together.
#[derive(Clone, Debug, PartialEq)]
pub struct Stmt {
    pub results: Vec<(Var, Ty)>,
    pub op: Op,
    pub operands: Vec<(Var, Ty)>,
    pub bodies: Vec<Body>,
}

/// What a statement does.
#[derive(Clone, Debug, PartialEq)]
pub enum Op {
    Const(f64),
    Index(usize),
    /// An entry of `vocabulary::UNARY`.
    Unary(usize),
    /// An entry of `vocabulary::BINARY`.
    Binary(usize),
    Fma,
    /// The first number, at most one more than the square of the second.
    Clamp,
    /// Sine and cosine at once.
    SinCos,
    /// A whole power of a number; a negative one of a positive number.
    Power(i32),
    /// By a function in the other of `f32` and `f64`.
    OtherWidth,
    /// Chooses by a comparison of the first two operands, of arrays by element.
    Select(&'static str),
    /// An index as a float.
    FromIndex,
    /// Operands: array, indices (reduced to be in bounds).
    Extract,
    /// Operands: array, scalar, indices.
    Insert,
    /// The part at an index of a dimension. Operands: array, index.
    Row(usize),
    /// Operands: array, part, index.
    SetRow(usize),
    /// A part of an array, by an offset and a stride per dimension.
    Slice(Vec<(usize, usize)>),
    /// Operands: array, part.
    SetSlice(Vec<(usize, usize)>),
    /// `tensor.splat` of a scalar.
    Splat,
    /// `linalg.fill` of an empty tensor.
    Fill,
    FromElements,
    Generate,
    /// The first dimension becomes the last.
    Transpose,
    /// A product of matrices, or of a matrix and an array.
    Product,
    /// Operands: matrix, array; the sum over the columns of what the body makes of both.
    Contract,
    /// `linalg.reduce` of a dimension of a matrix.
    Columns(Fold, usize),
    Linalg(LinalgOp),
    Shape(ShapeOp),
    Lanes(LanesOp),
    /// An array of rank one with constants around it.
    Pad {
        low: usize,
        high: usize,
    },
    /// Two arrays of rank one behind each other.
    Concat,
    /// An entry of `vocabulary::COMPLEX` on two floats, as real and imaginary part.
    Complex(usize),
    /// A map over the elements of a matrix, by collapsing and expanding it.
    Flat,
    /// To an unknown size and back.
    CastTrip,
    Map,
    Reduce(Fold),
    Scan {
        fold: Fold,
        exclusive: bool,
        reverse: bool,
    },
    /// Operands: bins, values; value i goes to bin `(i * factor + offset) mod (m + 1)`, of
    /// which m is out of range.
    Hist {
        fold: Fold,
        factor: usize,
        offset: usize,
    },
    /// Operands: array, values; positions as for `Hist`.
    Scatter {
        factor: usize,
        offset: usize,
    },
    Iota,
    Replicate,
    /// Adds into the first operand, for each element of the others; the body gives indices and a value.
    WithAcc,
    /// As `WithAcc`, in a sequential loop of so many steps.
    WithAccLoop(usize),
    For {
        lower: usize,
        /// Where the loop ends, unless an index operand comes first.
        upper: usize,
        step: usize,
        carried: usize,
        /// The factors of `ad.strip_mine`.
        mined: Vec<usize>,
    },
    /// A loop that overwrites no element after it was read or written: it fills an array from
    /// its first elements, backwards or not. Operands: array, numbers that are carried too;
    /// the body gets the element or row that was written `distance` steps before.
    Recurrence {
        distance: usize,
        backwards: bool,
        promise: Promise,
        mined: Vec<usize>,
    },
    If(&'static str),
    /// Chooses a body by an index; the last body is for all other cases.
    Switch,
    /// Ends after so many steps, or where the first carried float leaves a range, if it `watches`.
    While {
        limit: usize,
        watches: bool,
        /// `ad.bound`.
        bound: Option<usize>,
    },
    /// A sum or product over an index of so many steps.
    Parallel {
        steps: usize,
        fold: Fold,
    },
    /// An array of rank one, written in parallel.
    Forall,
    /// A call of an earlier function.
    Call(usize),
    /// Operands: arguments, seeds.
    Vjp(usize),
    Jvp(usize),
}

/// Associative operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fold {
    Add,
    Mul,
    Max,
    Min,
    /// Composition of affine functions, on pairs.
    Affine,
    /// `a + b + c a b`, a general associative operator.
    Twisted,
}

impl Body {
    /// The variables a body reads from outside, added to `free`.
    pub fn free(&self, free: &mut HashSet<Var>) {
        let mut used = HashSet::new();
        for stmt in &self.stmts {
            used.extend(stmt.operands.iter().map(|o| o.0));
            stmt.bodies.iter().for_each(|b| b.free(&mut used));
        }
        used.extend(self.results.iter().map(|r| r.0));
        for stmt in &self.stmts {
            stmt.results.iter().for_each(|r| {
                used.remove(&r.0);
            });
        }
        self.params.iter().for_each(|p| {
            used.remove(&p.0);
        });
        free.extend(used);
    }

    /// Drops statements whose results nobody reads.
    pub fn prune(&mut self) {
        let mut live: HashSet<Var> = self.results.iter().map(|r| r.0).collect();
        let mut kept = Vec::new();
        for mut stmt in std::mem::take(&mut self.stmts).into_iter().rev() {
            if !stmt.results.iter().any(|r| live.contains(&r.0)) {
                continue;
            }
            live.extend(stmt.operands.iter().map(|o| o.0));
            for body in &mut stmt.bodies {
                body.prune();
                body.free(&mut live);
            }
            kept.push(stmt);
        }
        kept.reverse();
        self.stmts = kept;
    }

    /// The number of statements, nested ones included.
    pub fn size(&self) -> usize {
        self.stmts.iter().map(|s| 1 + s.bodies.iter().map(Body::size).sum::<usize>()).sum()
    }

    /// Every type that the body mentions.
    pub fn types<'a>(&'a self, types: &mut Vec<&'a Ty>) {
        types.extend(self.params.iter().map(|p| &p.1));
        for stmt in &self.stmts {
            types.extend(stmt.results.iter().chain(&stmt.operands).map(|v| &v.1));
            stmt.bodies.iter().for_each(|b| b.types(types));
        }
        types.extend(self.results.iter().map(|r| &r.1));
    }

    /// The functions that a body calls or differentiates.
    fn callees(&self, out: &mut HashSet<usize>) {
        for stmt in &self.stmts {
            if let Op::Call(f) | Op::Vjp(f) | Op::Jvp(f) = stmt.op {
                out.insert(f);
            }
            stmt.bodies.iter().for_each(|b| b.callees(out));
        }
    }
}

impl Tree {
    /// The function that is checked.
    pub fn entry(&self) -> usize {
        self.functions.len() - 1
    }

    /// Drops dead statements and empties functions that nobody calls.
    pub fn prune(&mut self) {
        self.functions.iter_mut().for_each(Body::prune);
    }

    /// The functions the entry needs, in order.
    pub fn reachable(&self) -> Vec<usize> {
        let mut needed: HashSet<usize> = HashSet::from([self.entry()]);
        for f in (0..self.functions.len()).rev() {
            if needed.contains(&f) {
                self.functions[f].callees(&mut needed);
            }
        }
        let mut list: Vec<usize> = needed.into_iter().collect();
        list.sort_unstable();
        list
    }

    /// The dynamic symbols that the reachable functions mention.
    pub fn dynamic_symbols(&self) -> Vec<usize> {
        let mut types = Vec::new();
        self.reachable().iter().for_each(|&f| self.functions[f].types(&mut types));
        let mut used: HashSet<usize> = HashSet::new();
        for ty in types {
            match ty {
                Ty::Array(dims) => used.extend(dims),
                Ty::Indices(s) => {
                    used.insert(*s);
                }
                _ => {}
            }
        }
        let mut list: Vec<usize> = used.into_iter().filter(|&s| self.symbols[s].dynamic).collect();
        list.sort_unstable();
        list
    }

    /// Statements in reachable functions.
    pub fn size(&self) -> usize {
        self.reachable().iter().map(|&f| self.functions[f].size()).sum()
    }

    /// Whether it asks for derivatives itself.
    pub fn has_requests(&self) -> bool {
        fn has(body: &Body) -> bool {
            let own = |s: &Stmt| matches!(s.op, Op::Vjp(_) | Op::Jvp(_));
            body.stmts.iter().any(|s| own(s) || s.bodies.iter().any(has))
        }
        self.reachable().iter().any(|&f| has(&self.functions[f]))
    }
}
