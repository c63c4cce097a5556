//! What runs in the loop of an operation.

use ad_dialect::ir::{BlkExt, Op, OpExt, TyExt, Val, ValExt};
use melior::ir::{ValueLike, operation::OperationLike};

use crate::{
    lower::soac_to_loops::{is_cheap, only_reader, riders},
    support::{
        builder::Builder,
        chunk::Chunk,
        extent::{Extent, extent_of},
        size::Size,
    },
};

/// An operation, the maps and scans that run in its loop because nothing else reads them, and the reductions of what it
/// makes.
#[derive(Clone)]
pub struct Group<'c> {
    /// The operation.
    pub op: Op<'c>,
    /// The maps and scans, each after what it reads.
    pub maps: Vec<Op<'c>>,
    /// Reductions of results of the operation that are stored for others; or what runs behind it (`joined`).
    pub riders: Vec<Op<'c>>,
    /// Whether what only operations of the group read is no result of it.
    pub hides: bool,
}

/// Which scans run in the loop of what reads them.
#[derive(Clone, Copy)]
enum Scans {
    None,
    /// Those that go from the last element to the first, or the others.
    OneWay,
}

impl<'c> Group<'c> {
    /// The operation alone.
    pub fn only(op: Op<'c>) -> Self {
        Self { op, maps: vec![], riders: vec![], hides: false }
    }

    /// The operation, with the maps that `lower-soac-to-loops` would run in its loop.
    pub fn of(op: Op<'c>) -> Self {
        let mut group = Self::only(op);
        group.collect(op, Scans::None);
        group.maps.reverse();
        group
    }

    /// The same for a map or a reduction, with the scans that would run there, too.
    pub fn with_scans(op: Op<'c>) -> Self {
        let mut group = Self::only(op);
        let scans = if is_cheap(op) { Scans::OneWay } else { Scans::None };
        group.collect(op, scans);
        group.maps.reverse();
        if op.op_name() == "soac.map" && !group.has_scan() {
            group.riders =
                riders(op).into_iter().filter(|&op| Self::only(op).has_operator()).collect();
        }
        group
    }

    /// All results, those of the operation first.
    pub fn results(&self) -> Vec<Val<'c>> {
        let ops: Vec<_> = [self.op].into_iter().chain(self.riders.iter().copied()).collect();
        let is_inside = |user: Op<'c>| {
            let mut around = std::iter::successors(Some(user), |op| op.parent());
            around.any(|op| ops.iter().any(|own| own.key() == op.key()))
        };
        let is_read = |result: &Val<'c>| {
            !self.hides || result.users().into_iter().any(|user| !is_inside(user))
        };
        ops.iter().flat_map(OpExt::result_list).filter(is_read).collect()
    }

    fn collect(&mut self, reader: Op<'c>, scans: Scans) {
        let Some(block) = reader.block() else { return };
        for operand in reader.operand_list() {
            let Some(maker) = operand.defining_op() else { continue };
            let inner = match (maker.op_name(), scans) {
                ("soac.map", Scans::OneWay) if is_cheap(maker) => Scans::OneWay,
                ("soac.map", _) => Scans::None,
                ("soac.scan", Scans::OneWay) if self.may_run(maker) => Scans::None,
                _ => continue,
            };
            let is_new = self.maps.iter().all(|known| known.key() != maker.key());
            let is_read_here = only_reader(maker, block).is_some_and(|op| op.key() == reader.key());
            if is_new && is_read_here {
                self.maps.push(maker);
                self.collect(maker, inner);
            }
        }
    }

    /// Whether the loop of the operation may run a scan: it goes the same way as others that do, and has numbers as
    /// elements.
    fn may_run(&self, scan: Op<'c>) -> bool {
        let is_reverse = scan.attr("reverse").is_some();
        let is_flat = |value: Val<'c>| value.r#type().shape().len() == 1;
        let fits = match self.op.op_name() {
            "soac.map" => true,
            "soac.reduce" => self.op.result_count() == 1 && !is_reverse,
            _ => false,
        };
        let mut others = self.scans().into_iter();
        fits && Self::only(scan).has_operator()
            && scan.result_list().into_iter().all(is_flat)
            && others.all(|other| other.attr("reverse").is_some() == is_reverse)
    }

    /// The scans that run in the loop.
    pub fn scans(&self) -> Vec<Op<'c>> {
        let all = self.maps.iter().chain([&self.op]);
        all.copied().filter(|op| op.op_name() == "soac.scan").collect()
    }

    /// Whether the loop runs a scan.
    pub fn has_scan(&self) -> bool {
        !self.scans().is_empty()
    }

    /// The maps that run in the loop because an operation of it reads them, by way of others or not.
    pub fn maps_of(&self, op: Op<'c>) -> Vec<Op<'c>> {
        let makers = op.operand_list().into_iter().filter_map(|value| value.defining_op());
        let mut found: Vec<Op<'c>> = vec![];
        for maker in makers {
            let is_new = found.iter().all(|known| known.key() != maker.key());
            if is_new && self.maps.iter().any(|map| map.key() == maker.key()) {
                found.push(maker);
                found.extend(self.maps_of(maker));
            }
        }
        found
    }

    /// Whether the loop goes from the last row to the first.
    pub fn is_reverse(&self) -> bool {
        self.scans().first().is_some_and(|scan| scan.attr("reverse").is_some())
    }

    /// The chunk of a number when `width` rows are cut into `count`, in the order of the loop.
    pub fn chunk(
        &self,
        b: &Builder<'c>,
        number: Val<'c>,
        width: Size<'c>,
        count: Size<'c>,
    ) -> Chunk<'c> {
        let mut chunk = Chunk::new(b, number, width, count);
        if self.is_reverse() {
            let rest = b.sub(width.value(b), chunk.offset);
            chunk.offset = b.sub(rest, chunk.size.value(b));
        }
        chunk
    }

    /// Whether some array is known to be empty: upstream refuses slices of it, and there is nothing to do.
    pub fn has_empty(&self) -> bool {
        let ops = self.maps.iter().chain([&self.op]);
        let values = ops.flat_map(|op| [op.operand_list(), op.result_list()].concat());
        values.into_iter().any(|value| value.r#type().shape().contains(&0))
    }

    /// Whether the operator of a reduction, scan or histogram still takes any two values. Where all elements are known to
    /// be the same, simplification puts that one in their place, and what is left only takes values from the left to the
    /// next element.
    pub fn has_operator(&self) -> bool {
        let elements = self.op.body(0).map(|body| body.arg_list()).unwrap_or_default();
        let (left, right) = elements.split_at(elements.len() / 2);
        let elements = if self.op.attr("reverse").is_some() { left } else { right };
        elements.iter().all(|element| !element.users().is_empty())
    }

    /// Whether a map that runs in the loop of the operation makes the array.
    pub fn is_inside(&self, array: Val<'c>) -> bool {
        let op = array.defining_op();
        op.is_some_and(|op| self.maps.iter().any(|map| map.key() == op.key()))
    }

    /// Whether a size is known in front of one of the operations: it is not a size of what they make.
    pub fn knows(&self, op: Op<'c>, size: Extent<'c>) -> bool {
        let is_result = match size {
            Extent::Dim(array, _) => {
                let own = array.defining_op().is_some_and(|made| made.key() == op.key());
                own || self.is_inside(array)
            }
            _ => false,
        };
        !is_result && size.is_outside(op)
    }

    /// The outer size of an array.
    pub fn width(&self, b: &Builder<'c>, array: Val<'c>) -> Size<'c> {
        match array.defining_op().filter(|_| self.is_inside(array)) {
            Some(map) => map.opnd(0).map_or(Size::Known(0), |input| self.width(b, input)),
            None => Size::of_extent(b, extent_of(array, 0)),
        }
    }
}
