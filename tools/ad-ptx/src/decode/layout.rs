//! Places of variables: in memory of the device, in shared and local memory, among parameters.

use std::collections::HashMap;

use crate::{
    memory::Memory,
    syntax::{Function, Module, Statement, Variable},
    types::{Refusal, Space},
};

/// Bytes between variables in shared memory, so that accesses behind one are found.
const GAP: u64 = 256;

/// Puts variables of a module into memory of the device.
pub fn place_variables<'a>(
    module: &Module<'a>,
    memory: &mut Memory,
) -> Result<HashMap<&'a str, u64>, Refusal> {
    let mut places = HashMap::new();
    for variable in &module.variables {
        if !matches!(variable.space, Space::Global | Space::Const) {
            continue;
        }
        let refuse = |text: &str| {
            Err(Refusal { line: variable.line, text: format!("'{}' {text}", variable.name) })
        };
        let size = variable.ty.bytes() as usize;
        let count = variable.elements.unwrap_or(variable.initial.len() as u64);
        if variable.initial.len() as u64 > count {
            return refuse("has too many elements at first");
        }
        let Some(bytes) = (count as usize).checked_mul(size) else {
            return refuse("is too large");
        };
        let mut data: Vec<u8> =
            variable.initial.iter().flat_map(|x| x.to_le_bytes()[..size].to_vec()).collect();
        data.resize(bytes, 0);
        let Some(address) = memory.allocate(bytes, false) else { return refuse("is too large") };
        let _ = memory.write_all(address, &data);
        places.insert(variable.name, address);
    }
    Ok(places)
}

/// Parameters and results of a function: first bytes and sizes.
pub struct Signature<'a> {
    /// Its number.
    pub number: usize,
    /// Whether it is a kernel, which is not called.
    pub is_kernel: bool,
    /// What it is given.
    pub parameters: Vec<(&'a str, [u32; 2])>,
    /// What it gives.
    pub results: Vec<(&'a str, [u32; 2])>,
}

impl<'a> Signature<'a> {
    /// Parameters come first.
    pub fn new(number: usize, function: &Function<'a>) -> Self {
        let mut bytes = 0;
        let mut places = |variables: &[Variable<'a>]| {
            let place = |v: &Variable<'a>| (v.name, place_param(&mut bytes, v));
            variables.iter().map(place).collect::<Vec<_>>()
        };
        let parameters = places(&function.parameters);
        let results = places(&function.results);
        Self { number, is_kernel: function.is_kernel, parameters, results }
    }
}

/// The next place for a parameter: its first byte and its size.
pub fn place_param(bytes: &mut u32, variable: &Variable) -> [u32; 2] {
    let first = bytes.next_multiple_of(variable.align.max(1));
    let size = variable.bytes() as u32;
    *bytes = first + size;
    [first, size]
}

/// Places in memory of blocks and threads.
#[derive(Default)]
pub struct Layout<'a> {
    /// First addresses by name.
    pub shared: HashMap<&'a str, u64>,
    /// First addresses and sizes.
    pub ranges: Vec<(u64, u64)>,
    /// As the hardware counts it.
    pub shared_bytes: u64,
    /// Where dynamic shared memory begins.
    pub dynamic: u64,
}

impl<'a> Layout<'a> {
    /// Shared variables of a module and of a function; what is dynamic comes last.
    pub fn new(module: &Module<'a>, function: &Function<'a>) -> Result<Self, Refusal> {
        let own = function.body.iter().flatten().filter_map(|statement| match statement {
            Statement::Variable(variable) => Some(variable),
            _ => None,
        });
        let all: Vec<_> = module
            .variables
            .iter()
            .chain(own)
            .filter(|variable| variable.space == Space::Shared)
            .collect();
        let mut layout = Self::default();
        let (mut next, mut dynamic_align) = (0u64, 16);
        for variable in all.iter().filter(|variable| variable.elements.is_some()) {
            let align = u64::from(variable.align);
            if !function.is_kernel && !module.variables.iter().any(|v| v.name == variable.name) {
                let text = "shared memory of functions is not supported".to_owned();
                return Err(Refusal { line: variable.line, text });
            }
            let first = next.next_multiple_of(align.max(16));
            layout.shared.insert(variable.name, first);
            layout.ranges.push((first, variable.bytes()));
            layout.shared_bytes = layout.shared_bytes.next_multiple_of(align) + variable.bytes();
            next = first + variable.bytes() + GAP;
        }
        for variable in all.iter().filter(|variable| variable.elements.is_none()) {
            dynamic_align = dynamic_align.max(u64::from(variable.align));
        }
        layout.dynamic = next.next_multiple_of(dynamic_align);
        for variable in all.iter().filter(|variable| variable.elements.is_none()) {
            layout.shared.insert(variable.name, layout.dynamic);
        }
        Ok(layout)
    }
}
