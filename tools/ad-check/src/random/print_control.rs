//! Loops and branches as MLIR text.

use super::ops::Promise;
use super::print::{Printer, var, vars};
use super::print_arrays::dims_of;
use super::tree::{Fold, Op, Stmt, Ty, Var};

impl Printer<'_> {
    pub(super) fn control(&mut self, stmt: &Stmt) {
        match &stmt.op {
            Op::For { lower, upper, step, carried, mined } => {
                self.counted(stmt, [*lower, *upper, *step], *carried, mined)
            }
            Op::Recurrence { distance, backwards, promise, mined } => {
                self.recurrence(stmt, *distance, *backwards, &attributes(stmt, *promise, mined));
            }
            Op::If(predicate) => self.branch(stmt, predicate),
            Op::Switch => self.switch(stmt),
            Op::While { limit, watches, bound } => {
                self.conditional_loop(stmt, *limit, *watches, *bound)
            }
            Op::Parallel { steps, fold } => self.parallel(stmt, *steps, *fold),
            Op::Forall => self.forall(stmt),
            _ => {}
        }
    }

    fn counted(&mut self, stmt: &Stmt, range: [usize; 3], carried: usize, mined: &[usize]) {
        let body = &stmt.bodies[0];
        let [lower, upper, step] = range;
        let [low, step] = [lower, step].map(|n| self.index(n));
        let (bounds, inits) = stmt.operands.split_at(stmt.operands.len() - carried);
        let high = match bounds.first() {
            Some((v, _)) => self.small(*v),
            None => self.index(upper),
        };
        let (induction, params) =
            body.params.split_first().expect("a loop has an induction variable");
        let pairs: Vec<String> =
            params.iter().zip(inits).map(|(p, i)| format!("{} = {}", var(p.0), var(i.0))).collect();
        let types = self.types(&stmt.results);
        self.open(format!(
            "{} = scf.for {} = {low} to {high} step {step} iter_args({}) -> ({types}) {{",
            vars(&stmt.results),
            var(induction.0),
            pairs.join(", ")
        ));
        self.stmts(body);
        let results = self.arguments(&body.results);
        self.line(format!("scf.yield {results}"));
        self.close(&format!("}}{}", attributes(stmt, Promise::None, mined)));
    }

    fn recurrence(&mut self, stmt: &Stmt, distance: usize, backwards: bool, attributes: &str) {
        let body = &stmt.bodies[0];
        let [(i, _), (read, part), carried @ ..] = &body.params[..] else { return };
        let [(written, _), others @ ..] = &body.results[..] else { return };
        let [(a, ty), inits @ ..] = &stmt.operands[..] else { return };
        let (dims, i, ty, part) = (dims_of(ty), var(*i), self.ty(ty), self.ty(part));
        let [one, low] = [1, distance].map(|n| self.index(n));
        let [last, array, mut from, updated] = [(); 4].map(|()| self.fresh());
        let end = format!("%n{}", dims[0]);
        self.line(format!("{last} = arith.subi {end}, {one} : index"));
        let mut pairs = vec![format!("{array} = {}", var(*a))];
        pairs
            .extend(carried.iter().zip(inits).map(|(p, i)| format!("{} = {}", var(p.0), var(i.0))));
        let (types, pairs) = (self.types(&stmt.results), pairs.join(", "));
        self.open(format!(
            "{} = scf.for {i} = {low} to {end} step {one} iter_args({pairs}) -> ({types}) {{",
            vars(&stmt.results)
        ));
        self.line(format!("{from} = arith.subi {i}, {low} : index"));
        let mut at = i;
        if backwards {
            for position in [&mut from, &mut at] {
                let mirrored = self.fresh();
                self.line(format!("{mirrored} = arith.subi {last}, {position} : index"));
                *position = mirrored;
            }
        }
        let (source, target) = match dims.len() {
            1 => (format!("[{from}]"), format!("[{at}]")),
            _ => (self.row_position(dims, 0, &from), self.row_position(dims, 0, &at)),
        };
        let read = var(*read);
        match dims.len() {
            1 => self.line(format!("{read} = tensor.extract {array}{source} : {ty}")),
            _ => {
                self.line(format!("{read} = tensor.extract_slice {array}{source} : {ty} to {part}"))
            }
        }
        self.stmts(body);
        let written = var(*written);
        match dims.len() {
            1 => self
                .line(format!("{updated} = tensor.insert {written} into {array}{target} : {ty}")),
            _ => self.line(format!(
                "{updated} = tensor.insert_slice {written} into {array}{target} : {part} into {ty}"
            )),
        }
        let mut yielded = vec![updated];
        yielded.extend(others.iter().map(|o| var(o.0)));
        self.line(format!("scf.yield {} : {types}", yielded.join(", ")));
        self.close(&format!("}}{attributes}"));
    }

    /// An index reduced to at most 3, as a trip count.
    fn small(&mut self, v: Var) -> String {
        let (four, name) = (self.index(4), self.fresh());
        self.line(format!("{name} = arith.remui {}, {four} : index", var(v)));
        name
    }

    fn branch(&mut self, stmt: &Stmt, predicate: &str) {
        let condition = self.compare(predicate, stmt);
        let types = self.types(&stmt.results);
        self.open(format!("{} = scf.if {condition} -> ({types}) {{", vars(&stmt.results)));
        for (index, end) in [(0, "} else {"), (1, "}")] {
            let body = &stmt.bodies[index];
            self.stmts(body);
            let results = self.arguments(&body.results);
            self.line(format!("scf.yield {results}"));
            self.close(end);
            if index == 0 {
                self.reopen();
            }
        }
    }

    fn switch(&mut self, stmt: &Stmt) {
        let types = self.types(&stmt.results);
        let chosen = self.small(stmt.operands[0].0);
        self.line(format!("{} = scf.index_switch {chosen} -> {types}", vars(&stmt.results)));
        for index in 0..stmt.bodies.len() {
            let last = index + 1 == stmt.bodies.len();
            self.open(if last { "default {".to_string() } else { format!("case {index} {{") });
            self.body_end("scf.yield", stmt, index);
        }
    }

    fn conditional_loop(&mut self, stmt: &Stmt, limit: usize, watches: bool, bound: Option<usize>) {
        let body = &stmt.bodies[0];
        let [zero, one, limit] = [0, 1, limit].map(|n| self.index(n));
        let [all, tested, mut goes_on, next] = [(); 4].map(|()| self.fresh());
        let types = format!("index, {}", self.types(&stmt.results));
        let (counter, carried) = body.params.split_first().expect("a loop counts its steps");
        let entries: Vec<(Var, String)> = carried.iter().map(|p| (p.0, self.fresh())).collect();
        let inits: Vec<String> = (entries.iter().zip(&stmt.operands))
            .map(|((_, name), init)| format!("{name} = {}", var(init.0)))
            .collect();
        let count = stmt.results.len() + 1;
        self.open(format!(
            "{all}:{count} = scf.while ({tested} = {zero}, {}) : ({types}) -> ({types}) {{",
            inits.join(", ")
        ));
        self.line(format!("{goes_on} = arith.cmpi ult, {tested}, {limit} : index"));
        if watches {
            let (bound, small, both) = (self.constant(0.9), self.fresh(), self.fresh());
            let float = self.float();
            let first = &entries[0].1;
            self.line(format!("{small} = arith.cmpf olt, {first}, {bound} : {float}"));
            self.line(format!("{both} = arith.andi {goes_on}, {small} : i1"));
            goes_on = both;
        }
        let names: Vec<&str> = entries.iter().map(|(_, name)| name.as_str()).collect();
        self.line(format!("scf.condition({goes_on}) {tested}, {} : {types}", names.join(", ")));
        self.close("} do {");
        self.reopen();
        let params = self.typed(&body.params);
        self.line(format!("^bb0({params}):"));
        self.stmts(body);
        self.line(format!("{next} = arith.addi {}, {one} : index", var(counter.0)));
        self.line(format!("scf.yield {next}, {} : {types}", vars(&body.results)));
        let bound = bound.map(|n| format!(" attributes {{ad.bound = {n} : i64}}"));
        self.close(&format!("}}{}", bound.unwrap_or_default()));
        for (k, (v, ty)) in stmt.results.iter().enumerate() {
            self.alias(*v, &format!("{all}#{}", k + 1), ty);
        }
    }

    /// Another name for a value.
    fn alias(&mut self, v: Var, value: &str, ty: &Ty) {
        let (yes, text) = (self.fresh(), self.ty(ty));
        self.line(format!("{yes} = arith.constant true"));
        self.line(format!("{} = arith.select {yes}, {value}, {value} : {text}", var(v)));
    }

    fn parallel(&mut self, stmt: &Stmt, steps: usize, fold: Fold) {
        let body = &stmt.bodies[0];
        let [zero, one, end] = [0, 1, steps].map(|n| self.index(n));
        let float = self.float();
        self.open(format!(
            "{} = scf.parallel ({}) = ({zero}) to ({end}) step ({one}) init ({}) -> {float} {{",
            vars(&stmt.results),
            var(body.params[0].0),
            var(stmt.operands[0].0)
        ));
        self.stmts(body);
        let [l, r] = [(); 2].map(|()| self.fresh());
        self.open(format!("scf.reduce({} : {float}) {{", vars(&body.results)));
        self.line(format!("^bb0({l}: {float}, {r}: {float}):"));
        let result = self.operator(fold, &[l, r], &Ty::Float);
        self.line(format!("scf.reduce.return {} : {float}", result[0]));
        self.close("}");
        self.close("}");
    }

    fn forall(&mut self, stmt: &Stmt) {
        let (body, ty) = (&stmt.bodies[0], &stmt.results[0].1);
        let symbol = dims_of(ty)[0];
        let (sizes, text, float) = (self.dynamic_sizes(&[symbol]), self.ty(ty), self.float());
        let [empty, out, element] = [(); 3].map(|()| self.fresh());
        let i = var(body.params[0].0);
        self.line(format!("{empty} = tensor.empty({sizes}) : {text}"));
        self.open(format!(
            "{} = scf.forall ({i}) in (%n{symbol}) shared_outs({out} = {empty}) -> ({text}) {{",
            vars(&stmt.results)
        ));
        self.stmts(body);
        self.line(format!(
            "{element} = tensor.from_elements {} : tensor<1x{float}>",
            vars(&body.results)
        ));
        self.open("scf.forall.in_parallel {");
        self.line(format!(
            "tensor.parallel_insert_slice {element} into {out}[{i}] [1] [1] : tensor<1x{float}> into {text}"
        ));
        self.close("}");
        self.close("}");
    }
}

/// The attributes of a counted loop.
fn attributes(stmt: &Stmt, promise: Promise, mined: &[usize]) -> String {
    let mut list = Vec::new();
    match mined {
        [] => {}
        [factor] => list.push(format!("ad.strip_mine = {factor} : i64")),
        factors => {
            let factors: Vec<String> = factors.iter().map(usize::to_string).collect();
            list.push(format!("ad.strip_mine = array<i64: {}>", factors.join(", ")));
        }
    }
    match promise {
        Promise::None => {}
        Promise::All => list.push("ad.no_false_dependencies".into()),
        Promise::Listed => {
            let others = ", false".repeat(stmt.results.len() - 1);
            list.push(format!("ad.no_false_dependencies = array<i1: true{others}>"));
        }
    }
    if list.is_empty() { String::new() } else { format!(" {{{}}}", list.join(", ")) }
}
