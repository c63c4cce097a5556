//! Black-box scalar functions and those that are their derivatives.

use crate::expr::Function;

/// Where a function comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    /// The program.
    Given,
    /// The derivative of a function of one argument.
    Derivative(Function),
    /// The tangent of the result: of the arguments, then their tangents.
    Tangent(Function),
    /// The cotangent of an argument: of the arguments, then the result's.
    Cotangent(Function, usize),
}

/// The functions of a program, each with its number of arguments.
#[derive(Clone, Debug, Default)]
pub struct Functions {
    known: Vec<(Origin, usize)>,
    derivatives: Vec<(Function, Function)>,
}

impl Functions {
    /// A new function of the program.
    pub fn given(&mut self, arity: usize) -> Function {
        self.push(Origin::Given, arity)
    }

    /// Says that the derivative of a function of one argument is another.
    pub fn set_derivative(&mut self, of: Function, is: Function) {
        self.derivatives.push((of, is));
    }

    /// Where a function comes from.
    pub fn origin(&self, function: Function) -> Origin {
        self.known[function.0 as usize].0
    }

    /// The number of a function's arguments.
    pub fn arity(&self, function: Function) -> usize {
        self.known[function.0 as usize].1
    }

    /// How many functions are known.
    pub fn len(&self) -> usize {
        self.known.len()
    }

    /// Whether no function is known.
    pub fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// The derivative of a function of one argument.
    pub fn derivative(&mut self, of: Function) -> Function {
        let known = self.derivatives.iter().find(|(function, _)| *function == of);
        match known {
            Some((_, derivative)) => *derivative,
            None => self.derived(Origin::Derivative(of), 1),
        }
    }

    /// The tangent of a function's result.
    pub fn tangent(&mut self, of: Function) -> Function {
        self.derived(Origin::Tangent(of), 2 * self.arity(of))
    }

    /// The cotangent of a function's argument.
    pub fn cotangent(&mut self, of: Function, argument: usize) -> Function {
        self.derived(Origin::Cotangent(of, argument), self.arity(of) + 1)
    }

    fn derived(&mut self, origin: Origin, arity: usize) -> Function {
        let place = self.known.iter().position(|(known, _)| *known == origin);
        match place {
            Some(place) => Function(place as u32),
            None => self.push(origin, arity),
        }
    }

    fn push(&mut self, origin: Origin, arity: usize) -> Function {
        self.known.push((origin, arity));
        Function(self.known.len() as u32 - 1)
    }
}
