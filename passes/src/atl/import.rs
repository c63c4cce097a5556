//! From operations of the `atl` dialect to expressions of the calculus.

use std::collections::HashMap;

use ad_calculus::{
    affine::{Affine, Size},
    expr::{self, Expr, Half, Names, Node, Path, Type as Kind, Var},
    functions::Functions,
    predicate::{Predicate, Range, Relation},
};
use ad_dialect::{
    atl,
    ir::{Blk, BlkExt, Op, OpExt, TyExt, Val, ValExt, ValueKey, i32_array, int_of, text_of},
};
use melior::ir::{Type, TypeLike, ValueLike, attribute::FloatAttribute, operation::OperationLike};

use super::fragment::{
    Fragment, FunctionOf, RelationOf, SizeOf, kind_of, known_function, position_of,
};
use crate::support::{
    diag::{Reported, Result, error},
    region::free_values,
};

/// Why operations are not of the tensor language: what is said at one of them.
pub struct Refusal<'c>(Op<'c>, String);

impl<'c> Refusal<'c> {
    /// The operation, and what is said of it.
    pub fn reason(&self) -> (Op<'c>, &str) {
        (self.0, &self.1)
    }

    /// Reports it.
    pub fn report(self) -> Reported {
        error(self.0, &self.1)
    }
}

type Imported<'c, T> = std::result::Result<T, Refusal<'c>>;

/// The body of a function whose operations are all of the tensor language.
pub fn import<'c>(function: Op<'c>) -> Result<Fragment<'c>> {
    import_quietly(function).map_err(Refusal::report)
}

/// The body of a function, if its operations are all of the tensor language.
pub fn import_quietly<'c>(function: Op<'c>) -> Imported<'c, Fragment<'c>> {
    let blocks = function.blocks();
    let [body] = blocks[..] else { return Err(refusal(function, "has not one block")) };
    let mut import = Import::default();
    for argument in body.arg_list() {
        import.argument(function, argument)?;
    }
    let mut lets = Vec::new();
    for op in body.body_ops() {
        import.operation(op, &mut lets)?;
    }
    let returned = body.term().ok_or_else(|| refusal(function, "has no body"))?;
    let results = returned.operand_list();
    let values = results.iter().map(|result| import.value(returned, *result));
    let values = values.collect::<Imported<'c, Vec<Expr>>>()?;
    let value = expr::tuple(values).ok_or_else(|| refusal(returned, "returns nothing"))?;
    let number = import.number.ok_or_else(|| refusal(function, "computes with no numbers"))?;
    Ok(import.fragment(
        function,
        expr::bind_all(lets, value),
        results.iter().map(ValueLike::r#type).collect(),
        number,
    ))
}

/// The value of one operation, whatever is around it.
pub fn import_root<'c>(root: Op<'c>) -> Imported<'c, Fragment<'c>> {
    let mut import = Import::default();
    let result = root.res(0).ok_or_else(|| unknown(root))?;
    import.used_by(root, root)?;
    let body = import.compute(root)?;
    import.note_number(root, result.r#type())?;
    let number = import.number.ok_or_else(|| unknown(root))?;
    Ok(import.fragment(root, body, vec![result.r#type()], number))
}

/// The predicate that one operation is, whatever is around it.
pub fn import_truth<'c>(root: Op<'c>) -> Imported<'c, (Fragment<'c>, Predicate)> {
    let mut import = Import::default();
    let result = root.res(0).ok_or_else(|| unknown(root))?;
    import.index_or_truth(root, result)?;
    let predicate = import.predicate(result);
    let fragment = import.fragment(root, expr::constant(0.0), vec![], result.r#type());
    Ok((fragment, predicate))
}

type Lets = Vec<(Var, Expr)>;

#[derive(Default)]
struct Import<'c> {
    names: Names,
    functions: Functions,
    number: Option<Type<'c>>,
    inputs: Vec<(Var, Kind)>,
    input_values: Vec<Val<'c>>,
    kinds: HashMap<Var, Kind>,
    sizes: Vec<SizeOf<'c>>,
    relations: Vec<RelationOf<'c>>,
    known_functions: Vec<FunctionOf<'c>>,
    exprs: HashMap<ValueKey, Expr>,
    affines: HashMap<ValueKey, Affine>,
    predicates: HashMap<ValueKey, Predicate>,
    made: Vec<(Expr, Op<'c>)>,
}

impl<'c> Import<'c> {
    /// What was found, with a body.
    fn fragment(
        self,
        function: Op<'c>,
        body: Expr,
        results: Vec<Type<'c>>,
        number: Type<'c>,
    ) -> Fragment<'c> {
        Fragment {
            function,
            inputs: self.inputs,
            values: self.input_values,
            body,
            results,
            number,
            names: self.names,
            functions: self.functions,
            sizes: self.sizes,
            relations: self.relations,
            known_functions: self.known_functions,
            made: self.made,
        }
    }

    /// Names what an operation uses. Pairs, which have no values of their own where
    /// `root` is lowered, are computed with it.
    fn used_by(&mut self, op: Op<'c>, root: Op<'c>) -> Imported<'c, ()> {
        let mut used = op.operand_list();
        used.extend(free_values(&op.blocks()));
        for value in used {
            if self.exprs.contains_key(&value.key()) {
                continue;
            }
            let made = value.defining_op().filter(|_| has_pairs(value.r#type()));
            match made.filter(|made| is_of_dialect(*made)) {
                Some(made) => {
                    self.used_by(made, root)?;
                    let pairs = self.compute(made)?;
                    self.note_number(made, value.r#type())?;
                    self.exprs.insert(value.key(), pairs);
                }
                None => self.argument(root, value)?,
            }
        }
        Ok(())
    }

    fn argument(&mut self, function: Op<'c>, argument: Val<'c>) -> Imported<'c, ()> {
        let of = argument.r#type();
        let is_data = of.as_tensor().is_some() && !is_value(of.scalar());
        if of.is_int_or_index_type() || is_data {
            return Ok(());
        }
        let kind = is_value(innermost(of))
            .then(|| kind_of(of, argument, &mut Path::new(), &mut self.sizes))
            .flatten();
        let kind = kind.ok_or_else(|| {
            refusal(
                function,
                &format!(
                    "has an argument of type {of}, which is none of the tensor language: numbers, \
                 pairs and tensors of them, with static sizes inside of elements"
                ),
            )
        })?;
        self.note_number(function, of)?;
        let name = self.names.var();
        self.inputs.push((name, kind.clone()));
        self.input_values.push(argument);
        self.kinds.insert(name, kind);
        self.exprs.insert(argument.key(), expr::var(name));
        Ok(())
    }

    /// All numbers have one type.
    fn note_number(&mut self, op: Op<'c>, of: Type<'c>) -> Imported<'c, ()> {
        let float = innermost(of);
        match self.number {
            None => self.number = Some(float),
            Some(other) if other != float => {
                let text = format!("mixes numbers of types {other} and {float}; use one of them");
                return Err(refusal(op, &text));
            }
            Some(_) => {}
        }
        Ok(())
    }

    /// An operation; what it computes is bound by a let if it is used more than
    /// once, or in a deeper body than its own.
    fn operation(&mut self, op: Op<'c>, lets: &mut Lets) -> Imported<'c, ()> {
        let Some(result) = op.res(0) else {
            return Err(unknown(op));
        };
        let of = result.r#type();
        if of.is_int_or_index_type() {
            return self.index_or_truth(op, result);
        }
        let value = self.compute(op)?;
        self.made.push((value.clone(), op));
        self.note_number(op, of)?;
        let is_trivial = is_name(&value);
        let users = result.users();
        let own = result.parent_block();
        let is_deeper = users.iter().any(|user| user.block() != own);
        let value = if !is_trivial && (users.len() > 1 || is_deeper) {
            let name = self.names.var();
            let kind = self.kind(&value);
            self.kinds.insert(name, kind);
            lets.push((name, value));
            expr::var(name)
        } else {
            value
        };
        self.exprs.insert(result.key(), value);
        Ok(())
    }

    fn kind(&self, value: &Expr) -> Kind {
        expr::type_of(value, &|name| self.kinds.get(&name).cloned().unwrap_or(Kind::Number))
    }

    fn compute(&mut self, op: Op<'c>) -> Imported<'c, Expr> {
        let operands = op.operand_list();
        let numbers = |import: &mut Self| -> Imported<'c, Vec<Expr>> {
            operands.iter().map(|operand| import.value(op, *operand)).collect()
        };
        Ok(match op.op_name() {
            "arith.constant" => {
                let number = op.attr("value").and_then(number_of);
                expr::constant(number.ok_or_else(|| unknown(op))?)
            }
            "arith.addf" | "arith.mulf" | "arith.subf" | "arith.negf" => {
                let numbers = numbers(self)?;
                if numbers.iter().any(|number| self.kind(number) != Kind::Number) {
                    return Err(unknown(op));
                }
                let minus = |number: &Expr| expr::mul(expr::constant(-1.0), number.clone());
                match (op.op_name(), &numbers[..]) {
                    ("arith.addf", [l, r]) => expr::add(l.clone(), r.clone()),
                    ("arith.mulf", [l, r]) => expr::mul(l.clone(), r.clone()),
                    ("arith.subf", [l, r]) => expr::add(l.clone(), minus(r)),
                    (_, [only, ..]) => minus(only),
                    _ => return Err(unknown(op)),
                }
            }
            "atl.gen" | "atl.sum" => {
                let ranges = self.ranges(op)?;
                let inner = self.body(op)?;
                match op.op_name() {
                    "atl.gen" => expr::generate_all(&ranges, inner),
                    _ => expr::sum_all(&ranges, inner),
                }
            }
            "atl.bracket" => {
                let predicate = self.predicate(operands[0]);
                expr::bracket(predicate, self.body(op)?)
            }
            "atl.access" => {
                let tensor = self.value(op, operands[0])?;
                let places = self.expressions(op)?;
                expr::access_all(tensor, &places)
            }
            "tensor.extract" if is_number(operands[0].r#type()) => self.value(op, operands[0])?,
            "tensor.from_elements" if op.res(0).is_some_and(|made| is_number(made.r#type())) => {
                self.value(op, operands[0])?
            }
            "atl.pair" => {
                let first = self.value(op, operands[0])?;
                expr::pair(first, self.value(op, operands[1])?)
            }
            "atl.project" => {
                let half = match op.attr("number").and_then(int_of) {
                    Some(0) => Half::First,
                    _ => Half::Second,
                };
                expr::project(half, self.value(op, operands[0])?)
            }
            name => {
                let known = match name {
                    "func.call" => op.attr("callee").and_then(text_of).map(FunctionOf::Call),
                    _ if name.starts_with("arith.") || name.starts_with("math.") => {
                        Some(FunctionOf::Operation(name.to_owned(), op.discardable_attrs()))
                    }
                    _ => None,
                };
                let arguments = numbers(self)?;
                let known = known.filter(|_| {
                    op.result_list().len() == 1
                        && op.res(0).is_some_and(|result| result.r#type().is_float_type())
                        && !arguments.is_empty()
                        && arguments.iter().all(|argument| self.kind(argument) == Kind::Number)
                });
                let known = known.ok_or_else(|| unknown(op))?;
                let (table, functions) = (&mut self.known_functions, &mut self.functions);
                let function = known_function(table, functions, known, arguments.len());
                expr::call(function, arguments)
            }
        })
    }

    fn value(&self, op: Op<'c>, value: Val<'c>) -> Imported<'c, Expr> {
        let found = self.exprs.get(&value.key());
        found
            .cloned()
            .ok_or_else(|| refusal(op, "uses a value that is none of the tensor language"))
    }

    /// The ranges of an operation's indices.
    fn ranges(&mut self, op: Op<'c>) -> Imported<'c, Vec<Range>> {
        let sizes = op.operand_list();
        let sizes = sizes.into_iter().map(|size| self.affine(size)).collect::<Vec<Affine>>();
        let arguments = op.body(0).map(|body| body.arg_list()).unwrap_or_default();
        let ranges = sizes.iter().zip(arguments).map(|(size, argument)| {
            let range = self.names.range(size);
            self.affines.insert(argument.key(), Affine::index(range.index));
            range
        });
        Ok(ranges.collect())
    }

    fn block(&mut self, op: Op<'c>, body: Blk<'c>) -> Imported<'c, (Lets, Val<'c>)> {
        let mut lets = Vec::new();
        for inner in body.body_ops() {
            self.operation(inner, &mut lets)?;
        }
        let yielded = body.ends().first().copied();
        Ok((lets, yielded.ok_or_else(|| unknown(op))?))
    }

    fn body(&mut self, op: Op<'c>) -> Imported<'c, Expr> {
        let body = op.body(0).ok_or_else(|| unknown(op))?;
        let (lets, yielded) = self.block(op, body)?;
        Ok(expr::bind_all(lets, self.value(op, yielded)?))
    }

    /// An affine expression: an index, a constant, or a size.
    fn affine(&mut self, value: Val<'c>) -> Affine {
        if let Some(known) = self.affines.get(&value.key()) {
            return known.clone();
        }
        let affine = self.size(value).unwrap_or_else(|| {
            let place = position_of(&mut self.sizes, SizeOf::Value(value));
            Affine::size(Size(place as u32))
        });
        self.affines.insert(value.key(), affine.clone());
        affine
    }

    /// A size that is known from what defines it.
    fn size(&mut self, value: Val<'c>) -> Option<Affine> {
        let op = value.defining_op()?;
        let operands = op.operand_list();
        match op.op_name() {
            "arith.constant" => op.attr("value").and_then(int_of).map(Affine::constant),
            "arith.addi" => Some(self.affine(operands[0]).plus(&self.affine(operands[1]))),
            "arith.subi" => Some(self.affine(operands[0]).minus(&self.affine(operands[1]))),
            "arith.muli" => {
                let (left, right) = (self.affine(operands[0]), self.affine(operands[1]));
                match (left.as_constant(), right.as_constant()) {
                    (Some(factor), _) => Some(right.times(factor)),
                    (_, Some(factor)) => Some(left.times(factor)),
                    _ => None,
                }
            }
            "tensor.dim" => {
                let dimension = self.affine(operands[1]).as_constant()?;
                let tensor = self.exprs.get(&operands[0].key())?.clone();
                self.kind(&tensor).sizes().get(dimension as usize).cloned()
            }
            _ => None,
        }
    }

    /// The affine expressions of an operation.
    fn expressions(&mut self, op: Op<'c>) -> Imported<'c, Vec<Affine>> {
        let all = atl::expressions(op).ok_or_else(|| unknown(op))?;
        let all = all.iter().map(|expression| {
            let constant = Affine::constant(expression.constant);
            expression.terms.iter().fold(constant, |sum, (value, factor)| {
                sum.plus(&self.affine(*value).times(*factor))
            })
        });
        Ok(all.collect())
    }

    fn index_or_truth(&mut self, op: Op<'c>, result: Val<'c>) -> Imported<'c, ()> {
        let operands = op.operand_list();
        if result.r#type().is_index() {
            let is_plain = |value: &Val<'c>| value.r#type().is_int_or_index_type();
            let of_indices = operands.iter().all(is_plain) && op.blocks().is_empty();
            if !of_indices && op.op_name() != "tensor.dim" {
                return Err(unknown(op));
            }
            self.affine(result);
            return Ok(());
        }
        let predicate = match op.op_name() {
            "arith.constant" => {
                let value = op.attr("value").map(|value| value.to_string());
                Predicate::constant(value.is_some_and(|value| value.starts_with("true")))
            }
            "arith.andi" | "arith.ori" => {
                let parts: Vec<_> = operands.iter().map(|part| self.predicate(*part)).collect();
                match op.op_name() {
                    "arith.andi" => Predicate::and(parts),
                    _ => Predicate::or(parts),
                }
            }
            "atl.compare" => {
                let sides = self.expressions(op)?;
                let [left, right] = &sides[..] else { return Err(unknown(op)) };
                match atl::comparison(op) {
                    Some(atl::Comparison::Less) => Predicate::less(left, right),
                    Some(atl::Comparison::LessOrEqual) => {
                        Predicate::not_negative(right.minus(left))
                    }
                    _ => Predicate::equal(left, right),
                }
            }
            "atl.member" => {
                let at = op.attr("at").is_some();
                let compressed = is_compressed(op);
                let member = RelationOf::Member { tensors: tensors_of(op), at, compressed };
                let place = position_of(&mut self.relations, member);
                Predicate::Related(Relation(place as u32), self.expressions(op)?)
            }
            "atl.exists" => {
                let ranges = self.ranges(op)?;
                let body = op.body(0).ok_or_else(|| unknown(op))?;
                let (_, yielded) = self.block(op, body)?;
                Predicate::exists(&ranges, self.predicate(yielded))
            }
            _ => return Err(unknown(op)),
        };
        self.predicates.insert(result.key(), predicate);
        Ok(())
    }

    /// A predicate, or a truth value from elsewhere.
    fn predicate(&mut self, value: Val<'c>) -> Predicate {
        if let Some(known) = self.predicates.get(&value.key()) {
            return known.clone();
        }
        let place = position_of(&mut self.relations, RelationOf::Truth(value));
        Predicate::Related(Relation(place as u32), vec![])
    }
}

/// Whether a type is that of a number or of a tensor that is one.
fn is_number(of: Type<'_>) -> bool {
    of.as_tensor().is_none_or(|_| of.shape().is_empty())
}

/// Whether an expression only names a value, or a part of one.
fn is_name(value: &Expr) -> bool {
    match &**value {
        Node::Var(_) | Node::Constant(_) => true,
        Node::Access(inner, _) | Node::Project(_, inner) => is_name(inner),
        _ => false,
    }
}

fn refusal<'c>(op: Op<'c>, text: &str) -> Refusal<'c> {
    Refusal(op, text.to_owned())
}

fn unknown(op: Op<'_>) -> Refusal<'_> {
    refusal(
        op,
        "is no operation of the tensor language on scalars; call a function for a scalar \
         function of its own, or lower the rest first",
    )
}

/// The float in a type, through tensors and pairs.
fn innermost(of: Type<'_>) -> Type<'_> {
    match of {
        of if ad_dialect::capi::is_pair(of) => innermost(ad_dialect::capi::pair_types(of).0),
        of if of.as_tensor().is_some() => innermost(of.scalar()),
        of => of,
    }
}

/// Whether a type is of pairs.
pub fn has_pairs(of: Type<'_>) -> bool {
    ad_dialect::capi::is_pair(if of.as_tensor().is_some() { of.scalar() } else { of })
}

/// Whether an operation is one of the dialect.
pub fn is_of_dialect(op: Op<'_>) -> bool {
    op.op_name().starts_with("atl.")
}

fn is_value(of: Type<'_>) -> bool {
    innermost(of).is_float_type()
}

/// The value of a float attribute.
fn number_of(attribute: melior::ir::Attribute<'_>) -> Option<f64> {
    FloatAttribute::try_from(attribute).ok().map(|float| float.value())
}

/// The tensors of an `atl.member`.
pub fn tensors_of(member: Op<'_>) -> Vec<Val<'_>> {
    let segments = member.attr("operandSegmentSizes").and_then(i32_array);
    let count = segments.and_then(|segments| segments.first().copied()).unwrap_or(1);
    member.operand_list().into_iter().take(count as usize).collect()
}

/// Whether the list of an `atl.member` is compressed.
pub fn is_compressed(member: Op<'_>) -> bool {
    member.attr("compressed").is_some()
}
