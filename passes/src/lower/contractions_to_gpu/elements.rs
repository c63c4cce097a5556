//! What a thread reads and writes of arrays that are like the result: what sums begin with, the sums or parts of them, and
//! what an epilogue reads and makes. Elements that are there are read and written several at once, where that can be.

use ad_dialect::ir::{OpExt, Val, ValExt};
use melior::ir::Type;

use super::{
    epilogue::{Epilogue, Source},
    kernel::{Kernel, Parts, Start, Thread},
    runs::{Runs, most_lanes},
    shape::{Contraction, Indices},
};
use crate::{
    lower::forall_to_gpu::when,
    support::{
        builder::Builder,
        diag::Result,
        fold::folded,
        memory::{element, has_lines, load, store},
    },
};

impl<'c> Kernel<'_, 'c> {
    /// What the sums of elements begin with, or zero for parts of them.
    pub fn start(
        &self,
        b: &Builder<'c>,
        thread: &Thread<'c>,
        elements: &[Indices<'c>],
        run: usize,
    ) -> Result<Vec<Val<'c>>> {
        let Parts { start, is_split, .. } = self.parts;
        let zero = b.zero_scalar(self.contraction.element);
        let array = match *start {
            Start::Array(array) => array,
            Start::Number(number) => {
                return Ok(vec![b.select(*is_split, zero, number); elements.len()]);
            }
        };
        if folded(*is_split) == Some(0) {
            return self.read(b, thread, Target::Array(array), elements, run);
        }
        let types = vec![self.contraction.element; elements.len()];
        let start = b.if_else(*is_split, &types, |b, is_split| match is_split {
            true => Ok(vec![zero; elements.len()]),
            false => self.read(&b, thread, Target::Array(array), elements, run),
        })?;
        Ok(start.result_list())
    }

    /// Reads elements, of which so many lie side by side, and gives zero for those that are not there.
    fn read(
        &self,
        b: &Builder<'c>,
        thread: &Thread<'c>,
        target: Target<'_, 'c>,
        elements: &[Indices<'c>],
        run: usize,
    ) -> Result<Vec<Val<'c>>> {
        let Some(has_all) = self.has_all(b, thread) else {
            return self.read_each(b, target, elements);
        };
        let types = vec![target.element(self); elements.len()];
        let read = b.if_else(has_all, &types, |b, has_all| match has_all {
            true => self.read_all(&b, target, elements, run),
            false => self.read_each(&b, target, elements),
        })?;
        Ok(read.result_list())
    }

    /// Reads the elements that there are, and gives zero for others.
    fn read_each(
        &self,
        b: &Builder<'c>,
        target: Target<'_, 'c>,
        elements: &[Indices<'c>],
    ) -> Result<Vec<Val<'c>>> {
        let r#type = target.element(self);
        let mut values = vec![];
        for &at in elements {
            let value = b.if_else(self.is_inside(b, at), &[r#type], |b, is_inside| {
                let read = || load(&b, target.array(self), &target.place(&b, self, at));
                Ok(vec![if is_inside { read() } else { b.zero_scalar(r#type) }])
            })?;
            values.extend(value.res(0));
        }
        Ok(values)
    }

    /// Reads elements, all of which there are, several at a time if that can be.
    fn read_all(
        &self,
        b: &Builder<'c>,
        target: Target<'_, 'c>,
        elements: &[Indices<'c>],
        run: usize,
    ) -> Result<Vec<Val<'c>>> {
        let read = |b: &Builder<'c>| {
            let read = |&at| load(b, target.array(self), &target.place(b, self, at));
            elements.iter().map(read).collect()
        };
        let Some(runs) = self.runs(b, target, elements, run) else { return Ok(read(b)) };
        let types = vec![target.element(self); elements.len()];
        let read = b.if_else(runs.are_aligned, &types, |b, are_aligned| {
            Ok(if are_aligned { runs.read(&b) } else { read(&b) })
        })?;
        Ok(read.result_list())
    }

    /// The elements of an array, of which so many lie side by side, if several of them can be read or written at a time.
    fn runs(
        &self,
        b: &Builder<'c>,
        target: Target<'_, 'c>,
        elements: &[Indices<'c>],
        run: usize,
    ) -> Option<Runs<'c>> {
        let lanes = (run as i64).min(most_lanes(target.element(self)));
        if lanes < 2 || !target.has_columns(self) {
            return None;
        }
        let firsts = elements.iter().step_by(lanes as usize).map(|&at| target.place(b, self, at));
        Runs::new(b, target.array(self), firsts.collect(), lanes)
    }

    /// Writes the sums of a thread, of which so many lie side by side, or what is made of them, or the parts of them.
    pub fn finish(
        &self,
        b: &Builder<'c>,
        thread: &Thread<'c>,
        elements: &[Indices<'c>],
        sums: &[Val<'c>],
        run: usize,
    ) -> Result<()> {
        b.if_else(self.parts.is_split, &[], |b, is_split| {
            let all = match (is_split, self.parts.epilogue) {
                (true, _) => {
                    let before = b.mul(thread.part, self.sizes.outputs(&b));
                    vec![(Target::Parts(before), sums.to_vec())]
                }
                (false, None) => vec![(Target::Array(self.contraction.result()), sums.to_vec())],
                (false, Some(it)) => self.made(&b, thread, it, elements, (sums, run))?,
            };
            for (target, values) in &all {
                self.write(&b, thread, *target, elements, (values, run))?;
            }
            Ok(vec![])
        })?;
        Ok(())
    }

    /// What an epilogue makes of whole sums, and the sums if others read them.
    fn made<'a>(
        &self,
        b: &Builder<'c>,
        thread: &Thread<'c>,
        epilogue: &'a Epilogue<'c>,
        elements: &[Indices<'c>],
        (sums, run): (&[Val<'c>], usize),
    ) -> Result<Vec<(Target<'a, 'c>, Vec<Val<'c>>)>> {
        let read = |source| match source {
            Source::Sum | Source::Nothing => Ok(sums.to_vec()),
            Source::Number(number) => Ok(vec![number; sums.len()]),
            Source::Element(k) => {
                let target = Target::Operand(epilogue, k);
                match epilogue.is_in_order(k) {
                    true => self.read(b, thread, target, elements, run),
                    false => self.read_shared(b, thread, target, elements),
                }
            }
        };
        let read = epilogue.sources().into_iter().map(read).collect::<Result<Vec<_>>>()?;
        let outputs = epilogue.outputs().map(|k| (Target::Operand(epilogue, k), vec![]));
        let mut all: Vec<_> = outputs.collect();
        for (i, &at) in elements.iter().enumerate() {
            let place = self.contraction.place(b, self.sizes, at);
            let own: Vec<_> = read.iter().map(|values| values[i]).collect();
            let made = epilogue.make(b, &place, &own);
            all.iter_mut().zip(made).for_each(|((_, values), value)| values.push(value));
        }
        if epilogue.keeps_sums {
            all.push((Target::Array(self.contraction.result()), sums.to_vec()));
        }
        Ok(all)
    }

    /// Reads elements of which several are the same, each once. The first of these is there if any is: rows and columns go up.
    fn read_shared(
        &self,
        b: &Builder<'c>,
        thread: &Thread<'c>,
        target: Target<'_, 'c>,
        elements: &[Indices<'c>],
    ) -> Result<Vec<Val<'c>>> {
        let (mut places, mut firsts, mut numbers) = (vec![], vec![], vec![]);
        for &at in elements {
            let place: Vec<_> = target.place(b, self, at).iter().map(ValExt::key).collect();
            let number = places.iter().position(|other| *other == place);
            numbers.push(number.unwrap_or_else(|| {
                places.push(place);
                firsts.push(at);
                firsts.len() - 1
            }));
        }
        let read = self.read(b, thread, target, &firsts, 1)?;
        Ok(numbers.into_iter().map(|number| read[number]).collect())
    }

    /// Writes what belongs to elements, of which so many lie side by side, as far as they are there.
    fn write(
        &self,
        b: &Builder<'c>,
        thread: &Thread<'c>,
        target: Target<'_, 'c>,
        elements: &[Indices<'c>],
        (values, run): (&[Val<'c>], usize),
    ) -> Result<()> {
        let Some(has_all) = self.has_all(b, thread) else {
            return self.write_each(b, target, elements, values);
        };
        b.if_else(has_all, &[], |b, has_all| {
            match has_all {
                true => self.write_all(&b, target, elements, values, run)?,
                false => self.write_each(&b, target, elements, values)?,
            }
            Ok(vec![])
        })?;
        Ok(())
    }

    /// Writes the sums of elements that there are.
    fn write_each(
        &self,
        b: &Builder<'c>,
        target: Target<'_, 'c>,
        elements: &[Indices<'c>],
        sums: &[Val<'c>],
    ) -> Result<()> {
        for (&at, &sum) in elements.iter().zip(sums) {
            when(b, self.is_inside(b, at), |b| {
                store(b, sum, target.array(self), &target.place(b, self, at));
                Ok(())
            })?;
        }
        Ok(())
    }

    /// Writes sums, all of which there are, several at a time if that can be.
    fn write_all(
        &self,
        b: &Builder<'c>,
        target: Target<'_, 'c>,
        elements: &[Indices<'c>],
        sums: &[Val<'c>],
        run: usize,
    ) -> Result<()> {
        let write = |b: &Builder<'c>| {
            for (&at, &sum) in elements.iter().zip(sums) {
                store(b, sum, target.array(self), &target.place(b, self, at));
            }
        };
        let Some(runs) = self.runs(b, target, elements, run) else {
            write(b);
            return Ok(());
        };
        b.if_else(runs.are_aligned, &[], |b, are_aligned| {
            match are_aligned {
                true => runs.write(&b, sums),
                false => write(&b),
            }
            Ok(vec![])
        })?;
        Ok(())
    }
}

/// Where elements are read from or written to.
#[derive(Clone, Copy)]
enum Target<'a, 'c> {
    /// An array like the result.
    Array(Val<'c>),
    /// The parts of sums, behind so many of the parts before.
    Parts(Val<'c>),
    /// An operand of an epilogue.
    Operand(&'a Epilogue<'c>, usize),
}

impl<'c> Target<'_, 'c> {
    fn array(self, kernel: &Kernel<'_, 'c>) -> Val<'c> {
        match self {
            Self::Array(array) => array,
            Self::Parts(_) => kernel.parts.array,
            Self::Operand(epilogue, k) => epilogue.operand(k),
        }
    }

    /// The type of its elements.
    fn element(self, kernel: &Kernel<'_, 'c>) -> Type<'c> {
        element(self.array(kernel)).unwrap_or(kernel.contraction.element)
    }

    /// The indices of an element.
    fn place(self, b: &Builder<'c>, kernel: &Kernel<'_, 'c>, at: Indices<'c>) -> Vec<Val<'c>> {
        let of_result = || kernel.contraction.place(b, kernel.sizes, at);
        match self {
            Self::Array(_) => of_result(),
            Self::Parts(before) => vec![b.add(before, kernel.sizes.number(b, &at))],
            Self::Operand(epilogue, k) => epilogue.place(k, &of_result()),
        }
    }

    /// Whether the columns of a row lie side by side.
    fn has_columns(self, kernel: &Kernel<'_, 'c>) -> bool {
        let Contraction { loops, columns, .. } = kernel.contraction;
        let last = loops.last().and_then(|loops| loops.last());
        let is_in_order = match self {
            Self::Operand(epilogue, k) => epilogue.is_in_order(k),
            _ => true,
        };
        has_lines(self.array(kernel))
            && is_in_order
            && match self {
                Self::Array(_) | Self::Operand(..) => {
                    matches!(columns[..], [column] if last == Some(&column))
                }
                Self::Parts(_) => true,
            }
    }
}
