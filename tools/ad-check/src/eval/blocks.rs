//! Regions with several blocks: `cf.br`, `cf.cond_br`, `cf.switch`, several returns.

use super::{Frame, Machine};
use crate::fault::{Fault, fault};
use crate::program::{Block, End, Pick, Region};

impl Machine<'_> {
    /// Runs blocks from the first one on until one ends the region, whose yields then are where the region has them.
    pub(super) fn run_graph(
        &mut self,
        frame: &mut Frame,
        region: &Region,
        graph: &[Block],
    ) -> Result<(), Fault> {
        let mut next = 0;
        loop {
            let Some(Block { body, end }) = graph.get(next) else {
                return fault("internal error: a branch to no block");
            };
            self.run(frame, body)?;
            self.counts.steps += 1;
            match end {
                End::Yield => {
                    let values = frame.take_all(&body.yields);
                    for (operand, value) in region.yields.iter().zip(values) {
                        frame.set(operand.slot, value);
                    }
                    return Ok(());
                }
                End::Branch(pick, edges) => {
                    let flag = || frame.get(body.yields[0]).int();
                    let chosen = match pick {
                        Pick::Only => 0,
                        Pick::Bit => usize::from(flag()? == 0),
                        Pick::Case(cases) => {
                            let flag = flag()?;
                            cases.iter().position(|&case| case == flag).map_or(0, |i| i + 1)
                        }
                    };
                    let edge = &edges[chosen];
                    let values = frame.take_all(&body.yields[edge.operands.clone()]);
                    for (&slot, value) in graph[edge.to].body.arguments.iter().zip(values) {
                        frame.set(slot, value);
                    }
                    next = edge.to;
                }
                End::Nowhere => return fault("runs into 'ub.unreachable'"),
            }
        }
    }
}
