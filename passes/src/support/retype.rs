//! Types that lowerings replace everywhere.

use ad_dialect::ir::{BlkExt, Op, OpExt, type_of};
use melior::{
    Context,
    ir::{Type, ValueLike, attribute::TypeAttribute, r#type::FunctionType},
};

/// Gives values that operations and blocks define other types, also in function types.
pub fn change_types<'c>(context: &'c Context, module: Op<'c>, new: impl Fn(Type<'c>) -> Type<'c>) {
    module.for_each(&mut |op| {
        let arguments = op.blocks().into_iter().flat_map(|block| block.arg_list());
        for value in op.result_list().into_iter().chain(arguments) {
            let changed = new(value.r#type());
            if changed != value.r#type() {
                value.set_type(changed);
            }
        }
        let signature = op.attr("function_type").and_then(type_of);
        if let Some(old) = signature.and_then(|ty| FunctionType::try_from(ty).ok()) {
            let inputs = (0..old.input_count()).filter_map(|i| old.input(i).ok());
            let results = (0..old.result_count()).filter_map(|i| old.result(i).ok());
            let inputs: Vec<_> = inputs.map(&new).collect();
            let results: Vec<_> = results.map(&new).collect();
            let new = FunctionType::new(context, &inputs, &results);
            op.set_attr(context, "function_type", TypeAttribute::new(new.into()).into());
        }
    });
}
