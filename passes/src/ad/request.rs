//! Requests, which become calls of derivatives.

use ad_dialect::ir::{Op, OpExt, Val, i64_array, text_of};
use melior::ir::{ValueLike, operation::OperationLike};

use super::{Derivative, Mode, Session, has_derivative, memory, rules, signature};
use crate::support::{
    builder::Builder,
    diag::{Result, internal_error},
    zero::is_zero,
};

/// Whether an operation asks for a derivative of a function.
pub(crate) fn is_request(op: Op<'_>) -> bool {
    matches!(op.op_name(), "ad.vjp" | "ad.jvp")
}

impl<'c> Session<'c> {
    /// Replaces the requests in a function by calls.
    pub(super) fn answer_requests(&mut self, name: &str, function: Op<'c>) -> Result<()> {
        if let Some(earlier) = self.answered.get(name) {
            return *earlier;
        }
        self.answered.insert(name.to_owned(), Ok(()));
        self.answering.insert(name.to_owned());
        let waiting = std::mem::replace(&mut self.waiting, self.making.len());
        let groups = std::mem::take(&mut self.groups);
        let mut requests = vec![];
        function.for_each(&mut |op| {
            if is_request(op) {
                requests.push(op);
            }
        });
        let mut result = Ok(());
        for request in requests {
            self.requests.push(request);
            if let Err(reported) = self.answer(request) {
                result = Err(reported);
            }
            self.requests.pop();
        }
        self.groups = groups;
        self.waiting = waiting;
        self.answering.remove(name);
        self.answered.insert(name.to_owned(), result);
        result
    }

    fn answer(&mut self, request: Op<'c>) -> Result<()> {
        let Some(callee) = request.attr("callee").and_then(text_of) else {
            return Err(internal_error(request, "request without callee"));
        };
        let mode = if request.op_name() == "ad.vjp" { Mode::Vjp } else { Mode::Jvp };
        let mut wrt: Vec<_> = match request.attr("wrt").and_then(i64_array) {
            Some(positions) => positions.iter().map(|&position| position as usize).collect(),
            None => self.differentiable_arguments(&callee),
        };
        let mut of = self.differentiable_results(&callee);
        let shadows = match mode {
            Mode::Vjp => self.buffers(&callee, &wrt),
            Mode::Jvp => 0,
        };
        let seeded = if mode == Mode::Vjp { &mut of } else { &mut wrt };
        let operands = self.without_zero_seeds(request, seeded, shadows);
        let derivative = self.derivative(request, &callee, Derivative { mode, wrt, of })?;
        let Some(block) = request.block() else {
            return Err(internal_error(request, "request outside of a block"));
        };
        let b = Builder::before(self.context, request, block);
        let types: Vec<_> = request.result_list().iter().map(|r| r.r#type()).collect();
        let results = rules::call(&b, &derivative, &operands, &types);
        for (old, new) in request.result_list().into_iter().zip(results) {
            ad_dialect::ir::ValExt::replace_all_uses(&old, new);
        }
        request.erase();
        self.statistics.requests += 1;
        Ok(())
    }

    /// The operands of a request without seeds that are zero, as those of all other rows are where it
    /// asks for a row of a Jacobian; their positions go from those that are seeded. What they would
    /// reach is no more differentiated than what no seed reaches.
    fn without_zero_seeds(
        &self,
        request: Op<'c>,
        seeded: &mut Vec<usize>,
        shadows: usize,
    ) -> Vec<Val<'c>> {
        let mut operands = request.operand_list();
        let shadows = operands.split_off(operands.len() - shadows);
        if !self.options.plain_ieee {
            let seeds = operands.split_off(operands.len() - seeded.len());
            let kept: Vec<_> = seeds.iter().map(|&seed| !is_zero(seed)).collect();
            let mut keep = kept.iter().copied();
            seeded.retain(|_| keep.next().unwrap_or(true));
            operands.extend(seeds.into_iter().zip(kept).filter(|(_, kept)| *kept).map(|(s, _)| s));
        }
        operands.extend(shadows);
        operands
    }

    /// The number of buffers among arguments at positions.
    fn buffers(&self, callee: &str, wrt: &[usize]) -> usize {
        let Some((inputs, _)) = self.names.get(callee).and_then(|op| signature(*op)) else {
            return 0;
        };
        let is_buffer = |i: &usize| inputs.get(*i).is_some_and(|ty| memory::is_buffer_type(*ty));
        wrt.iter().filter(|i| is_buffer(i)).count()
    }

    pub(super) fn differentiable_arguments(&self, callee: &str) -> Vec<usize> {
        let Some(signature) = self.names.get(callee).and_then(|op| signature(*op)) else {
            return vec![];
        };
        (0..signature.0.len()).filter(|&i| has_derivative(signature.0[i])).collect()
    }

    pub(super) fn differentiable_results(&self, callee: &str) -> Vec<usize> {
        let Some(signature) = self.names.get(callee).and_then(|op| signature(*op)) else {
            return vec![];
        };
        (0..signature.1.len()).filter(|&i| has_derivative(signature.1[i])).collect()
    }
}
