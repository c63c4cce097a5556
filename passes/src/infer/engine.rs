//! The engine: what holds of every value of every instance of a function.

mod calls;
mod walk;

use std::{
    any::TypeId,
    collections::{HashMap, VecDeque},
};

use ad_dialect::ir::{BlkExt, DYNAMIC, Op, OpExt, OpKey, TyExt, is_public, text_of};
use melior::ir::{Type, TypeLike};

use super::property::{AnyProperty, Conflict, Facts, Known, Property};
use crate::{
    ad::signature,
    support::{
        diag::{Reported, Result, error_with_notes},
        symbol::name_of,
    },
};

/// A function with so many signatures gets no more.
const MOST_INSTANCES: usize = 64;

/// A function for one kind of its calls.
pub struct Instance<'c> {
    /// The function.
    pub function: Op<'c>,
    /// What holds of its arguments.
    pub arguments: Vec<Known>,
    /// What holds of what it returns; none as long as it does not return.
    pub results: Option<Vec<Known>>,
    /// What holds of its values.
    pub facts: Facts<'c>,
    /// Which instance each call and request in it means.
    pub calls: HashMap<OpKey, usize>,
    /// Whether it is that of no call in particular.
    pub is_general: bool,
    key: String,
    /// Whether it stands for several calls of a function that calls itself.
    is_common: bool,
    /// The call that it was made for, and the instance that this is in.
    asked: Option<(usize, Op<'c>)>,
    /// What reads its results.
    readers: Vec<usize>,
    /// The instance that has taken its place.
    replaced: Option<usize>,
}

/// The inference of a module.
pub struct Engine<'c> {
    /// Whether only functions with tensors of unknown rank have several instances.
    pub only_unranked: bool,
    properties: Vec<Box<dyn AnyProperty>>,
    positions: HashMap<TypeId, usize>,
    functions: HashMap<String, Op<'c>>,
    order: Vec<String>,
    instances: Vec<Instance<'c>>,
    todo: VecDeque<usize>,
    /// What is wrong, which counts once nothing changes any more.
    conflicts: Option<Vec<(Op<'c>, usize, Conflict)>>,
}

impl<'c> Engine<'c> {
    /// An engine without properties.
    pub fn new(module: Op<'c>) -> Self {
        let ops = module.body(0).map(|body| body.ops()).unwrap_or_default();
        let functions = ops.into_iter().filter(|op| op.op_name() == "func.func");
        let named: Vec<_> = functions.filter_map(|op| Some((name_of(op)?, op))).collect();
        Self {
            only_unranked: false,
            properties: vec![],
            positions: HashMap::new(),
            order: named.iter().map(|(name, _)| name.clone()).collect(),
            functions: named.into_iter().collect(),
            instances: vec![],
            todo: VecDeque::new(),
            conflicts: None,
        }
    }

    /// Adds a property.
    pub fn add<P: Property>(&mut self, property: P) {
        self.positions.insert(TypeId::of::<P>(), self.properties.len());
        self.properties.push(Box::new(property));
    }

    /// Whether a function has tensors of unknown rank.
    pub fn has_unranked(&self) -> bool {
        self.functions
            .values()
            .any(|function| self.is_open(*function, |ty| ty.is_unranked_tensor()))
    }

    /// The instances that are used, with their numbers.
    pub fn instances(&self) -> impl Iterator<Item = (usize, &Instance<'c>)> {
        let mut used = vec![false; self.instances.len()];
        let is_root = |i: &usize| self.instances[*i].asked.is_none();
        let mut todo: Vec<_> = (0..used.len()).filter(is_root).collect();
        while let Some(i) = todo.pop() {
            let i = self.current(i);
            if !std::mem::replace(&mut used[i], true) {
                todo.extend(self.instances[i].calls.values());
            }
        }
        self.instances.iter().enumerate().filter(move |(i, _)| used[*i])
    }

    /// Where a property is in what is known.
    pub fn position<P: Property>(&self) -> Option<usize> {
        self.positions.get(&TypeId::of::<P>()).copied()
    }

    /// An instance.
    pub fn at(&self, number: usize) -> &Instance<'c> {
        &self.instances[number]
    }

    /// The instance that has taken the place of another one in the end.
    pub fn current(&self, mut instance: usize) -> usize {
        while let Some(next) = self.instances[instance].replaced {
            instance = next;
        }
        instance
    }

    /// Infers what holds in the functions that are called from elsewhere, and in all that they call.
    pub fn run(&mut self) -> Result<()> {
        let called = self.called();
        for name in self.order.clone() {
            let function = self.functions[&name];
            if function.body(0).is_some() && (is_public(function) || !called.contains(&name)) {
                let arguments = self.of_types(&self.inputs(function));
                self.instance(function, arguments, None, true);
            }
        }
        self.settle();
        self.conflicts = Some(vec![]);
        let used: Vec<_> = self.instances().map(|(i, _)| i).collect();
        used.into_iter().for_each(|i| self.infer(i));
        self.report()
    }

    fn settle(&mut self) {
        while let Some(i) = self.todo.pop_front() {
            if self.instances[i].replaced.is_none() {
                self.infer(i);
            }
        }
    }

    /// The functions that are called, or of which derivatives are requested.
    fn called(&self) -> Vec<String> {
        let mut called = vec![];
        for function in self.functions.values() {
            function.for_each(&mut |op| called.extend(op.attr("callee").and_then(text_of)));
        }
        called
    }

    fn inputs(&self, function: Op<'c>) -> Vec<Type<'c>> {
        signature(function).map(|(inputs, _)| inputs).unwrap_or_default()
    }

    fn outputs(&self, function: Op<'c>) -> Vec<Type<'c>> {
        signature(function).map(|(_, outputs)| outputs).unwrap_or_default()
    }

    fn of_types(&self, types: &[Type<'c>]) -> Vec<Known> {
        types.iter().map(|r#type| self.of_type(*r#type)).collect()
    }

    fn of_type(&self, r#type: Type<'c>) -> Known {
        self.properties.iter().map(|property| property.of_type(r#type)).collect()
    }

    /// Whether the type of a function has a part of some kind.
    fn is_open(&self, function: Op<'c>, is_part: impl Fn(Type<'c>) -> bool) -> bool {
        self.inputs(function).into_iter().chain(self.outputs(function)).any(is_part)
    }

    /// Whether a function may have several instances.
    fn is_generic(&self, function: Op<'c>) -> bool {
        let is_dynamic = |r#type: Type<'c>| {
            let has_size = r#type.shape().contains(&DYNAMIC);
            r#type.is_unranked_tensor() || has_size && !self.only_unranked
        };
        function.body(0).is_some() && self.is_open(function, is_dynamic)
    }

    fn join(&self, a: &Known, b: &Known) -> Known {
        self.properties.iter().zip(a.iter().zip(b)).map(|(p, (a, b))| p.join(a, b)).collect()
    }

    fn is_same(&self, a: &Known, b: &Known) -> bool {
        self.properties.iter().zip(a.iter().zip(b)).all(|(p, (a, b))| p.is_same(a, b))
    }

    fn key(&self, name: &str, arguments: &[Known]) -> String {
        let mut key = name.to_owned();
        for known in arguments {
            for (property, fact) in self.properties.iter().zip(known) {
                key += &format!(" {}", property.text(fact));
            }
        }
        key
    }

    /// The instance of a function with a signature, made on first demand.
    fn instance(
        &mut self,
        function: Op<'c>,
        arguments: Vec<Known>,
        asked: Option<(usize, Op<'c>)>,
        is_general: bool,
    ) -> usize {
        let key = self.key(&name_of(function).unwrap_or_default(), &arguments);
        if let Some(there) = self.instances.iter().position(|instance| instance.key == key) {
            return self.current(there);
        }
        let types = self.of_types(&self.inputs(function));
        let is_general =
            is_general || arguments.iter().zip(&types).all(|(a, b)| self.is_same(a, b));
        let outputs = self.outputs(function);
        let results = (!self.is_generic(function)).then(|| self.of_types(&outputs));
        self.instances.push(Instance {
            function,
            arguments,
            results,
            facts: Facts::new(self.positions.clone()),
            calls: HashMap::new(),
            is_general,
            key,
            is_common: false,
            asked,
            readers: vec![],
            replaced: None,
        });
        self.todo.push_back(self.instances.len() - 1);
        self.instances.len() - 1
    }

    /// Infers what holds in an instance, until nothing changes in it.
    fn infer(&mut self, number: usize) {
        let function = self.instances[number].function;
        let Some(entry) = function.body(0) else { return };
        let mut facts = Facts::new(self.positions.clone());
        facts.reached.push(entry);
        for (argument, known) in entry.arg_list().into_iter().zip(&self.instances[number].arguments)
        {
            facts.set(argument, known.clone());
        }
        let mut walk = Walk { number, facts, changes: true, results: None };
        while std::mem::take(&mut walk.changes) {
            if let Some(conflicts) = &mut self.conflicts {
                conflicts.retain(|(_, instance, _)| *instance != number);
            }
            for block in function.blocks() {
                if walk.facts.reached.contains(&block) {
                    block.ops().into_iter().for_each(|op| self.visit(&mut walk, op));
                }
            }
        }
        let Walk { facts, results, .. } = walk;
        let is_generic = self.is_generic(function);
        let instance = &mut self.instances[number];
        instance.facts = facts;
        if !is_generic {
            return;
        }
        let (old, readers) = (instance.results.take(), instance.readers.clone());
        let is_new = match (&old, &results) {
            (None, None) => false,
            (Some(a), Some(b)) => !a.iter().zip(b).all(|(a, b)| self.is_same(a, b)),
            _ => true,
        };
        self.instances[number].results = results.or(old);
        if is_new {
            self.todo.extend(readers);
        }
    }

    /// Reports what is wrong, each operation once.
    fn report(&mut self) -> Result<()> {
        let mut seen: Vec<OpKey> = vec![];
        let mut result: Result<()> = Ok(());
        for (op, instance, conflict) in self.conflicts.take().unwrap_or_default() {
            if seen.contains(&op.key()) {
                continue;
            }
            seen.push(op.key());
            let mut notes = vec![];
            let mut asked = self.instances[instance].asked;
            while let Some((caller, call)) = asked {
                notes.push((call, "called from here".to_owned()));
                asked = self.instances[caller].asked;
            }
            let reported: Reported = error_with_notes(op, &conflict, &notes);
            result = Err(reported);
        }
        result
    }
}

/// The inference of one instance.
struct Walk<'c> {
    number: usize,
    facts: Facts<'c>,
    changes: bool,
    results: Option<Vec<Known>>,
}
