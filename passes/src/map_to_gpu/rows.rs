//! What an element of an array is for a thread, and what it puts into a row of a result.

use std::{borrow::Cow, collections::HashMap};

use ad_dialect::ir::{BlkExt, Op, OpExt, OpKey, TyExt, Val, ValExt};
use melior::ir::ValueLike;

use crate::{
    parallelize::group::Group,
    support::{
        builder::Builder,
        chunk::{Chunk, Piece, slice},
        combinator::strip_casts,
        elementwise::everywhere,
        region::{ValueMap, copy_ops, renamed},
        size::Size,
    },
};

/// The elements of arrays at one index, each made once: those of maps in the group are computed.
pub struct Elements<'a, 'c> {
    group: &'a Group<'c>,
    index: Val<'c>,
    names: Cow<'a, ValueMap<'c>>,
    made: HashMap<OpKey, Vec<Val<'c>>>,
}

impl<'a, 'c> Elements<'a, 'c> {
    pub fn new(group: &'a Group<'c>, index: Val<'c>) -> Self {
        Self { group, index, names: Cow::default(), made: HashMap::new() }
    }

    /// The same where what the arrays are computed from has other names.
    pub fn renamed(group: &'a Group<'c>, index: Val<'c>, names: &'a ValueMap<'c>) -> Self {
        Self { group, index, names: Cow::Borrowed(names), made: HashMap::new() }
    }

    /// The same where what an operation makes is known.
    pub fn knowing(mut self, op: Op<'c>, values: &[Val<'c>]) -> Self {
        self.made.insert(op.key(), values.to_vec());
        self
    }

    /// The element of each array.
    pub fn of(&mut self, b: &Builder<'c>, arrays: &[Val<'c>]) -> Vec<Val<'c>> {
        arrays.iter().map(|&array| self.element(b, array)).collect()
    }

    fn element(&mut self, b: &Builder<'c>, array: Val<'c>) -> Val<'c> {
        let known = array.defining_op().and_then(|op| self.made.get(&op.key()));
        if let Some(&value) = known.and_then(|values| values.get(array.position())) {
            return value;
        }
        let maker = strip_casts(array).defining_op();
        match maker {
            Some(op) if op.op_name() == "soac.iota" => {
                b.index_as(self.index, array.r#type().scalar())
            }
            Some(op) if op.op_name() == "soac.replicate" => {
                op.opnd(0).map_or_else(|| self.row(b, array), |value| renamed(&self.names, value))
            }
            Some(map) if self.group.is_inside(array) => {
                if !self.made.contains_key(&map.key()) {
                    let inputs = self.of(b, &map.operand_list());
                    let rows = map.body(0).map(|body| {
                        let mut names = self.names.clone().into_owned();
                        names.extend(body.arg_list().iter().map(ValExt::key).zip(inputs));
                        copy_ops(b, body, &mut names)
                    });
                    self.made.insert(map.key(), rows.unwrap_or_default());
                }
                self.made[&map.key()][array.position()]
            }
            _ => self.row(b, array),
        }
    }

    fn row(&self, b: &Builder<'c>, array: Val<'c>) -> Val<'c> {
        let array = renamed(&self.names, array);
        let is_vector = array.r#type().shape().len() == 1;
        let number = everywhere(array).filter(|_| is_vector);
        number.unwrap_or_else(|| b.row(array, self.index))
    }
}

/// What an iteration puts into the row of number `i` of a shared array.
pub fn row_of<'c>(b: &Builder<'c>, shared: Val<'c>, value: Val<'c>, i: Val<'c>) -> Piece<'c> {
    let chunk = Chunk { offset: i, size: Size::Known(1) };
    if value.r#type().as_tensor().is_some() {
        return Piece::rows(value, chunk);
    }
    let row = slice(b, shared, &[0], chunk);
    Piece::rows(b.insert_element(value, row, &[b.index(0)]), chunk)
}
