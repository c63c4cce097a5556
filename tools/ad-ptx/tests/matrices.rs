//! Products of matrices: small integers, of which all sums are exact.

mod common;

use ad_ptx::fault::{ILLEGAL_INSTRUCTION, MISALIGNED_ADDRESS};
use common::Test;

/// `{%r8, %r9, ...}`.
fn registers(prefix: &str, first: usize, count: usize) -> String {
    let names: Vec<_> = (first..first + count).map(|n| format!("%{prefix}{n}")).collect();
    format!("{{{}}}", names.join(", "))
}

/// Elements of A by columns or by rows, of B by rows, of C by rows.
fn a(row: u64, i: u64) -> u64 {
    (row * 3 + i * 5) % 7
}

fn b(i: u64, column: u64) -> u64 {
    (i * 2 + column) % 5
}

fn expected(side: u64, depth: u64) -> Vec<f64> {
    let sum = |row, column| (0..depth).map(|i| a(row, i) * b(i, column)).sum::<u64>() + row;
    (0..side * side).map(|n| sum(n / side, n % side) as f64).collect()
}

/// f64, of which a lane has one element of each factor and two sums.
#[test]
fn double() {
    for (layout, by_columns) in [("row", false), ("col", true)] {
        let mut input: Vec<u64> = vec![];
        for n in 0..32 {
            let (row, i) = if by_columns { (n % 8, n / 8) } else { (n / 4, n % 4) };
            input.push((a(row, i) as f64).to_bits());
        }
        input.extend((0..32).map(|n| (b(n / 8, n % 8) as f64).to_bits()));
        input.extend((0..64).map(|n| ((n / 8) as f64).to_bits()));
        let stride = if by_columns { 8 } else { 4 };
        let body = format!("
            wmma.load.a.sync.aligned.{layout}.m8n8k4.global.f64 {{%rd3}}, [%rd0], {stride};
            wmma.load.b.sync.aligned.row.m8n8k4.global.f64 {{%rd4}}, [%rd0+256], 8;
            wmma.load.c.sync.aligned.row.m8n8k4.global.f64 {{%rd5, %rd6}}, [%rd0+512], 8;
            wmma.mma.sync.aligned.{layout}.row.m8n8k4.f64.f64.f64.f64 {{%rd7, %rd8}}, {{%rd3}}, {{%rd4}}, {{%rd5, %rd6}};
            wmma.store.d.sync.aligned.row.m8n8k4.global.f64 [%rd1], {{%rd7, %rd8}}, 8;");
        let found = Test { words: 64, ..Test::threads(32) }.run(&body, &input).expect("it runs");
        let found: Vec<f64> = found.into_iter().map(f64::from_bits).collect();
        assert_eq!(found, expected(8, 4));
    }
}

/// Two f32 in a word.
fn singles(numbers: impl Iterator<Item = f32>) -> Vec<u64> {
    let bits: Vec<u64> = numbers.map(|x| u64::from(x.to_bits())).collect();
    bits.chunks(2).map(|pair| pair[0] | pair[1] << 32).collect()
}

fn from_singles(words: &[u64]) -> Vec<f64> {
    let halves = words.iter().flat_map(|word| [*word as u32, (word >> 32) as u32]);
    halves.map(|bits| f64::from(f32::from_bits(bits))).collect()
}

fn tf32_body() -> String {
    let [a, b, c, d] =
        [(4, 4), (8, 4), (12, 8), (20, 8)].map(|(n, count)| registers("r", n, count));
    format!(
        "
        wmma.load.a.sync.aligned.row.m16n16k8.global.tf32 {a}, [%rd0], 8;
        wmma.load.b.sync.aligned.row.m16n16k8.global.tf32 {b}, [%rd0+512], 16;
        wmma.load.c.sync.aligned.row.m16n16k16.global.f32 {c}, [%rd0+1024], 16;
        wmma.mma.sync.aligned.row.row.m16n16k8.f32.tf32.tf32.f32 {d}, {a}, {b}, {c};
        wmma.store.d.sync.aligned.row.m16n16k16.global.f32 [%rd1], {d}, 16;"
    )
}

fn tf32_input(scale: f32) -> Vec<u64> {
    let mut input = singles((0..128).map(|n| a(n / 8, n % 8) as f32 * scale));
    input.extend(singles((0..128).map(|n| b(n / 16, n % 16) as f32)));
    input.extend(singles((0..256).map(|n| (n / 16) as f32)));
    input
}

/// Bits of factors that TF32 has not are not read: 1 + 2^-11 is 1.
#[test]
fn single() {
    let test = Test { words: 128, ..Test::threads(32) };
    for scale in [1.0, 1.0 + 1.0 / 2048.0] {
        let found = test.run(&tf32_body(), &tf32_input(scale)).expect("it runs");
        // Of 3 (1 + 2^-11) and so on, the last bit lies within TF32.
        let kept = |x: u64| f64::from(f32::from_bits((x as f32 * scale).to_bits() & !0x1fff));
        let sum = |row, column| {
            (0..8).map(|i| kept(a(row, i)) * b(i, column) as f64).sum::<f64>() + row as f64
        };
        let expected: Vec<f64> = (0..256).map(|n| f64::from(sum(n / 16, n % 16) as f32)).collect();
        assert_eq!(from_singles(&found), expected);
    }
    assert_eq!(
        from_singles(&test.run(&tf32_body(), &tf32_input(1.0)).expect("it runs")),
        expected(16, 8)
    );
}

/// Lanes have each element of f16 factors twice.
#[test]
fn half() {
    let pack = |f: &dyn Fn(u64) -> u64| -> Vec<u64> {
        // Small integers in f16.
        let half = |n: u64| match f(n) {
            0 => 0,
            x => {
                let exponent = u64::from(x.ilog2());
                (15 + exponent) << 10 | (x << (10 - exponent) & 0x3ff)
            }
        };
        (0..64).map(|w| (0..4).fold(0, |word, n| word | half(4 * w + n) << (16 * n))).collect()
    };
    let mut input = pack(&|n| a(n / 16, n % 16));
    input.extend(pack(&|n| b(n / 16, n % 16)));
    input.extend(singles((0..256).map(|n| (n / 16) as f32)));
    let [a, b, c] = [(4, 8), (12, 8), (20, 8)].map(|(n, count)| registers("r", n, count));
    let body = format!(
        "
        wmma.load.a.sync.aligned.row.m16n16k16.global.f16 {a}, [%rd0], 16;
        wmma.load.b.sync.aligned.row.m16n16k16.global.f16 {b}, [%rd0+512], 16;
        wmma.load.c.sync.aligned.row.m16n16k16.global.f32 {c}, [%rd0+1024], 16;
        wmma.mma.sync.aligned.row.row.m16n16k16.f32.f32 {c}, {a}, {b}, {c};
        wmma.store.d.sync.aligned.row.m16n16k16.global.f32 [%rd1], {c}, 16;"
    );
    let found = Test { words: 128, ..Test::threads(32) }.run(&body, &input).expect("it runs");
    assert_eq!(from_singles(&found), expected(16, 16));
}

#[test]
fn refused() {
    let test = Test { words: 128, ..Test::threads(32) };
    let failed = |body: &str| test.run(body, &tf32_input(1.0)).expect_err("it must fail");
    // Factors are taken as they were loaded.
    let (code, text) =
        failed(&tf32_body().replace("load.a.sync.aligned.row", "load.a.sync.aligned.col"));
    assert_eq!(code, ILLEGAL_INSTRUCTION);
    let says = "takes matrix A, .row.m16n16k8.tf32, but line 18 loads A, .col.m16n16k8.tf32";
    assert!(text.contains(says), "{text}");
    let (code, text) = failed(&tf32_body().replace("[%rd0+512]", "[%rd0+516]"));
    assert_eq!(code, MISALIGNED_ADDRESS);
    assert!(text.contains("multiples of 16"), "{text}");
    let (code, text) = Test { words: 128, ..Test::threads(31) }
        .run(&tf32_body(), &tf32_input(1.0))
        .expect_err("it must fail");
    assert_eq!(code, ad_ptx::fault::LAUNCH_FAILED);
    assert!(text.contains("lane 31 is not there"), "{text}");
}
