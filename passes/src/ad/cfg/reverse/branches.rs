//! The branches between return blocks.

use ad_dialect::ir::{Val, ValExt};

use super::{Reverse, STAND_IN};
use crate::{
    ad::cfg::{at_front, path::Record, thread::Threads},
    support::builder::{Builder, CMP_NE},
};

impl<'c> Reverse<'_, 'c> {
    /// The branches of the return blocks, back along the edge that was taken.
    pub(super) fn branches(&mut self) {
        let mut counts = vec![];
        for number in 1..self.blocks.list.len() {
            let Some(back) = self.back[number] else { continue };
            let location = self.vjp.b.location();
            self.vjp.b = Builder::at_end(self.context(), back, location);
            let incoming = self.blocks.incoming(number);
            let edges: Vec<_> = incoming
                .iter()
                .filter_map(|&(from, _)| Some((self.back[from]?, self.handed_back(number, from))))
                .collect();
            let b = self.vjp.b;
            match (self.records[number].clone(), &edges[..]) {
                (Record::None, [edge]) => {
                    b.branch(edge);
                }
                (Record::Edge(_), edges) => {
                    let Some(record) = self.record(number) else { continue };
                    let record = self.read(number, record, number);
                    match edges {
                        [first, second] => b.cond_branch(record, [first, second]),
                        _ => b.switch(record, edges),
                    };
                }
                (Record::Count { back: k, .. }, [first, second]) => {
                    let left =
                        at_front(self.context(), back, &b).val(STAND_IN, &[], b.index_type());
                    let comes_back = b.compare(CMP_NE, left, b.index(0));
                    let less = b.sub(left, b.index(1));
                    let (around, out) = if k == 0 { (first, second) } else { (second, first) };
                    b.cond_branch(comes_back, [around, out]);
                    counts.push((number, left, less));
                }
                _ => {}
            }
        }
        for (header, left, less) in counts {
            self.count(header, left, less);
        }
    }

    /// What a return block hands to the return block of a block before.
    fn handed_back(&mut self, number: usize, from: usize) -> Vec<Val<'c>> {
        let mut values = vec![];
        for begin in self.begins[from].clone() {
            let end = self.ends[number].iter().find(|bar| bar.of.key() == begin.of.key()).copied();
            values.push(match end {
                Some(end) => end.bar,
                None => self.zero(number, begin.of),
            });
            if begin.mask.is_some() {
                let mask = end.map(|end| end.mask);
                values.push(match mask {
                    Some(Some(mask)) => mask,
                    _ => self.vjp.b.truth(mask.is_some()),
                });
            }
        }
        values
    }

    /// How often the return sweep of a loop still comes back to the return block of its header: as often as the loop did
    /// when it was left, then one less each time.
    fn count(&mut self, header: usize, left: Val<'c>, less: Val<'c>) {
        let Record::Count { inside, .. } = self.records[header].clone() else { return };
        let (Some(record), Some(back)) = (self.record(header), self.back[header]) else { return };
        let mut sets = vec![(back, less)];
        for to in (0..self.blocks.list.len()).filter(|&to| !inside[to]) {
            let is_left = self.blocks.graph.previous(to).iter().any(|&from| inside[from]);
            if let Some(outside) = self.back[to].filter(|_| is_left) {
                sets.push((outside, self.read(to, record, header)));
            }
        }
        let context = self.context();
        let value = Threads::of(context, self.target).at_start(&sets, record, back);
        left.replace_all_uses(value);
    }
}
