//! Which functions a value may be: values that flow into each other are one class [MYIA 4].
//!
//! A class knows where its functions are made, and the classes of what they take and return, as far as those are
//! functions. The analysis does not tell calls of one function apart; `specialize` has done that before.
//!
//! A class is *open* if it has functions that the module does not know: arguments of a public function or of one without
//! a body. This concerns function types only, because nothing outside makes closures.

use std::collections::HashMap;

use ad_dialect::{
    blocks::{handed_on, is_branch, successors},
    capi::{function_types, is_closure},
    ir::{BlkExt, Op, OpExt, Val, ValExt, ValueKey, is_public},
};
use melior::ir::ValueLike;

use super::{
    argument_count, callee_of, functions, inside, is_function, is_function_type, is_indirect_call,
    made,
};
use crate::{
    ad::signature,
    support::{
        diag::{Result, error},
        symbol::name_of,
    },
};

/// A function that a class may be.
#[derive(Clone)]
pub struct Target<'c> {
    /// The name of the function.
    pub callee: String,
    /// How many arguments are captured.
    pub captured: usize,
    /// Where it is made.
    pub made: Op<'c>,
    /// How many are made before it in the module.
    number: usize,
}

/// Arguments and results of a function, as nodes where they are functions.
type Ends = (Vec<Option<usize>>, Vec<Option<usize>>);

/// A class of function values.
#[derive(Default)]
pub struct Class<'c> {
    /// The functions that its values may be, in the order in which they are made.
    pub targets: Vec<Target<'c>>,
    /// Whether there may be others.
    pub is_open: bool,
    ends: Option<Ends>,
}

/// The classes of a module.
pub struct Flow<'c> {
    functions: HashMap<String, Op<'c>>,
    values: HashMap<ValueKey, usize>,
    results: HashMap<(String, usize), usize>,
    above: Vec<usize>,
    classes: Vec<Class<'c>>,
    made: usize,
}

impl<'c> Flow<'c> {
    /// The classes of a module without lambdas.
    pub fn of(module: Op<'c>) -> Result<Self> {
        let functions = functions(module);
        let named = functions.iter().filter_map(|op| Some((name_of(*op)?, *op)));
        let mut flow = Self {
            functions: named.collect(),
            values: HashMap::new(),
            results: HashMap::new(),
            above: vec![],
            classes: vec![],
            made: 0,
        };
        let mut result = Ok(());
        for function in functions {
            flow.signature(function);
            for op in inside(function) {
                result = flow.operation(function, op).and(result);
            }
        }
        flow.spread();
        result.map(|()| flow)
    }

    /// The function of a name.
    pub fn function(&self, name: &str) -> Option<Op<'c>> {
        self.functions.get(name).copied()
    }

    /// The class of a value, if it is a function.
    pub fn class_of(&mut self, value: Val<'c>) -> Option<usize> {
        let node = self.node(value)?;
        Some(self.root(node))
    }

    /// What is known of a class.
    pub fn class(&self, class: usize) -> &Class<'c> {
        &self.classes[class]
    }

    /// The class of a result of a function.
    pub fn result(&mut self, function: &str, position: usize) -> usize {
        let node = self.result_node(function, position);
        self.root(node)
    }

    fn root(&mut self, mut node: usize) -> usize {
        while self.above[node] != node {
            self.above[node] = self.above[self.above[node]];
            node = self.above[node];
        }
        node
    }

    fn new_node(&mut self) -> usize {
        self.above.push(self.above.len());
        self.classes.push(Class::default());
        self.above.len() - 1
    }

    fn node(&mut self, value: Val<'c>) -> Option<usize> {
        if !is_function(value) {
            return None;
        }
        if let Some(&node) = self.values.get(&value.key()) {
            return Some(node);
        }
        let node = self.new_node();
        self.values.insert(value.key(), node);
        Some(node)
    }

    fn result_node(&mut self, function: &str, position: usize) -> usize {
        let key = (function.to_owned(), position);
        if let Some(&node) = self.results.get(&key) {
            return node;
        }
        let node = self.new_node();
        self.results.insert(key, node);
        node
    }

    fn unify(&mut self, one: Option<usize>, other: Option<usize>) {
        let mut todo = vec![(one, other)];
        while let Some((one, other)) = todo.pop() {
            let (Some(one), Some(other)) = (one, other) else { continue };
            let (one, other) = (self.root(one), self.root(other));
            if one == other {
                continue;
            }
            self.above[other] = one;
            let gone = std::mem::take(&mut self.classes[other]);
            let class = &mut self.classes[one];
            class.is_open |= gone.is_open;
            for target in gone.targets {
                let is_known = class.targets.iter().any(|known| {
                    known.callee == target.callee && known.captured == target.captured
                });
                if !is_known {
                    class.targets.push(target);
                }
            }
            class.targets.sort_by_key(|target| target.number);
            match (&class.ends, gone.ends) {
                (Some((inputs, results)), Some((more, others))) => {
                    todo.extend(inputs.iter().copied().zip(more));
                    todo.extend(results.iter().copied().zip(others));
                }
                (None, ends) => class.ends = ends,
                _ => {}
            }
        }
    }

    fn unify_values(&mut self, ones: &[Val<'c>], others: &[Val<'c>]) {
        for (&one, &other) in ones.iter().zip(others) {
            let (one, other) = (self.node(one), self.node(other));
            self.unify(one, other);
        }
    }

    fn nodes(&mut self, values: &[Val<'c>]) -> Vec<Option<usize>> {
        values.iter().map(|&value| self.node(value)).collect()
    }

    /// What functions of a class take and return flows to and from these nodes.
    fn connect(&mut self, value: Val<'c>, ends: Ends) {
        let Some(node) = self.node(value) else { return };
        let root = self.root(node);
        match self.classes[root].ends.clone() {
            None => self.classes[root].ends = Some(ends),
            Some((inputs, results)) => {
                for (one, other) in inputs.into_iter().zip(ends.0) {
                    self.unify(one, other);
                }
                for (one, other) in results.into_iter().zip(ends.1) {
                    self.unify(one, other);
                }
            }
        }
    }

    /// The nodes of a function's arguments and results; none if there is no such function with a body.
    fn ends_of(&mut self, name: &str) -> Option<Ends> {
        let function = self.function(name)?;
        let (_, results) = signature(function)?;
        let arguments = function.body(0)?.arg_list();
        let inputs = self.nodes(&arguments);
        let results = results
            .iter()
            .enumerate()
            .map(|(i, r#type)| is_function_type(*r#type).then(|| self.result_node(name, i)));
        let results = results.collect();
        Some((inputs, results))
    }

    /// What comes from outside, or goes there.
    fn signature(&mut self, function: Op<'c>) {
        let Some(name) = name_of(function) else { return };
        if function.body(0).is_some() && !is_public(function) {
            return;
        }
        let arguments = function.body(0).map(|body| body.arg_list()).unwrap_or_default();
        for argument in arguments.into_iter().filter(|a| !is_closure(a.r#type())) {
            self.open(argument);
        }
        let (_, results) = signature(function).unwrap_or_default();
        for (i, r#type) in results.into_iter().enumerate() {
            if is_function_type(r#type) && !is_closure(r#type) {
                let node = self.result_node(&name, i);
                let root = self.root(node);
                self.classes[root].is_open = true;
            }
        }
    }

    fn open(&mut self, value: Val<'c>) {
        if let Some(node) = self.node(value) {
            let root = self.root(node);
            self.classes[root].is_open = true;
        }
    }

    /// What an open class takes and returns is open.
    fn spread(&mut self) {
        let mut todo: Vec<usize> =
            (0..self.classes.len()).filter(|&class| self.classes[class].is_open).collect();
        while let Some(class) = todo.pop() {
            let (inputs, results) = self.classes[class].ends.clone().unwrap_or_default();
            for node in inputs.into_iter().chain(results).flatten() {
                let root = self.root(node);
                if !std::mem::replace(&mut self.classes[root].is_open, true) {
                    todo.push(root);
                }
            }
        }
    }

    fn operation(&mut self, function: Op<'c>, op: Op<'c>) -> Result<()> {
        let (operands, results) = (op.operand_list(), op.result_list());
        if is_branch(op) {
            for (to, values) in successors(op).into_iter().zip(handed_on(op)) {
                self.unify_values(&values, &to.arg_list());
            }
        } else if let (Some((callee, captured)), Some(&result)) = (made(op), results.first()) {
            self.make(op, callee, &captured, result);
        } else if is_indirect_call(op) {
            let ends = (self.nodes(&operands[1..]), self.nodes(&results));
            self.connect(operands[0], ends);
        } else if let Some(callee) = callee_of(op) {
            self.direct_call(op, &callee);
        } else {
            return self.structured(function, op);
        }
        Ok(())
    }

    fn make(&mut self, op: Op<'c>, callee: String, captured: &[Val<'c>], result: Val<'c>) {
        let Some(node) = self.node(result) else { return };
        let root = self.root(node);
        let count = captured.len();
        match self.ends_of(&callee) {
            Some((mut inputs, results)) => {
                let rest = inputs.split_off(count.min(inputs.len()));
                for (value, input) in self.nodes(captured).into_iter().zip(inputs) {
                    self.unify(value, input);
                }
                self.connect(result, (rest, results));
            }
            None => {
                // A function without a body.
                let ends = function_types(result.r#type()).unwrap_or_default();
                let mut ends = ends.0.into_iter().chain(ends.1);
                self.classes[root].is_open |= ends.any(is_function_type);
            }
        }
        let root = self.root(node);
        let targets = &mut self.classes[root].targets;
        if !targets.iter().any(|known| known.callee == callee && known.captured == count) {
            targets.push(Target { callee, captured: count, made: op, number: self.made });
            targets.sort_by_key(|target| target.number);
        }
        self.made += 1;
    }

    fn direct_call(&mut self, op: Op<'c>, callee: &str) {
        let arguments = op.operand_list()[..argument_count(op)].to_vec();
        let values = (self.nodes(&arguments), self.nodes(&op.result_list()));
        match self.ends_of(callee) {
            Some((inputs, results)) => {
                let pairs =
                    inputs.into_iter().zip(values.0).chain(results.into_iter().zip(values.1));
                pairs
                    .collect::<Vec<_>>()
                    .into_iter()
                    .for_each(|(one, other)| self.unify(one, other));
            }
            None => {
                let values = arguments.into_iter().chain(op.result_list());
                values.filter(|value| !is_closure(value.r#type())).for_each(|v| self.open(v));
            }
        }
    }

    fn structured(&mut self, function: Op<'c>, op: Op<'c>) -> Result<()> {
        let (operands, results) = (op.operand_list(), op.result_list());
        if !operands.iter().chain(&results).any(|&value| is_function(value)) {
            return Ok(());
        }
        let ends = |block: ad_dialect::ir::Blk<'c>| block.ends();
        match op.op_name() {
            "func.return" => {
                let name = name_of(function).unwrap_or_default();
                for (i, value) in operands.into_iter().enumerate() {
                    if let Some(node) = self.node(value) {
                        let result = self.result_node(&name, i);
                        self.unify(Some(node), Some(result));
                    }
                }
            }
            "arith.select" => {
                self.unify_values(&operands[1..2], &results);
                self.unify_values(&operands[2..], &results);
            }
            "ad.stop_gradient" => self.unify_values(&operands, &results),
            "scf.if" | "scf.index_switch" | "scf.execute_region" => {
                let yields = op.blocks().into_iter().filter_map(|block| block.term());
                for end in yields.filter(|end| end.op_name() == "scf.yield") {
                    self.unify_values(&end.operand_list(), &results);
                }
            }
            "scf.for" => {
                let Some(body) = op.body(0) else { return Ok(()) };
                self.unify_values(&operands[3..], &results);
                self.unify_values(&body.arg_list()[1..], &results);
                self.unify_values(&ends(body), &results);
            }
            "scf.while" => {
                let (Some(before), Some(after)) = (op.body(0), op.body(1)) else { return Ok(()) };
                self.unify_values(&operands, &before.arg_list());
                self.unify_values(&ends(after), &before.arg_list());
                let passed = ends(before).split_off(1);
                self.unify_values(&passed, &after.arg_list());
                self.unify_values(&passed, &results);
            }
            "scf.yield" | "scf.condition" | "ub.poison" => {}
            _ => {
                let values = || operands.iter().chain(&results);
                if values().any(|value| is_closure(value.r#type())) {
                    return Err(error(
                        op,
                        "has an operand or result that is a closure, which it cannot",
                    ));
                }
                values().for_each(|&value| self.open(value));
            }
        }
        Ok(())
    }
}
