//! Kernels that are written by hand, and what they write.

#![allow(dead_code)]

use ad_ptx::{
    device::{Device, Settings},
    launch::Launch,
};

/// What every kernel has: `%rd0` is the address of the input, `%rd1` that of the output, `%rd2` where the thread writes
/// its word, `%r0` the number of the thread in its block.
const PRELUDE: &str = "
    .reg .pred %p<8>;
    .reg .b16 %rs<8>;
    .reg .b32 %r<40>;
    .reg .b64 %rd<16>;
    ld.param.b64 %rd0, [k_param_0];
    ld.param.b64 %rd1, [k_param_1];
    mov.u32 %r0, %tid.x;
    mul.wide.u32 %rd2, %r0, 8;
    add.s64 %rd2, %rd1, %rd2;
";

/// A text with one kernel.
pub fn text(before: &str, directives: &str, body: &str) -> String {
    format!(
        ".version 7.0\n.target sm_80\n.address_size 64\n{before}\n.visible .entry k(.param .u64 k_param_0, \
         .param .u64 k_param_1)\n{directives}\n{{{PRELUDE}{body}\nret;\n}}\n"
    )
}

/// How a kernel is launched.
#[derive(Clone)]
pub struct Test {
    /// What stands before the kernel.
    pub before: String,
    /// What stands before its body.
    pub directives: String,
    /// Blocks.
    pub grid: [u32; 3],
    /// Threads of a block.
    pub block: [u32; 3],
    /// Bytes of dynamic shared memory.
    pub shared: u32,
    /// The order.
    pub seed: u64,
    /// Words of the output.
    pub words: usize,
}

impl Test {
    /// So many threads, each with a word of the output.
    pub fn threads(count: u32) -> Self {
        Self {
            before: String::new(),
            directives: String::new(),
            grid: [1; 3],
            block: [count, 1, 1],
            shared: 0,
            seed: 0,
            words: count as usize,
        }
    }

    /// Runs a body on an input and gives the output, or the code and what was said.
    pub fn run(&self, body: &str, input: &[u64]) -> Result<Vec<u64>, (i32, String)> {
        let mut device =
            Device::new(Settings { seed: self.seed, branches: 1 << 20, ..Settings::default() });
        device.prints = false;
        let module = device.load(&text(&self.before, &self.directives, body))?;
        let kernel = device.function(module, "k").expect("the kernel is there");
        let from = device.allocate((8 * input.len()).max(8), false).expect("there is memory");
        let to = device.allocate(8 * self.words, false).expect("there is memory");
        let bytes: Vec<u8> = input.iter().flat_map(|word| word.to_le_bytes()).collect();
        device.memory.write_all(from, &bytes).expect("it fits");
        let launch = Launch {
            grid: self.grid,
            block: self.block,
            shared: self.shared,
            allowed_shared: 0,
            parameters: [from.to_le_bytes(), to.to_le_bytes()].concat(),
        };
        let answer = device.launch(kernel, launch, 0).and_then(|()| device.synchronize(0));
        answer.map_err(|code| (code, device.message.clone()))?;
        Ok((0..self.words)
            .map(|word| device.memory.read(to + 8 * word as u64, 8).expect("it is there"))
            .collect())
    }

    /// Runs a body that must fail, and gives the code and what was said.
    pub fn fails(&self, body: &str) -> (i32, String) {
        self.run(body, &[0; 4]).expect_err("it must fail")
    }
}

/// What one thread gives that leaves its result in `%rd3`.
pub fn one(body: &str) -> u64 {
    let body = format!("{body}\nst.global.b64 [%rd2], %rd3;");
    Test::threads(1).run(&body, &[]).expect("it runs")[0]
}

/// What one thread gives that leaves its result in `%r3`.
pub fn one_32(body: &str) -> u32 {
    one(&format!("{body}\ncvt.u64.u32 %rd3, %r3;")) as u32
}

/// The same for f32.
pub fn one_f32(body: &str) -> f32 {
    f32::from_bits(one_32(body))
}

/// The same for f64, in `%rd3`.
pub fn one_f64(body: &str) -> f64 {
    f64::from_bits(one(body))
}

/// A constant of PTX.
pub fn f32_text(x: f32) -> String {
    format!("0f{:08X}", x.to_bits())
}

/// A constant of PTX.
pub fn f64_text(x: f64) -> String {
    format!("0d{:016X}", x.to_bits())
}
