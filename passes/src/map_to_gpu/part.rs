//! Nests of maps for a part of what the body of a nest does.

use ad_dialect::ir::{BlkExt, OpExt, Val, ValExt};

use super::{distribute::Segment, nest::Nest};
use crate::support::{
    builder::Builder,
    diag::Result,
    region::{ValueMap, clone_op, renamed},
    size::Size,
};

/// A segment of the body of a nest.
pub struct Part<'a, 'c> {
    pub nest: &'a Nest<'c>,
    pub segment: &'a Segment<'c>,
    /// What is called otherwise where the nest is made.
    pub names: &'a ValueMap<'c>,
    /// Arrays that other segments have made, whose rows this one needs.
    pub stored: &'a [Val<'c>],
    /// How many iterations each level has, if their numbers are needed.
    pub widths: Vec<Size<'c>>,
}

/// Where a nest is being made.
struct Place<'c> {
    level: usize,
    /// The rows of what other segments have made.
    stored: Vec<Val<'c>>,
    /// The numbers of the iteration, if they are needed.
    indices: Vec<Val<'c>>,
}

/// What makes the end of the innermost body of a nest, given the numbers of the iteration.
type End<'a, 'c> =
    &'a mut dyn FnMut(&Builder<'c>, &mut ValueMap<'c>, &[Val<'c>]) -> Result<Vec<Val<'c>>>;

impl<'c> Part<'_, 'c> {
    /// A nest of its own; its innermost body is what the segment needs, and what the closure makes. It gives rows of
    /// values like `outs`.
    pub fn nest(
        &self,
        b: &Builder<'c>,
        outs: &[Val<'c>],
        end: End<'_, 'c>,
    ) -> Result<Vec<Val<'c>>> {
        let place = Place { level: 0, stored: self.stored.to_vec(), indices: vec![] };
        self.level(b, outs, place, &mut self.names.clone(), end)
    }

    fn level(
        &self,
        b: &Builder<'c>,
        outs: &[Val<'c>],
        place: Place<'c>,
        names: &mut ValueMap<'c>,
        end: End<'_, 'c>,
    ) -> Result<Vec<Val<'c>>> {
        let Place { level, stored, mut indices } = place;
        let own = &self.nest.levels[level];
        let mut inputs = own.group.op.operand_list();
        inputs.iter_mut().for_each(|input| *input = renamed(names, *input));
        let width = self.widths.get(level);
        let numbers = width.map(|width| b.iota(width.value(b), width.in_type()));
        inputs.extend(stored.iter().copied().chain(numbers));
        let types: Vec<_> = outs.iter().map(|out| self.nest.rows_of(level, *out)).collect();
        b.map(&inputs, &[], &types, |b, arguments| {
            let (elements, rest) = arguments.split_at(own.body.arg_list().len());
            let (stored, number) = rest.split_at(stored.len());
            indices.extend(number);
            names.extend(own.body.arg_list().iter().map(ValExt::key).zip(elements.iter().copied()));
            if level + 1 < self.nest.levels.len() {
                let next = self.nest.levels[level + 1].group.op;
                for op in own.body.body_ops().into_iter().filter(|op| op.key() != next.key()) {
                    clone_op(&b, op, names);
                }
                let place = Place { level: level + 1, stored: stored.to_vec(), indices };
                return self.level(&b, outs, place, names, end);
            }
            let others = self.segment.stored.iter().map(ValExt::key);
            names.extend(others.zip(stored.iter().copied()));
            for op in own.body.body_ops() {
                if self.segment.copied.contains(&op.key()) {
                    clone_op(&b, op, names);
                }
            }
            end(&b, names, &indices)
        })
    }
}
