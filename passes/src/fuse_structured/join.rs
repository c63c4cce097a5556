//! Two structured operations as one.

use ad_dialect::{
    ir::{BlkExt, Op, OpExt, Val, ValExt},
    linalg::{Expr, Structured, map_attribute},
};

use crate::support::{
    builder::{Builder, same_value},
    diag::Result,
    region::{copy_block, is_within},
    structured::{makes_elements, renumber},
};

/// The most arrays that one operation reads and makes: kernels have room for so many arguments.
const WIDEST: usize = 40;

/// What an operation makes and another one reads, as that has it in its own loops.
pub struct Join<'c> {
    producer: Structured<'c>,
    reader: Structured<'c>,
    /// Which operands of the reader are results of the producer, and which these are.
    reads: Vec<(usize, usize)>,
    /// What the loops of the producer are in those of the reader.
    loops: Vec<Expr>,
}

impl<'c> Join<'c> {
    /// That of two operations, the first of which computes each of its elements by itself, if the second one reads it at the
    /// same place each time.
    ///
    /// What a reduction starts from is no element of it.
    pub fn of(producer: Op<'c>, reader: Op<'c>) -> Option<Self> {
        let results = producer.result_list();
        let (p, r) = (Structured::of(producer)?, Structured::of(reader)?);
        let is_inside = |user: &Op<'c>| is_within(*user, reader) && user.key() != reader.key();
        if results.iter().any(|made| made.users().iter().any(is_inside)) {
            return None;
        }
        let number = |value: &Val<'c>| results.iter().position(|&made| same_value(made, *value));
        let count = if makes_elements(reader) { r.maps.len() } else { r.inputs.len() };
        let reads = reader.operand_list().into_iter().take(count).enumerate();
        let reads: Vec<_> = reads.filter_map(|(k, value)| Some((k, number(&value)?))).collect();
        let is_whole =
            |s: &Structured<'c>| s.body.arg_list().len() == s.inputs.len() + s.inits.len();
        let place = |&(k, j): &(usize, usize)| {
            let (own, map) = (p.output_maps().get(j)?, r.maps.get(k)?);
            let at = |l| own.iter().position(|index| *index == Expr::Loop(l));
            (0..p.loops).map(|l| map.get(at(l)?).cloned()).collect::<Option<Vec<_>>>()
        };
        let loops = place(reads.first()?)?;
        let is_one_place = reads.iter().all(|read| place(read).as_ref() == Some(&loops));
        let is_narrow = p.maps.len() + r.maps.len() <= WIDEST;
        let fits = is_one_place && is_narrow && is_whole(&p) && is_whole(&r);
        fits.then_some(Self { producer: p, reader: r, reads, loops })
    }

    /// Whether each element is read once.
    pub fn is_once(&self) -> bool {
        let plain = Structured::plain_loops(&self.loops);
        let is_there = |l| plain.iter().filter(|&&other| other == l).count() == 1;
        plain.len() == self.loops.len() && (0..self.reader.loops).all(is_there)
    }

    /// Whether the producer does nothing but to put elements elsewhere, neighbours beside each other, or copies of them.
    pub fn is_copy(&self) -> bool {
        let p = &self.producer;
        let is_in_order = |map: &Vec<Expr>| {
            let places: Option<Vec<_>> = map
                .iter()
                .map(|index| p.output_maps()[0].iter().position(|own| own == index))
                .collect();
            places.is_some_and(|places| places.is_sorted())
        };
        let outs: Vec<_> = p.body.arg_list().split_off(p.inputs.len());
        p.body.body_ops().is_empty()
            && outs.iter().all(|out| out.users().is_empty())
            && p.maps.iter().take(p.inputs.len()).all(is_in_order)
    }

    /// The inputs of the producer.
    pub fn copied(&self) -> &[Val<'c>] {
        &self.producer.inputs
    }

    /// Whether the other operands of the reader are still enough to know how often each of its loops runs.
    pub fn knows_sizes(&self) -> bool {
        let is_read = |k: &usize| self.reads.iter().any(|(own, _)| own == k);
        let outs = self.reader.inputs.len()..self.reader.maps.len();
        let kept = (0..self.reader.inputs.len()).filter(|k| !is_read(k)).chain(outs);
        let maps: Vec<_> = kept.map(|k| self.reader.maps[k].clone()).chain(self.inputs()).collect();
        let knows = |l| maps.iter().any(|map| map.contains(&Expr::Loop(l)));
        (0..self.reader.loops).all(knows)
    }

    /// Whether the reader starts from what the producer makes.
    pub fn writes(&self) -> bool {
        self.reads.iter().any(|&(k, _)| k >= self.reader.inputs.len())
    }

    /// An index of the producer in the loops of the reader.
    fn moved(&self, map: &[Expr]) -> Vec<Expr> {
        let at = |l: usize| self.loops.get(l).cloned().unwrap_or(Expr::Constant(0));
        map.iter().map(|index| index.with_loops(&at)).collect()
    }

    /// Where the inputs of the producer are read.
    fn inputs(&self) -> impl Iterator<Item = Vec<Expr>> {
        self.producer.maps.iter().take(self.producer.inputs.len()).map(|map| self.moved(map))
    }

    /// The one operation. It makes what the reader makes, then those results of the producer that are named.
    pub fn joined(&self, b: &Builder<'c>, kept: &[usize]) -> Result<Op<'c>> {
        let (p, r) = (&self.producer, &self.reader);
        let mut inputs = Places::default();
        let first: Vec<_> =
            (0..p.maps.len()).map(|k| self.of_producer(k, kept, &mut inputs)).collect();
        let second: Vec<_> = (0..r.maps.len()).map(|k| self.of_reader(k, &mut inputs)).collect();
        let mut outputs = Places::default();
        for (i, (init, map)) in r.inits.iter().zip(r.output_maps()).enumerate() {
            let from = self.made_of(r.inputs.len() + i).map_or(*init, |j| p.inits[j]);
            outputs.0.push((from, map.clone()));
        }
        outputs.0.extend(kept.iter().map(|&j| (p.inits[j], self.moved(&p.output_maps()[j]))));
        let all = inputs.0.iter().chain(&outputs.0);
        let maps: Vec<_> =
            all.filter_map(|(_, map)| map_attribute(b.context(), r.loops, map)).collect();
        b.generic(&maps, &r.written(), &inputs.values(), &outputs.values(), |b, elements| {
            let (ins, outs) = elements.split_at(inputs.0.len());
            let pick = |sources: &[Source], made: &[Val<'c>]| -> Vec<Val<'c>> {
                let value = |source: &Source| match *source {
                    Source::Input(n) => ins[n],
                    Source::Output(n) => outs[n],
                    Source::Made(n) => made[n],
                };
                sources.iter().map(value).collect()
            };
            let made = copy_block(&b, p.body, &pick(&first, &[]));
            let own = |l: usize| match self.loops.get(l) {
                Some(Expr::Loop(own)) => *own,
                _ => l,
            };
            b.block().ops().into_iter().for_each(|op| renumber(b.context(), op, &own));
            let mut yielded = copy_block(&b, r.body, &pick(&second, &made));
            yielded.extend(kept.iter().map(|&j| made[j]));
            Ok(yielded)
        })
    }

    /// The result of the producer that an operand of the reader is, if it is one.
    fn made_of(&self, k: usize) -> Option<usize> {
        self.reads.iter().find(|&&(own, _)| own == k).map(|&(_, j)| j)
    }

    /// Where the one operation has the element of an operand of the producer.
    fn of_producer(&self, k: usize, kept: &[usize], inputs: &mut Places<'c>) -> Source {
        let p = &self.producer;
        let map = self.moved(&p.maps[k]);
        let Some(j) = k.checked_sub(p.inputs.len()) else {
            return Source::Input(inputs.number(p.inputs[k], map));
        };
        match kept.iter().position(|&own| own == j) {
            Some(place) => Source::Output(self.reader.inits.len() + place),
            None if p.body.arg_list()[k].users().is_empty() => Source::Output(0),
            None => Source::Input(inputs.number(p.inits[j], map)),
        }
    }

    /// The same of an operand of the reader.
    fn of_reader(&self, k: usize, inputs: &mut Places<'c>) -> Source {
        let r = &self.reader;
        match (self.made_of(k), k.checked_sub(r.inputs.len())) {
            (Some(j), _) => Source::Made(j),
            (None, Some(i)) => Source::Output(i),
            (None, None) => Source::Input(inputs.number(r.inputs[k], r.maps[k].clone())),
        }
    }
}

/// What an argument of a body is in the one operation.
enum Source {
    /// The element of an input.
    Input(usize),
    /// The element of an output.
    Output(usize),
    /// What the body of the producer yields.
    Made(usize),
}

/// Arrays, and where an operation reads or writes them.
#[derive(Default)]
struct Places<'c>(Vec<(Val<'c>, Vec<Expr>)>);

impl<'c> Places<'c> {
    /// The number of one, which is added if it is not there.
    fn number(&mut self, value: Val<'c>, map: Vec<Expr>) -> usize {
        let is_same = |(own, at): &(Val<'c>, Vec<Expr>)| same_value(*own, value) && *at == map;
        self.0.iter().position(is_same).unwrap_or_else(|| {
            self.0.push((value, map));
            self.0.len() - 1
        })
    }

    fn values(&self) -> Vec<Val<'c>> {
        self.0.iter().map(|(value, _)| *value).collect()
    }
}
