//! The table of problems.

use anyhow::{Result, ensure};

use super::arguments as make;
use super::problem::{Axis, Element, Entry, Group, Problem, Size, Without, file, pass, size};
use super::tool::Tool;

const fn double(name: &'static str, ranks: &'static [usize]) -> Entry {
    Entry { name, element: Element::F64, ranks }
}

const OBJECTIVE: Entry = double("objective", &[0]);

/// For sizes that one dimension tells apart.
const fn first(label: &'static str) -> Axis {
    Axis { label, count: |dims| dims.first().map_or(0.0, |&n| n as f64) }
}

/// For sizes of which the work is the product of the dimensions.
const fn product(label: &'static str) -> Axis {
    Axis { label, count: |dims| dims.iter().map(|&n| n as f64).product() }
}

/// What most problems have in common: a scalar function of the program of the same name.
const fn scalar(name: &'static str, derivative: Entry, maker: make::Maker) -> Problem {
    Problem {
        name,
        group: Group::Arrays,
        program: name,
        primal: OBJECTIVE,
        derivative,
        maker,
        sizes: &[],
        axis: first("elements"),
        without: &[],
        passes: &[],
    }
}

/// Vectors of three lengths.
const VECTORS: &[Size] =
    &[size("n1e5", &[100_000]), size("n1e6", &[1_000_000]), size("n1e7", &[10_000_000])];

const SCANS: &[Size] =
    &[size("n1e4", &[10_000]), size("n1e5", &[100_000]), size("n1e6", &[1_000_000])];

const HISTOGRAMS: &[Size] = &[
    size("n1e4_m1000", &[10_000, 1000]),
    size("n1e5_m1000", &[100_000, 1000]),
    size("n1e6_m1000", &[1_000_000, 1000]),
];

const LOOKUPS: Axis =
    Axis { label: "lookups", count: |dims| dims.last().map_or(0.0, |&n| n as f64) };

const STEPS: &[Size] =
    &[size("n1e4", &[10_000]), size("n1e5", &[100_000]), size("n1e6", &[1_000_000])];

/// Fails on a name that no problem has.
pub fn check_names(names: &[String]) -> Result<()> {
    for name in names {
        ensure!(
            PROBLEMS.iter().any(|p| p.name == name),
            "no problem '{name}': see ad-bench --list"
        );
    }
    Ok(())
}

/// All problems, group by group.
pub const PROBLEMS: &[Problem] = &[
    Problem {
        group: Group::AdBench,
        sizes: &[
            file("1k_d2_K5", &[1000, 2, 5], "gmm/1k/gmm_d2_K5.txt"),
            file("1k_d10_K25", &[1000, 10, 25], "gmm/1k/gmm_d10_K25.txt"),
            file("1k_d64_K200", &[1000, 64, 200], "gmm/1k/gmm_d64_K200.txt"),
            file("1k_d128_K200", &[1000, 128, 200], "gmm/1k/gmm_d128_K200.txt"),
            file("10k_d32_K25", &[10_000, 32, 25], "gmm/10k/gmm_d32_K25.txt"),
            file("10k_d64_K25", &[10_000, 64, 25], "gmm/10k/gmm_d64_K25.txt"),
        ],
        axis: Axis {
            label: "points * components * dimensions^2",
            count: |dims| match dims {
                [n, d, k] => (n * k * d * d) as f64,
                _ => 0.0,
            },
        },
        ..scalar("gmm", double("gradient", &[1, 2, 2]), make::gmm)
    },
    Problem {
        group: Group::AdBench,
        primal: double("objective", &[2, 1]),
        sizes: &[
            file("ba1", &[49, 7776, 31_843], "ba/ba1_n49_m7776_p31843.txt"),
            file("ba7", &[93, 61_203, 287_451], "ba/ba7_n93_m61203_p287451.txt"),
            file("ba13", &[245, 198_739, 1_091_386], "ba/ba13_n245_m198739_p1091386.txt"),
        ],
        axis: Axis { label: "observations", count: |dims| dims.last().map_or(0.0, |&p| p as f64) },
        ..scalar("ba", double("jacobian", &[3, 1]), make::ba)
    },
    Problem {
        group: Group::AdBench,
        sizes: &[
            file("l2_c1024", &[2, 1024, 14], "lstm/lstm_l2_c1024.txt"),
            file("l4_c1024", &[4, 1024, 14], "lstm/lstm_l4_c1024.txt"),
            file("l2_c4096", &[2, 4096, 14], "lstm/lstm_l2_c4096.txt"),
            file("l4_c4096", &[4, 4096, 14], "lstm/lstm_l4_c4096.txt"),
        ],
        axis: product("layers * steps * bits"),
        ..scalar("lstm", double("gradient", &[2, 2]), make::lstm)
    },
    Problem {
        group: Group::AdBench,
        program: "hand",
        primal: double("objective", &[2]),
        sizes: &[
            file("c100", &[100, 22, 544, 1084], "hand/simple_small/hand1_t26_c100.txt"),
            file("c3200", &[3200, 22, 544, 1084], "hand/simple_small/hand7_t26_c3200.txt"),
            size("c100000", &[100_000, 22, 544, 1084]),
        ],
        axis: first("points"),
        ..scalar("hand_simple", double("jacobian", &[3]), make::hand_simple)
    },
    Problem {
        group: Group::AdBench,
        program: "hand",
        primal: double("objective_complicated", &[2]),
        sizes: &[
            file("c100", &[100, 22, 544, 1084], "hand/complicated_small/hand1_t26_c100.txt"),
            file("c3200", &[3200, 22, 544, 1084], "hand/complicated_small/hand7_t26_c3200.txt"),
            size("c51200", &[51_200, 22, 544, 1084]),
        ],
        axis: first("points"),
        ..scalar("hand_complicated", double("jacobian_complicated", &[3]), make::hand_complicated)
    },
    Problem {
        group: Group::AdBench,
        primal: Entry { name: "objective", element: Element::F32, ranks: &[0] },
        sizes: &[
            size("bs64_n20_d80_h192", &[64, 20, 80, 192]),
            size("bs64_n20_d300_h192", &[64, 20, 300, 192]),
        ],
        axis: Axis {
            label: "batch * steps * hidden * (inputs + hidden)",
            count: |dims| match dims {
                [bs, n, d, h] => (bs * n * h * (d + h)) as f64,
                _ => 0.0,
            },
        },
        ..scalar(
            "lstm_batched",
            Entry { name: "gradient", element: Element::F32, ranks: &[2, 2, 1] },
            make::lstm_batched,
        )
    },
    Problem {
        sizes: &[
            size("k5_n10000_d35", &[5, 10_000, 35]),
            size("k5_n494019_d35", &[5, 494_019, 35]),
            size("k1024_n1000_d256", &[1024, 1000, 256]),
            size("k1024_n10000_d256", &[1024, 10_000, 256]),
        ],
        axis: product("centres * points * dimensions"),
        ..scalar("kmeans", double("gradient_hessian", &[2, 2]), make::kmeans)
    },
    Problem {
        sizes: &[
            size("k10_n2000_d5000", &[10, 2000, 5000, 50]),
            size("k10_n20000_d5000", &[10, 20_000, 5000, 50]),
        ],
        axis: Axis { label: "points", count: |dims| dims.get(1).map_or(0.0, |&n| n as f64) },
        ..scalar("kmeans_sparse", double("gradient_hessian", &[2, 2]), make::kmeans_sparse)
    },
    Problem {
        sizes: &[size("m256", &[256]), size("m512", &[512]), size("m1024", &[1024])],
        axis: first("rows"),
        ..scalar("matmul", double("gradient", &[2, 2]), make::matmul)
    },
    Problem {
        sizes: &[
            size("n1e3", &[1000]),
            size("n1e4", &[10_000]),
            size("n1e5", &[100_000]),
            size("n1e6", &[1_000_000]),
        ],
        without: &[Without {
            peer: Tool::Jax,
            sizes: &["n1e5", "n1e6"],
            reason: "stores the matrix, which does not fit in memory",
        }],
        ..scalar("diag", double("gradient", &[1]), make::vector)
    },
    Problem {
        sizes: &[
            size("n256_k3", &[256, 3]),
            size("n256_k5", &[256, 5]),
            size("n1024_k3", &[1024, 3]),
            size("n1024_k5", &[1024, 5]),
        ],
        axis: Axis {
            label: "pixels * elements of the kernel",
            count: |dims| dims.iter().map(|&n| (n * n) as f64).product(),
        },
        ..scalar("convolution", double("gradient", &[2, 2]), make::convolution)
    },
    Problem {
        sizes: &[
            size("n1e3_e10", &[1000, 10]),
            size("n1e4_e10", &[10_000, 10]),
            size("n1e5_e10", &[100_000, 10]),
            size("n1e6_e10", &[1_000_000, 10]),
        ],
        axis: product("entries"),
        ..scalar("spmv", double("gradient", &[1, 1]), make::spmv)
    },
    Problem {
        passes: &[pass(1, 1), pass(3, 1)],
        sizes: SCANS,
        ..scalar("scan_prod", double("gradient", &[1]), make::scan_prod)
    },
    Problem {
        passes: &[pass(2, 1), pass(3, 2)],
        sizes: SCANS,
        ..scalar("scan_linrec", double("gradient", &[1, 1]), make::scan_linrec)
    },
    Problem {
        passes: &[pass(4, 4), pass(12, 4)],
        sizes: SCANS,
        axis: first("matrices"),
        ..scalar("scan_mat2", double("gradient", &[3]), make::scan_mat2)
    },
    Problem {
        passes: &[pass(1, 0), pass(1, 1)],
        sizes: VECTORS,
        ..scalar("reduce_mul", double("gradient", &[1]), make::product)
    },
    Problem {
        passes: &[pass(1, 0), pass(0, 1)],
        sizes: VECTORS,
        ..scalar("reduce_min", double("gradient", &[1]), make::vector)
    },
    Problem {
        passes: &[pass(1, 1)],
        sizes: VECTORS,
        ..scalar("reduce_sumsq", double("gradient", &[1]), make::vector)
    },
    Problem {
        passes: &[pass(1, 0), pass(1, 0), pass(1, 1)],
        sizes: VECTORS,
        ..scalar("reduce_lse", double("gradient", &[1]), make::vector)
    },
    Problem {
        passes: &[pass(2, 0), pass(2, 1)],
        sizes: HISTOGRAMS,
        ..scalar("hist_add", double("gradient", &[1]), make::hist)
    },
    Problem {
        passes: &[pass(2, 0), pass(2, 1)],
        sizes: HISTOGRAMS,
        without: &[Without {
            peer: Tool::Jax,
            sizes: &[],
            reason: "has no reverse mode for products by segment with indices that repeat",
        }],
        ..scalar("hist_mul", double("gradient", &[1]), make::hist_mul)
    },
    Problem {
        passes: &[pass(2, 0), pass(2, 1)],
        sizes: HISTOGRAMS,
        ..scalar("hist_max", double("gradient", &[1]), make::hist)
    },
    Problem {
        group: Group::Loops,
        sizes: STEPS,
        axis: first("steps"),
        ..scalar("loop_pow", double("gradient", &[0, 0]), make::loop_pow)
    },
    Problem {
        group: Group::Loops,
        sizes: STEPS,
        axis: first("steps"),
        ..scalar("loop_rk4", double("gradient", &[1, 1]), make::loop_rk4)
    },
    Problem {
        group: Group::Loops,
        program: "loop_rk4",
        sizes: STEPS,
        axis: first("steps"),
        ..scalar("loop_rk4_stripmined", double("gradient_stripmined", &[1, 1]), make::loop_rk4)
    },
    Problem {
        group: Group::Loops,
        sizes: STEPS,
        axis: first("steps"),
        ..scalar("tape_pow", double("gradient", &[0]), make::power)
    },
    Problem {
        group: Group::Functions,
        sizes: &[size("d10", &[10]), size("d14", &[14]), size("d18", &[18])],
        axis: Axis {
            label: "leaves",
            count: |dims| dims.first().map_or(0.0, |&d| (1_u64 << d) as f64),
        },
        without: &[Without {
            peer: Tool::Jax,
            sizes: &[],
            reason: "unrolls functions that call themselves",
        }],
        ..scalar("recursive_tree", double("gradient", &[0]), make::recursive_tree)
    },
    Problem {
        group: Group::Functions,
        sizes: STEPS,
        axis: first("steps"),
        ..scalar("closure_fold", double("gradient", &[0, 0]), make::closure_fold)
    },
    Problem {
        group: Group::Transport,
        sizes: &[
            size("i68_g1000_n10000", &[68, 1000, 10_000]),
            size("i68_g11303_n100000", &[68, 11_303, 100_000]),
        ],
        axis: LOOKUPS,
        ..scalar("xsbench", double("gradient", &[3, 2]), make::xsbench)
    },
    Problem {
        group: Group::Transport,
        sizes: &[
            size("i68_w100_n1000", &[68, 100, 1000]),
            size("i68_w100_n10000", &[68, 100, 10_000]),
        ],
        axis: LOOKUPS,
        ..scalar("rsbench", double("gradient", &[3, 3, 2]), make::rsbench)
    },
    Problem {
        group: Group::Zygote,
        sizes: &[size("one", &[])],
        ..scalar("zygote_sincos", double("gradient", &[0]), make::number)
    },
    Problem {
        group: Group::Zygote,
        sizes: &[size("n1e3", &[1000]), size("n1e6", &[1_000_000])],
        axis: first("steps"),
        ..scalar("zygote_loop", double("gradient", &[0]), make::power)
    },
    Problem {
        group: Group::Zygote,
        sizes: &[size("n1e3", &[1000]), size("n1e6", &[1_000_000])],
        ..scalar("zygote_logsumexp", double("gradient", &[1]), make::vector)
    },
    Problem {
        group: Group::Zygote,
        sizes: &[size("n1000_d100", &[1000, 100]), size("n10000_d784", &[10_000, 784])],
        axis: product("examples * features"),
        ..scalar("zygote_logistic", double("gradient", &[1, 0]), make::logistic)
    },
    Problem {
        group: Group::Zygote,
        sizes: &[size("784_100_10", &[784, 100, 10])],
        ..scalar("zygote_mlp", double("gradient", &[2, 1, 2, 1]), make::mlp)
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::driver::root;

    #[test]
    fn names_are_unique_and_programs_exist() {
        for (at, problem) in PROBLEMS.iter().enumerate() {
            assert!(!problem.sizes.is_empty(), "{} has no sizes", problem.name);
            assert!(PROBLEMS.iter().skip(at + 1).all(|other| other.name != problem.name));
            let program = root().join(format!("bench/programs/{}.mlir", problem.program));
            assert!(program.is_file(), "{}", program.display());
        }
    }

    #[test]
    fn every_program_is_a_problem() -> anyhow::Result<()> {
        for entry in std::fs::read_dir(root().join("bench/programs"))? {
            let path = entry?.path();
            let name = path.file_stem().unwrap_or_default().to_string_lossy();
            assert!(PROBLEMS.iter().any(|p| p.program == name), "{name} is never timed");
        }
        Ok(())
    }

    #[test]
    fn smallest_arguments_can_be_made() -> anyhow::Result<()> {
        for problem in PROBLEMS {
            let arguments = (problem.maker)(problem.sizes[0].dims)?;
            assert!(!arguments.is_empty(), "{}", problem.name);
        }
        Ok(())
    }
}
