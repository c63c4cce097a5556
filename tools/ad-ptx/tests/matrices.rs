//! Products of matrices: small integers, of which all sums are exact.

mod common;

use common::Test;

/// `{%r8, %r9, ...}`.
fn registers(prefix: &str, first: usize, count: usize) -> String {
    let names: Vec<_> = (first..first + count).map(|n| format!("%{prefix}{n}")).collect();
    format!("{{{}}}", names.join(", "))
}

/// Elements of both factors; those of the sums are the number of their row before.
fn a(row: u64, i: u64) -> u64 {
    (row * 3 + i * 5) % 7
}

fn b(i: u64, column: u64) -> u64 {
    (i * 2 + column) % 5
}

fn sum(row: u64, column: u64, depth: u64) -> u64 {
    (0..depth).map(|i| a(row, i) * b(i, column)).sum::<u64>() + row
}

/// Where a lane begins: its row or column, and its first summand or column of sums of so many neighbours.
fn place(lane: u64, neighbours: u64) -> (u64, u64) {
    (lane / 4, lane % 4 * neighbours)
}

/// f64, of which a lane has one element of each factor and two sums.
#[test]
fn double() {
    let input: Vec<u64> = (0..32)
        .flat_map(|lane| {
            let (row, i) = place(lane, 1);
            [a(row, i), b(i, row), row, row].map(|x| (x as f64).to_bits())
        })
        .collect();
    let body = "
        mul.wide.u32 %rd3, %r0, 32;
        add.s64 %rd3, %rd0, %rd3;
        ld.global.v2.b64 {%rd4, %rd5}, [%rd3];
        ld.global.v2.b64 {%rd6, %rd7}, [%rd3+16];
        mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%rd8, %rd9}, {%rd4}, {%rd5}, {%rd6, %rd7};
        mul.wide.u32 %rd3, %r0, 16;
        add.s64 %rd3, %rd1, %rd3;
        st.global.v2.b64 [%rd3], {%rd8, %rd9};";
    let found = Test { words: 64, ..Test::threads(32) }.run(body, &input).expect("it runs");
    let expected: Vec<f64> = (0..32)
        .flat_map(|lane| {
            let (row, column) = place(lane, 2);
            [column, column + 1].map(|column| sum(row, column, 4) as f64)
        })
        .collect();
    assert_eq!(found.into_iter().map(f64::from_bits).collect::<Vec<_>>(), expected);
}

/// Two f32 in a word.
fn singles(numbers: impl IntoIterator<Item = f32>) -> Vec<u64> {
    let bits: Vec<u64> = numbers.into_iter().map(|x| u64::from(x.to_bits())).collect();
    bits.chunks(2).map(|pair| pair[0] | pair.get(1).unwrap_or(&0) << 32).collect()
}

fn from_singles(words: &[u64]) -> Vec<f64> {
    let halves = words.iter().flat_map(|word| [*word as u32, (word >> 32) as u32]);
    halves.map(|bits| f64::from(f32::from_bits(bits))).collect()
}

/// Each lane reads 10 registers of 12: four of the first factor, two of the second, four sums; it writes four.
fn body(kind: &str) -> String {
    let [a, b, c, d] =
        [(4, 4), (8, 2), (12, 4), (16, 4)].map(|(n, count)| registers("r", n, count));
    format!(
        "
        mul.wide.u32 %rd3, %r0, 48;
        add.s64 %rd3, %rd0, %rd3;
        ld.global.v4.b32 {a}, [%rd3];
        ld.global.v2.b32 {b}, [%rd3+16];
        ld.global.v4.b32 {c}, [%rd3+32];
        mma.sync.aligned.{kind} {d}, {a}, {b}, {c};
        mul.wide.u32 %rd3, %r0, 16;
        add.s64 %rd3, %rd1, %rd3;
        st.global.v4.b32 [%rd3], {d};"
    )
}

const TF32: &str = "m16n8k8.row.col.f32.tf32.tf32.f32";

fn tf32_input(scale: f32) -> Vec<u64> {
    let of_lane = |lane| {
        let (row, i) = place(lane, 1);
        let [x, y] = [row, row + 8].map(|row| [a(row, i), a(row, i + 4)]);
        let first = [x[0], y[0], x[1], y[1]].map(|x| x as f32 * scale);
        let second = [b(i, row), b(i + 4, row), 0, 0].map(|x| x as f32);
        let before = [row, row, row + 8, row + 8].map(|x| x as f32);
        [first, second, before].concat()
    };
    singles((0..32).flat_map(of_lane))
}

/// The sums of all lanes, of products with so many summands.
fn expected(depth: u64) -> Vec<f64> {
    let of_lane = |lane| {
        let (row, column) = place(lane, 2);
        let places = [(row, column), (row, column + 1), (row + 8, column), (row + 8, column + 1)];
        places.map(|(row, column)| sum(row, column, depth) as f64)
    };
    (0..32).flat_map(of_lane).collect()
}

/// Bits of factors that TF32 has not are not read: 1 + 2^-11 is 1.
#[test]
fn single() {
    let test = Test { words: 64, ..Test::threads(32) };
    let run = |scale| from_singles(&test.run(&body(TF32), &tf32_input(scale)).expect("it runs"));
    assert_eq!(run(1.0), expected(8));
    assert_eq!(run(1.0 + 1.0 / 2048.0), expected(8));
    let scale = 1.0 + 1.0 / 1024.0;
    let kept = |x: u64| f64::from(f32::from_bits((x as f32 * scale).to_bits() & !0x1fff));
    let first: f64 = (0..8).map(|i| kept(a(0, i)) * b(i, 0) as f64).sum();
    assert_eq!(run(scale)[0], first);
}

/// Registers have two neighbours of f16 factors.
#[test]
fn half() {
    // Small integers in f16.
    let half = |n: u64| match n {
        0 => 0,
        x => {
            let exponent = u64::from(x.ilog2());
            (15 + exponent) << 10 | (x << (10 - exponent) & 0x3ff)
        }
    };
    let pair = |x: u64, y: u64| half(x) | half(y) << 16;
    let of_lane = |lane| {
        let (row, i) = place(lane, 2);
        let first = |row, i| pair(a(row, i), a(row, i + 1));
        let second = |i| pair(b(i, row), b(i + 1, row));
        let before = [row, row, row + 8, row + 8].map(|x| u64::from((x as f32).to_bits()));
        let first = [first(row, i), first(row + 8, i), first(row, i + 8), first(row + 8, i + 8)];
        [first, [second(i), second(i + 8), 0, 0], before].concat()
    };
    let registers: Vec<u64> = (0..32).flat_map(of_lane).collect();
    let input: Vec<u64> = registers.chunks(2).map(|pair| pair[0] | pair[1] << 32).collect();
    let test = Test { words: 64, ..Test::threads(32) };
    let found = test.run(&body("m16n8k16.row.col.f32.f16.f16.f32"), &input).expect("it runs");
    assert_eq!(from_singles(&found), expected(16));
}

#[test]
fn refused() {
    let test = Test { words: 64, ..Test::threads(32) };
    let failed = |kind: &str| test.run(&body(kind), &tf32_input(1.0)).expect_err("it must fail").1;
    let text = failed("m16n8k4.row.col.f32.tf32.tf32.f32");
    assert!(text.contains("there is no matrix A, .m16n8k4.tf32"), "{text}");
    let text = failed("m16n8k8.col.col.f32.tf32.tf32.f32");
    assert!(text.contains("the layout is not known"), "{text}");
    let text = failed("m16n8k16.row.col.f32.tf32.f16.f32");
    assert!(text.contains("there is no product of these types"), "{text}");
    let (code, text) = Test { words: 64, ..Test::threads(31) }
        .run(&body(TF32), &tf32_input(1.0))
        .expect_err("it must fail");
    assert_eq!(code, ad_ptx::fault::LAUNCH_FAILED);
    assert!(text.contains("lane 31 is not there"), "{text}");
}

/// Lanes read words of rows in shared memory: a register for each of four matrices, a row of 16 bytes for four lanes. Row `n` is
/// written, and said, by lane `n`; its words are `4 n` and the following.
#[test]
fn rows() {
    let body = "
        mov.b64 %rd3, rows;
        mul.wide.u32 %rd4, %r0, 48;
        add.s64 %rd3, %rd3, %rd4;
        shl.b32 %r1, %r0, 2;
        add.s32 %r2, %r1, 1;
        add.s32 %r3, %r1, 2;
        add.s32 %r4, %r1, 3;
        st.shared.v4.b32 [%rd3+16], {%r1, %r2, %r3, %r4};
        bar.sync 0;
        ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r5, %r6, %r7, %r8}, [%rd3+16];
        mul.wide.u32 %rd3, %r0, 16;
        add.s64 %rd3, %rd1, %rd3;
        st.global.v4.b32 [%rd3], {%r5, %r6, %r7, %r8};";
    let before = ".shared .align 16 .b8 rows[1552];";
    let test = Test { before: before.into(), words: 64, ..Test::threads(32) };
    let found = test.run(body, &[]).expect("it runs");
    let found: Vec<u64> = found.iter().flat_map(|word| [word & 0xffff_ffff, word >> 32]).collect();
    let expected: Vec<u64> =
        (0..32).flat_map(|lane| [0, 1, 2, 3].map(|matrix| 32 * matrix + lane)).collect();
    assert_eq!(found, expected);

    // Of words of two halves, lanes get two rows of a column: halves `8 n + i` of row `n` are `i` of words `4 n + i / 2`.
    let trans = body.replace("x4.shared", "x4.trans.shared");
    let found = test.run(&trans, &[]).expect("it runs");
    let found: Vec<u64> = found.iter().flat_map(|word| [word & 0xffff_ffff, word >> 32]).collect();
    // Words are small: only even columns have something.
    let half =
        |row: u64, column: u64| if column.is_multiple_of(2) { 4 * row + column / 2 } else { 0 };
    let of_lane = |lane: u64| {
        let (column, row) = (lane / 4, lane % 4 * 2);
        [0, 8, 16, 24].map(|first| half(first + row, column) | half(first + row + 1, column) << 16)
    };
    assert_eq!(found, (0..32).flat_map(of_lane).collect::<Vec<_>>());

    // Rows begin at multiples of their length, and are there.
    let off = body.replace("[%rd3+16];\n        mul", "[%rd3+8];\n        mul");
    let (_, fault) = test.run(&off, &[]).expect_err("it is not aligned");
    assert!(fault.contains("is no multiple of 16"), "{fault}");
    let far = body.replace("[%rd3+16];\n        mul", "[%rd3+64];\n        mul");
    let (_, fault) = test.run(&far, &[]).expect_err("it is behind the end");
    assert!(fault.contains("illegal address"), "{fault}");
}
