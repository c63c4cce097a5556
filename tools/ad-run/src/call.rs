//! Calls of compiled functions.
//!
//! MLIR's C interface passes a memref as the address of a descriptor and returns one scalar as it is; everything else
//! comes back in a structure whose address is the first argument.

use std::{collections::HashSet, ffi::c_void, path::Path, time::Instant};

use anyhow::{Result, anyhow, bail};

use crate::{
    Array, Kind, Signature, Target, Type,
    compile::{Engine, Packed},
    device::Counters,
    guard, memory,
};

/// MLIR's mark for memory that is not to be freed, such as a constant.
const NOT_OWNED: usize = 0xdead_beef;
/// Words of a descriptor before its sizes: the block, the elements, the offset of the first.
const HEAD: usize = 3;

/// Compiled functions.
pub struct Compiled {
    functions: Vec<(Signature, Packed)>,
    /// Holds the machine code.
    engine: Engine,
    seconds: f64,
    target: Target,
}

/// What a call gave and took.
pub struct Outcome {
    /// The results, in memory of their own.
    pub results: Vec<Array>,
    /// Wall time of the call alone.
    pub seconds: f64,
    /// The most bytes that were live in the call: inputs, and all that compiled code allocated.
    pub peak_bytes: u64,
    /// What compiled code allocated and neither freed nor returned.
    pub leaked_bytes: i64,
    /// What a device did, unless the processor runs the program.
    pub device: Option<Counters>,
}

pub(crate) fn new(
    engine: Engine,
    functions: Vec<(Signature, Packed)>,
    seconds: f64,
    target: Target,
) -> Compiled {
    Compiled { functions, engine, seconds, target }
}

impl Compiled {
    /// Seconds from the parsed module to machine code.
    pub fn seconds(&self) -> f64 {
        self.seconds
    }

    /// The signature of an entry.
    pub fn signature(&self, entry: &str) -> Option<&Signature> {
        self.find(entry).map(|(signature, _)| signature)
    }

    /// Writes the machine code as an object file, for inspection.
    pub fn write_object(&self, path: &Path) -> Result<()> {
        self.engine.write_object(path)
    }

    fn find(&self, entry: &str) -> Option<&(Signature, Packed)> {
        self.functions.iter().find(|(signature, _)| signature.name == entry)
    }

    /// Calls an entry with copies of the inputs, since compiled code may write to its arguments.
    pub fn run(&self, entry: &str, inputs: &[Array]) -> Result<Outcome> {
        let Some((signature, function)) = self.find(entry) else {
            bail!("@{entry} is not compiled")
        };
        signature.check(inputs)?;
        let mut inputs = inputs.to_vec();
        let mut arguments = Arguments::new(signature, &mut inputs);
        let mut addresses = arguments.addresses();

        let (before, _) = memory::live_and_peak();
        let before_on_device = self.target.live_bytes();
        let _ = self.target.take_counters();
        memory::reset_peak();
        let start = Instant::now();
        // SAFETY: the addresses are those of the arguments that the signature asks for, which outlive the call.
        guard::watch(|| unsafe { function(addresses.as_mut_ptr()) });
        let seconds = start.elapsed().as_secs_f64();

        let errors = self.target.take_errors();
        let (_, peak) = memory::live_and_peak();
        let results = arguments.take_results();
        let (after, _) = memory::live_and_peak();
        let leaked_bytes = after - before + self.target.live_bytes() - before_on_device;
        if !errors.is_empty() {
            bail!("kernels failed:\n  {}", errors.join("\n  "));
        }
        let input_bytes: usize = inputs.iter().map(|input| input.bytes().len()).sum();
        let peak_bytes = (peak - before).max(0) as u64 + input_bytes as u64;
        Ok(Outcome {
            results: results?,
            seconds,
            peak_bytes,
            leaked_bytes,
            device: self.target.take_counters(),
        })
    }
}

/// One call: memory for arguments and results.
struct Arguments<'a> {
    signature: &'a Signature,
    /// Addresses of elements, by argument.
    elements: Vec<*mut c_void>,
    /// Address and end of the memory of every argument.
    owned: Vec<(usize, usize)>,
    /// Descriptors of arrays, empty for scalars.
    _descriptors: Vec<Vec<usize>>,
    /// What is passed for arrays: addresses of descriptors.
    descriptor_addresses: Vec<*mut c_void>,
    /// The structure of results, or the one scalar.
    results: Vec<u64>,
    results_address: *mut c_void,
}

impl<'a> Arguments<'a> {
    fn new(signature: &'a Signature, inputs: &mut [Array]) -> Self {
        let mut elements = vec![];
        let mut owned = vec![];
        let mut descriptors = vec![];
        for (input, ty) in inputs.iter_mut().zip(&signature.inputs) {
            let shape = input.shape().to_vec();
            let bytes = input.bytes_mut();
            let address = bytes.as_mut_ptr();
            owned.push((address as usize, address as usize + bytes.len()));
            elements.push(address.cast());
            descriptors.push(match ty.kind {
                Kind::Scalar => vec![],
                Kind::Array => descriptor(address as usize, &shape),
            });
        }
        let descriptor_addresses = descriptors
            .iter_mut()
            .map(|words: &mut Vec<usize>| words.as_mut_ptr().cast())
            .collect();
        let size = layout(&signature.results).1;
        let mut results = vec![0u64; size.div_ceil(8).max(2)];
        let results_address = results.as_mut_ptr().cast();
        Self {
            signature,
            elements,
            owned,
            _descriptors: descriptors,
            descriptor_addresses,
            results,
            results_address,
        }
    }

    /// The list of addresses that a packed function takes: of every argument, and of the result.
    fn addresses(&mut self) -> Vec<*mut c_void> {
        let mut addresses = vec![];
        let results = &self.signature.results;
        if returns_structure(results) {
            addresses.push((&raw mut self.results_address).cast());
        }
        for (position, ty) in self.signature.inputs.iter().enumerate() {
            addresses.push(match ty.kind {
                Kind::Scalar => self.elements[position],
                Kind::Array => (&raw mut self.descriptor_addresses[position]).cast(),
            });
        }
        addresses.push(self.results.as_mut_ptr().cast());
        addresses
    }

    /// Copies the results and gives back the memory they are in.
    fn take_results(&self) -> Result<Vec<Array>> {
        let types = &self.signature.results;
        let (offsets, _) = layout(types);
        let bytes: &[u8] = bytemuck::cast_slice(&self.results);
        let mut arrays = vec![];
        let mut blocks = HashSet::new();
        for (ty, offset) in types.iter().zip(offsets) {
            match ty.kind {
                Kind::Scalar => arrays.push(Ok(Array::scalar(ty.element, &bytes[offset..]))),
                Kind::Array => {
                    let end = offset + 8 * (HEAD + 2 * ty.shape.len());
                    let words: &[usize] = bytemuck::cast_slice(&bytes[offset..end]);
                    arrays.push(array(ty, words));
                    blocks.insert(words[0]);
                }
            }
        }
        for block in blocks {
            let of_argument =
                self.owned.iter().any(|&(start, end)| start <= block && block < end.max(start + 1));
            if block != 0 && block != NOT_OWNED && !of_argument {
                memory::free(block as *mut c_void);
            }
        }
        arrays.into_iter().collect()
    }
}

/// A row-major memref.
fn descriptor(address: usize, shape: &[usize]) -> Vec<usize> {
    let mut strides = vec![1usize; shape.len()];
    for dimension in (1..shape.len()).rev() {
        strides[dimension - 1] = strides[dimension].wrapping_mul(shape[dimension]);
    }
    [&[address, address, 0], shape, &strides].concat()
}

/// Whether results come back through an address: all but none and one that is no structure.
fn returns_structure(results: &[Type]) -> bool {
    match results {
        [] => false,
        [one] => one.kind == Kind::Array || one.element.is_complex(),
        _ => true,
    }
}

/// The offsets of the members of a structure, and its size.
fn layout(results: &[Type]) -> (Vec<usize>, usize) {
    let mut end = 0;
    let mut offsets = vec![];
    for ty in results {
        let (size, alignment) = match ty.kind {
            Kind::Scalar => (ty.element.size(), ty.element.part_size()),
            Kind::Array => (8 * (HEAD + 2 * ty.shape.len()), 8),
        };
        let offset = usize::next_multiple_of(end, alignment);
        offsets.push(offset);
        end = offset + size;
    }
    (offsets, end)
}

/// A row-major copy of what a descriptor says.
fn array(ty: &Type, words: &[usize]) -> Result<Array> {
    let (shape, strides) = words[HEAD..].split_at(ty.shape.len());
    let negative = shape.iter().any(|&size| size > isize::MAX as usize);
    if negative {
        let sizes: Vec<_> = shape.iter().map(|&size| size as isize).collect();
        bail!("a result has the impossible shape {sizes:?}");
    }
    let mut array = Array::zeros(ty.element, shape)?;
    if array.is_empty() {
        return Ok(array);
    }
    let size = ty.element.size();
    let row_major = descriptor(0, shape)[HEAD + shape.len()..] == *strides;
    let start = (words[1] as *const u8).wrapping_add(words[2].wrapping_mul(size));
    if start.is_null() {
        return Err(anyhow!("a result has no memory"));
    }
    if row_major {
        let target = array.bytes_mut();
        // SAFETY: compiled code wrote as many elements there.
        unsafe { std::ptr::copy_nonoverlapping(start, target.as_mut_ptr(), target.len()) };
        return Ok(array);
    }
    let mut index = vec![0usize; shape.len()];
    for element in array.bytes_mut().chunks_exact_mut(size) {
        let parts = index.iter().zip(strides).map(|(i, stride)| i.wrapping_mul(*stride));
        let position = parts.fold(0, usize::wrapping_add).wrapping_mul(size);
        // SAFETY: compiled code wrote an element there.
        unsafe {
            std::ptr::copy_nonoverlapping(start.wrapping_add(position), element.as_mut_ptr(), size);
        }
        for dimension in (0..shape.len()).rev() {
            index[dimension] += 1;
            if index[dimension] < shape[dimension] {
                break;
            }
            index[dimension] = 0;
        }
    }
    Ok(array)
}
