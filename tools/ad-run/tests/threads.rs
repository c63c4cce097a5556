//! Programs give the same results on any number of threads, whatever the sizes, and from run to run.

use std::{collections::HashMap, path::Path};

use ad_run::{Array, Element, Options};

const ENTRIES: &[&str] =
    &["maps", "reductions", "scans", "histograms", "accumulators", "contractions", "gradient"];
/// Smaller and larger than the number of threads, and no multiples of it.
const SIZES: &[i64] = &[0, 1, 2, 7, 50, 1000];

#[test]
fn results_do_not_depend_on_threads() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/threads.mlir");
    let mut expected: HashMap<_, Vec<Vec<u8>>> = HashMap::new();
    for threads in [1, 2, 3, 7] {
        let context = ad_dialect::context();
        let mut module = ad_run::parse_file(&context, &path).expect("a module");
        // All that can be distributed is, however small.
        let split = format!("ad-optimize,ad-parallelize{{threads={threads} min-work=0}}");
        ad_passes::pipeline::run(&context, &mut module, &split).expect("a pipeline");
        let text = module.as_operation().to_string();
        assert_eq!(text.contains("scf.forall"), threads > 1);
        let options = Options { threads, ..Options::default() };
        let compiled = ad_run::compile(&context, module, ENTRIES, &options).expect("code");
        for &entry in ENTRIES {
            // The number of elements of a product of matrices is the square.
            for &size in SIZES.iter().filter(|&&size| entry != "contractions" || size < 100) {
                let input = Array::scalar(Element::Index, &size.to_ne_bytes());
                for _ in 0..3 {
                    let outcome = compiled.run(entry, std::slice::from_ref(&input)).expect("a run");
                    let results: Vec<_> =
                        outcome.results.iter().map(|array| array.bytes().to_vec()).collect();
                    let known = expected.entry((entry, size)).or_insert_with(|| results.clone());
                    assert!(*known == results, "@{entry}({size}) on {threads} threads");
                    assert_eq!(outcome.leaked_bytes, 0, "@{entry}({size}) on {threads} threads");
                }
            }
        }
    }
}
