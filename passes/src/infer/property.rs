//! Properties of values, and what is known of them.
//!
//! A new property implements `Property` and is added to the engine; it may ask for any other property of any value.
//! What is known of a value is the product of all properties.

use std::{
    any::{Any, TypeId},
    collections::HashMap,
    fmt::Debug,
    rc::Rc,
};

use ad_dialect::ir::{Blk, Op, Val, ValExt, ValueKey};
use melior::ir::Type;

/// Why something cannot be.
pub type Conflict = String;

/// Something to be known of values: a lattice, and how operations change it.
pub trait Property: 'static {
    /// What may be known. What is written of it (`Debug`) tells signatures apart.
    type Fact: Clone + PartialEq + Debug + 'static;

    /// What holds of every value of a type: nothing else is known.
    fn of_type(&self, r#type: Type<'_>) -> Self::Fact;

    /// What holds of a value that may come from two places.
    fn join(&self, a: &Self::Fact, b: &Self::Fact) -> Self::Fact;

    /// What holds of a value of a type of which something is known, too.
    fn refine(&self, fact: &Self::Fact, _type: Type<'_>) -> Result<Self::Fact, Conflict> {
        Ok(fact.clone())
    }

    /// What an operation makes of its operands, of which all is known that will be; nothing is known of its results if
    /// there is no answer. Branches, loops, calls and requests are seen to by the engine.
    fn transfer<'c>(
        &self,
        op: Op<'c>,
        facts: &Facts<'c>,
    ) -> Result<Option<Vec<Self::Fact>>, Conflict>;

    /// What holds of the arguments of a body of an operation.
    fn enter<'c>(
        &self,
        _op: Op<'c>,
        _body: Blk<'c>,
        _facts: &Facts<'c>,
    ) -> Option<Vec<Self::Fact>> {
        None
    }

    /// What holds of a tangent or cotangent of a value.
    fn of_derivative(&self, _of: &Self::Fact) -> Option<Self::Fact> {
        None
    }
}

/// A fact of some property.
pub type AnyFact = Rc<dyn Any>;

/// What is known of a value: a fact for each property, in the order of the engine.
pub type Known = Vec<AnyFact>;

/// What is known of the values of a function.
#[derive(Default)]
pub struct Facts<'c> {
    positions: HashMap<TypeId, usize>,
    known: HashMap<ValueKey, Known>,
    /// What flows to blocks of the graph.
    pub(super) reached: Vec<Blk<'c>>,
}

impl<'c> Facts<'c> {
    pub(super) fn new(positions: HashMap<TypeId, usize>) -> Self {
        Self { positions, known: HashMap::new(), reached: vec![] }
    }

    /// What a property says of a value; none as long as nothing reaches the value.
    pub fn get<P: Property>(&self, value: Val<'c>) -> Option<P::Fact> {
        let position = *self.positions.get(&TypeId::of::<P>())?;
        self.known.get(&value.key())?.get(position)?.downcast_ref::<P::Fact>().cloned()
    }

    /// All that is known of a value.
    pub fn all(&self, value: Val<'c>) -> Option<&Known> {
        self.known.get(&value.key())
    }

    pub(super) fn set(&mut self, value: Val<'c>, known: Known) {
        self.known.insert(value.key(), known);
    }
}

/// A property whatever its facts are.
pub(super) trait AnyProperty {
    fn of_type(&self, r#type: Type<'_>) -> AnyFact;
    fn join(&self, a: &AnyFact, b: &AnyFact) -> AnyFact;
    fn refine(&self, fact: &AnyFact, r#type: Type<'_>) -> Result<AnyFact, Conflict>;
    fn transfer<'c>(&self, op: Op<'c>, facts: &Facts<'c>)
    -> Result<Option<Vec<AnyFact>>, Conflict>;
    fn enter<'c>(&self, op: Op<'c>, body: Blk<'c>, facts: &Facts<'c>) -> Option<Vec<AnyFact>>;
    fn of_derivative(&self, of: &AnyFact) -> Option<AnyFact>;
    fn is_same(&self, a: &AnyFact, b: &AnyFact) -> bool;
    fn text(&self, fact: &AnyFact) -> String;
}

fn erase<F: 'static>(facts: Vec<F>) -> Vec<AnyFact> {
    facts.into_iter().map(|fact| Rc::new(fact) as AnyFact).collect()
}

impl<P: Property> AnyProperty for P {
    fn of_type(&self, r#type: Type<'_>) -> AnyFact {
        Rc::new(Property::of_type(self, r#type))
    }

    fn join(&self, a: &AnyFact, b: &AnyFact) -> AnyFact {
        match (a.downcast_ref::<P::Fact>(), b.downcast_ref::<P::Fact>()) {
            (Some(a), Some(b)) => Rc::new(Property::join(self, a, b)),
            _ => a.clone(),
        }
    }

    fn refine(&self, fact: &AnyFact, r#type: Type<'_>) -> Result<AnyFact, Conflict> {
        match fact.downcast_ref::<P::Fact>() {
            Some(fact) => Ok(Rc::new(Property::refine(self, fact, r#type)?)),
            None => Ok(fact.clone()),
        }
    }

    fn transfer<'c>(
        &self,
        op: Op<'c>,
        facts: &Facts<'c>,
    ) -> Result<Option<Vec<AnyFact>>, Conflict> {
        Ok(Property::transfer(self, op, facts)?.map(erase))
    }

    fn enter<'c>(&self, op: Op<'c>, body: Blk<'c>, facts: &Facts<'c>) -> Option<Vec<AnyFact>> {
        Property::enter(self, op, body, facts).map(erase)
    }

    fn of_derivative(&self, of: &AnyFact) -> Option<AnyFact> {
        let made = Property::of_derivative(self, of.downcast_ref::<P::Fact>()?)?;
        Some(Rc::new(made))
    }

    fn is_same(&self, a: &AnyFact, b: &AnyFact) -> bool {
        a.downcast_ref::<P::Fact>() == b.downcast_ref::<P::Fact>()
    }

    fn text(&self, fact: &AnyFact) -> String {
        fact.downcast_ref::<P::Fact>().map(|fact| format!("{fact:?}")).unwrap_or_default()
    }
}
