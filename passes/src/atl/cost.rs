//! What functions of the tensor language cost, as remarks [ATL 4.3].

use std::{collections::HashMap, rc::Rc};

use ad_calculus::{
    affine::Size,
    expr::{Half, Node},
    predicate::Relation,
    tally::{Bound, Tally},
};
use ad_dialect::{
    capi::{self, RemarkKind},
    ir::{Op, OpExt, OpKey, Val, ValExt},
};
use melior::ir::operation::OperationLike;

use super::{
    fragment::{Fragment, RelationOf, SizeOf},
    functions,
    import::import_quietly,
    presburger::Presburger,
};

/// Remarks on the cost of all functions of the language, and of the operations in
/// them that cost something; how many functions there are. A function that has other
/// operations, too, is passed over. `sizes` are values of the first sizes of each function.
pub fn report(module: Op<'_>, sizes: &[i64]) -> u64 {
    let mut count = 0;
    for function in &functions(module) {
        let fragment = match import_quietly(*function) {
            Ok(fragment) => fragment,
            Err(refusal) => {
                let (op, reason) = refusal.reason();
                let entries = [("Reason", format!("'{}' {reason}", op.op_name()))];
                let kind = RemarkKind::Missed;
                capi::emit_remark(op.location(), kind, "atl-cost", function.op_name(), &entries);
                continue;
            }
        };
        count += 1;
        let costs = costs(&fragment, sizes);
        remark(*function, &fragment, &costs, sizes.len());
        function.for_each(&mut |op| {
            if op.key() != function.key() && is_costly(op) {
                remark(op, &fragment, &costs, sizes.len());
            }
        });
    }
    count
}

/// The cost of each operation without what is in it.
fn costs(fragment: &Fragment<'_>, sizes: &[i64]) -> HashMap<OpKey, Bound> {
    let mut costs: HashMap<OpKey, Bound> = HashMap::new();
    // A bracket that is always true is what is in it: the first made it.
    let mut owners: HashMap<*const Node, OpKey> = HashMap::new();
    for (made, op) in &fragment.made {
        owners.entry(Rc::as_ptr(made)).or_insert(op.key());
    }
    let mut tally = Tally {
        size_of: &|size: Size| sizes.get(size.0 as usize).copied(),
        is_numbered: &|relation: Relation| {
            let relation = fragment.relations.get(relation.0 as usize);
            matches!(relation, Some(RelationOf::Member { at: true, .. }))
        },
        oracle: &Presburger,
        spend: &mut |path, spent| {
            let own = path.iter().rev().find_map(|expr| owners.get(&Rc::as_ptr(expr)));
            if let Some(own) = own {
                let known = costs.entry(*own).or_default();
                *known = known.plus(&spent);
            }
        },
    };
    tally.expression(&fragment.body);
    costs
}

/// Whether an operation is one that remarks are for.
fn is_costly(op: Op<'_>) -> bool {
    let name = op.op_name();
    matches!(name, "atl.gen" | "atl.sum" | "func.call")
        || name.starts_with("arith.")
        || name.starts_with("math.")
}

/// Says what an operation costs with all that is in it, if it costs something.
fn remark(op: Op<'_>, fragment: &Fragment<'_>, costs: &HashMap<OpKey, Bound>, known: usize) {
    let mut total = Bound::default();
    let mut is_there = false;
    op.for_each(&mut |inner| {
        if let Some(cost) = costs.get(&inner.key()) {
            is_there |= !cost.most.is_zero();
            total = total.plus(cost);
        }
    });
    let is_function = op.key() == fragment.function.key();
    if !is_there && !is_function {
        return;
    }
    let word = if total.is_loose { "at most " } else { "" };
    let mut entries = vec![("cost".to_owned(), format!("{word}{}", total.most))];
    if is_function {
        for (place, size) in fragment.sizes.iter().enumerate().skip(known) {
            entries.push((format!("n{place}"), text(size)));
        }
    }
    let entries: Vec<(&str, String)> =
        entries.iter().map(|(name, value)| (name.as_str(), value.clone())).collect();
    capi::emit_remark(op.location(), RemarkKind::Analysis, "atl-cost", op.op_name(), &entries);
}

/// What a size is, in words.
fn text(size: &SizeOf<'_>) -> String {
    match size {
        SizeOf::Value(value) => of_value(*value),
        SizeOf::Dimension(value, path, dimension) => {
            let of = of_value(*value);
            let path = path.iter().map(|half| match half {
                Half::First => "[0]",
                Half::Second => "[1]",
            });
            let path: String = path.collect();
            format!("dimension {dimension} of {of}{path}")
        }
    }
}

fn of_value(value: Val<'_>) -> String {
    match value.defining_op() {
        Some(op) => format!("a result of '{}'", op.op_name()),
        None => format!("argument {}", value.position()),
    }
}
