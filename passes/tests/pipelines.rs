//! The named pipelines.

use ad_passes::{pipeline, register};

#[test]
fn named_pipelines_parse() {
    register();
    let context = ad_dialect::context();
    for pipeline in pipeline::PIPELINES {
        let manager = melior::pass::PassManager::new(&context);
        let text = format!("builtin.module({})", pipeline.text);
        melior::utility::parse_pass_pipeline(manager.as_operation_pass_manager(), &text)
            .unwrap_or_else(|error| panic!("{}: {error}", pipeline.name));
    }
}
