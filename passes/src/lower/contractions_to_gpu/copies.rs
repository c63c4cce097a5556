//! What a block copies to shared memory: a tile of one of the two sides of a contraction at a time, computed on the way.
//!
//! Neighbouring threads read neighbours in memory, whatever the order of the dimensions, and several at once where that can
//! be (`spread`). In shared memory tiles lie with a row for each summand, so that a thread finds what it needs of one side by
//! side; for subgroups as in memory, so that a thread writes what it reads side by side (`Tile::lines`).
//!
//! Addresses along the sum are counted in a view of their own for each line that a thread copies, so that the loop over
//! the sum adds what is common to all of them.
//!
//! Behind the last row or column, that one is copied again: nobody writes what is made of it, and nothing has to be asked.
//!
//! Fragments are added whole. Where the sum of a row or column ends before that of others in its tile, there are zeros
//! in shared memory for what is behind.

use ad_dialect::ir::{OpExt, Val};
use melior::ir::{Type, ValueLike};

use super::{
    runs::{load_run, most_lanes, store_run},
    shape::{Contraction, Sizes, in_order},
    spread::Spread,
    tile::{DEPTH, Tile},
};
use crate::{
    lower::forall_to_gpu::BLOCK,
    support::{
        builder::{Builder, CMP_SLT},
        diag::Result,
        memory::{element, from_place, load, of_block, plane, store},
    },
};

/// The copies of one side.
pub struct Copies<'a, 'c> {
    contraction: &'a Contraction<'c>,
    /// 0 for rows, 1 for columns.
    side: usize,
    /// The inputs that the side is made of.
    inputs: Vec<usize>,
    pub spread: Spread<'c>,
    /// What a thread has of a tile.
    own: Vec<Line<'c>>,
    /// The indices of loops that are the same for all elements.
    batch: Vec<(usize, Val<'c>)>,
    /// Where the sum of the first row or column ends, before which those of others do not.
    pub first_end: Option<Val<'c>>,
    tile: Tile,
    /// The tile in shared memory.
    pub shared: Val<'c>,
    /// Whether an element of the side is made of its inputs when it is written to shared memory: whoever makes it when they
    /// are read waits for them there. Of many inputs it is made at once, so that they take no registers.
    is_made_late: bool,
}

/// Up to so many inputs are in registers until an element is made of them.
const FEW: usize = 2;

/// Elements of a tile that a thread copies, along the dimension in which neighbours are counted.
struct Line<'c> {
    /// The number of the thread along it, and of the line.
    thread: Val<'c>,
    number: Val<'c>,
    elements: Vec<Own<'c>>,
    planes: Vec<Option<Plane<'c>>>,
}

/// Where a line reads an input.
#[derive(Clone, Copy)]
enum Plane<'c> {
    /// Along the sum from the tile's first summand on, and by element, if the sum is one loop and the input has it.
    Lines(Val<'c>),
    /// At the offset of a summand that a table has, if the sum is over several loops.
    Offsets(Val<'c>, Val<'c>),
}

/// An element of a tile that a thread copies.
struct Own<'c> {
    /// The number of the summand in the tile.
    depth: Val<'c>,
    /// The indices of the row or column, or of the last one there is.
    indices: Vec<(usize, Val<'c>)>,
    /// How far behind the first element of the line it is.
    behind: Val<'c>,
    /// Where its sum ends, if there are to be zeros behind.
    end: Option<Val<'c>>,
}

impl<'c> Own<'c> {
    /// Whether the sum has its summand, of the tile that begins at one.
    fn is_summand(&self, b: &Builder<'c>, first: Val<'c>, end: Val<'c>) -> Val<'c> {
        let end = self.end.map_or(end, |own| b.same("arith.minsi", &[own, end]));
        b.compare(CMP_SLT, self.depth, b.sub(end, first))
    }
}

/// The type of the tiles of rows, 0, or of columns, 1, in shared memory.
pub fn in_shared<'c>(
    b: &Builder<'c>,
    contraction: &Contraction<'c>,
    tile: Tile,
    number: usize,
) -> Option<Type<'c>> {
    let element = tile.held(contraction, number);
    of_block(b.context(), &tile.lines(contraction, number, tile.stages(contraction)), element)
}

/// The rows or the columns of a tile.
pub struct Side<'a, 'c> {
    /// 0 for rows, 1 for columns.
    pub number: usize,
    pub loops: &'a [usize],
    pub size: Val<'c>,
    pub first: Val<'c>,
}

impl<'a, 'c> Copies<'a, 'c> {
    /// Those of a side whose elements are spread in some way.
    pub fn new(
        b: &Builder<'c>,
        contraction: &'a Contraction<'c>,
        sizes: &Sizes<'c>,
        tile: Tile,
        side: &Side<'_, 'c>,
        spread: Spread<'c>,
        [thread, batch, shared]: [Val<'c>; 3],
    ) -> Self {
        let fast = if spread.is_along_sum { contraction.sum.last() } else { side.loops.last() };
        let inputs = contraction.body.inputs_of(contraction.side(side.number));
        // Threads leave out what is behind a border when they add.
        let border = contraction.end_of_sum();
        let border = border.filter(|(bound, _)| tile.is_of_fragments() && *bound == side.number);
        let batch = sizes.apart(b, &contraction.batch, batch);
        let last = b.sub(side.size, b.index(1));
        let index = |number| b.same("arith.minsi", &[b.add(side.first, number), last]);
        let end = |row| border.map(|(_, offset)| b.add(row, b.index(offset)));
        let [far, thread] = b.divide(thread, b.index(spread.threads()));
        let line = |i| {
            let number = b.add(far, b.index(i * (BLOCK / spread.threads())));
            let places = spread.found(b, thread);
            let elements = places.iter().map(|&place| {
                let (depth, row, along) = match spread.is_along_sum {
                    true => (place, index(number), place),
                    false => (number, index(place), index(place)),
                };
                let first = if spread.is_along_sum { places[0] } else { index(places[0]) };
                let indices = sizes.apart(b, side.loops, row);
                Own { depth, indices, behind: b.sub(along, first), end: end(row) }
            });
            let elements: Vec<_> = elements.collect();
            let planes = inputs.iter().map(|&input| {
                let loops = &contraction.loops[input];
                let place = |l: &usize| loops.iter().position(|own| own == l);
                let (first, array): (&Own, _) = (elements.first()?, contraction.arrays[input]);
                let from = [&first.indices[..], &batch].concat();
                let [sum] = contraction.sum[..] else {
                    let offsets = contraction.offsets.get(input).copied().flatten()?;
                    let sum = contraction.sum.iter().map(|&l| (l, b.index(0)));
                    let from = from.into_iter().chain(sum).collect::<Vec<_>>();
                    let all = from_place(b, array, &in_order(loops, &from))?;
                    return Some(Plane::Offsets(all, offsets));
                };
                let from = [&from[..], &[(sum, first.depth)]].concat();
                let along = [Some(place(&sum)?), fast.and_then(place)];
                plane(b, array, &in_order(loops, &from), along).map(Plane::Lines)
            });
            Line { thread, number, planes: planes.collect(), elements }
        };
        let count = tile.sides[side.number] * DEPTH / BLOCK / spread.lanes;
        let own = (0..count).map(line).collect();
        let first_end = end(index(b.index(0)));
        let is_input = contraction.body.is_input(contraction.side(side.number));
        let is_made_late = !is_input && inputs.len() <= FEW;
        let side = side.number;
        Self {
            contraction,
            side,
            inputs,
            spread,
            own,
            batch,
            first_end,
            tile,
            shared,
            is_made_late,
        }
    }

    /// The types of what is read of an element.
    fn types(&self) -> Vec<Type<'c>> {
        let Contraction { arrays, .. } = self.contraction;
        match self.is_made_late {
            true => self.inputs.iter().filter_map(|&input| element(arrays[input])).collect(),
            false => vec![self.contraction.side(self.side).r#type()],
        }
    }

    /// What a thread copies of the tile that begins at a summand, which has all of its summands, if several are read at once:
    /// elements of inputs, or what they make if that is less.
    pub fn read_all(&self, b: &Builder<'c>, sizes: &Sizes<'c>, first: Val<'c>) -> Vec<Val<'c>> {
        self.own.iter().flat_map(|line| self.read_line(b, sizes, first, line)).collect()
    }

    /// The same of a line. Of several elements that are read at once there is one input (`Spread`).
    fn read_line(
        &self,
        b: &Builder<'c>,
        sizes: &Sizes<'c>,
        first: Val<'c>,
        line: &Line<'c>,
    ) -> Vec<Val<'c>> {
        let plane = line.planes.first().copied().flatten().filter(|_| self.spread.lanes > 1);
        let Some(Plane::Lines(plane)) = plane else {
            let each = line.elements.iter();
            return each.flat_map(|own| self.read_one(b, sizes, first, line, own)).collect();
        };
        let read = load_run(b, plane, &[first, b.index(0)], self.spread.lanes);
        read.into_iter().flat_map(|value| self.made(b, vec![value])).collect()
    }

    /// What a thread copies of any tile, one element after the other, and zero behind the end of the sum.
    pub fn read(
        &self,
        b: &Builder<'c>,
        sizes: &Sizes<'c>,
        first: Val<'c>,
        end: Val<'c>,
    ) -> Result<Vec<Val<'c>>> {
        let types = self.types();
        let mut values = vec![];
        for (line, own) in
            self.own.iter().flat_map(|line| line.elements.iter().map(move |own| (line, own)))
        {
            let is_summand = own.is_summand(b, first, end);
            let read = b.if_else(is_summand, &types, |b, is_summand| {
                Ok(match is_summand {
                    true => self.read_one(&b, sizes, first, line, own),
                    false => types.iter().map(|&scalar| b.zero_scalar(scalar)).collect(),
                })
            })?;
            values.extend(read.result_list());
        }
        Ok(values)
    }

    /// What is in registers of an element.
    fn read_one(
        &self,
        b: &Builder<'c>,
        sizes: &Sizes<'c>,
        first: Val<'c>,
        line: &Line<'c>,
        own: &Own<'c>,
    ) -> Vec<Val<'c>> {
        let inputs = self.inputs.iter().zip(&line.planes);
        let read =
            inputs.map(|(&input, plane)| self.element(b, sizes, first, own, (input, *plane)));
        self.made(b, read.collect())
    }

    /// Reads an element of an input.
    fn element(
        &self,
        b: &Builder<'c>,
        sizes: &Sizes<'c>,
        first: Val<'c>,
        own: &Own<'c>,
        (input, plane): (usize, Option<Plane<'c>>),
    ) -> Val<'c> {
        let Contraction { arrays, loops, sum, .. } = self.contraction;
        match plane {
            Some(Plane::Lines(plane)) => return load(b, plane, &[first, own.behind]),
            Some(Plane::Offsets(all, offsets)) => {
                let offset = load(b, offsets, &[b.add(first, own.depth)]);
                return load(b, all, &[offset]);
            }
            None => {}
        }
        let mut indices = sizes.apart(b, sum, b.add(first, own.depth));
        indices.extend(self.batch.iter().chain(&own.indices));
        load(b, arrays[input], &in_order(&loops[input], &indices))
    }

    /// What is in registers of an element, of which all inputs are read.
    fn made(&self, b: &Builder<'c>, read: Vec<Val<'c>>) -> Vec<Val<'c>> {
        if self.is_made_late { read } else { vec![self.make(b, &read)] }
    }

    /// What inputs make.
    fn make(&self, b: &Builder<'c>, read: &[Val<'c>]) -> Val<'c> {
        let Contraction { body, .. } = self.contraction;
        let inputs = self.inputs.iter().copied().zip(read.iter().copied());
        body.make(b, self.contraction.side(self.side), inputs)
    }

    /// How many values a thread reads.
    pub fn count(&self) -> usize {
        self.own.len() * self.spread.lanes as usize * self.types().len()
    }

    /// Puts what was read of the tile that begins at a summand into shared memory, in a stage; if it has all of its summands,
    /// what was read by `read_all`.
    pub fn write(
        &self,
        b: &Builder<'c>,
        stage: Val<'c>,
        values: &[Val<'c>],
        [first, end]: [Val<'c>; 2],
        has_all: bool,
    ) {
        let mut values = values.chunks(self.types().len());
        for line in &self.own {
            let pairs = line.elements.iter().zip(values.by_ref());
            let made = pairs.map(|(own, read)| {
                let made = if self.is_made_late { self.make(b, read) } else { read[0] };
                let made = if self.is_made_late && !has_all {
                    b.select(own.is_summand(b, first, end), made, b.zero_scalar(made.r#type()))
                } else {
                    made
                };
                self.tile.held_as(b, made)
            });
            self.put(b, stage, line, &made.collect::<Vec<_>>(), has_all);
        }
    }

    /// Puts a line into shared memory, whose places are those of wide ones, or are found when the kernel runs.
    fn put(
        &self,
        b: &Builder<'c>,
        stage: Val<'c>,
        line: &Line<'c>,
        made: &[Val<'c>],
        is_wide: bool,
    ) {
        let places = match is_wide {
            true => self.spread.places(b, line.thread, true),
            false => self.spread.found(b, line.thread),
        };
        let is_along = self.spread.is_along_sum;
        let at = |place| {
            let [depth, own] = if is_along { [place, line.number] } else { [line.number, place] };
            self.place(b, stage, depth, own)
        };
        let is_run = is_wide && is_along == self.has_sums_in_lines();
        // What is made of elements may be longer than these.
        let most = made.first().map_or(0, |value| most_lanes(value.r#type()));
        if is_run && (2..=most).contains(&(made.len() as i64)) {
            store_run(b, self.shared, &at(places[0]), made);
        } else {
            let pairs = places.into_iter().zip(made);
            pairs.for_each(|(place, &value)| store(b, value, self.shared, &at(place)));
        }
    }

    /// Whether shared memory has the summands of a row or column side by side.
    pub fn has_sums_in_lines(&self) -> bool {
        self.tile.has_sums_in_lines(self.spread.is_along_sum)
    }

    /// Where shared memory has a summand of a row or column, both counted in the tile of a stage.
    pub fn place(
        &self,
        b: &Builder<'c>,
        stage: Val<'c>,
        summand: Val<'c>,
        own: Val<'c>,
    ) -> [Val<'c>; 2] {
        let summand = b.add(stage, summand);
        if self.has_sums_in_lines() { [own, summand] } else { [summand, own] }
    }

    /// What a thread needs of a summand of the tile of a stage: some rows or columns behind one of them.
    pub fn some(
        &self,
        b: &Builder<'c>,
        [stage, summand]: [Val<'c>; 2],
        first: Val<'c>,
        places: &[i64],
    ) -> Vec<Val<'c>> {
        let place = |&i| self.place(b, stage, summand, b.add(first, b.index(i)));
        places.iter().map(|i| load(b, self.shared, &place(i))).collect()
    }
}
