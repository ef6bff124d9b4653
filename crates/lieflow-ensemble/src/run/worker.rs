//! Computes one block after the other, in one thread.
use super::Block;
use super::setup::Setup;
use crate::design::Template;
use crate::table::TrajectoryTable;
use crate::trajectory::integrate;
use crate::wide::{BlockRunner, Inputs, LaneRunner};
use lieflow_models::run::{Model, Plan};

/// A system with its plan, unless it has that of all; or why there is none.
pub type System = Result<(Box<dyn Model>, Option<Box<Plan>>), String>;

/// What a thread computes with. Its systems are filled again and again.
pub struct Worker<'a> {
    setup: &'a Setup<'a>,
    template: Template<'a>,
    systems: Vec<System>,
    side_by_side: Option<Box<dyn BlockRunner>>,
}

impl<'a> Worker<'a> {
    pub fn new(setup: &'a Setup<'a>) -> Self {
        let side_by_side = setup.lane_runner.as_ref().map(LaneRunner::begin);
        Self { setup, template: setup.design.template(), systems: Vec::new(), side_by_side }
    }

    /// Computes the trajectories from `start` up to `end`.
    pub fn run(&mut self, start: u64, end: u64, block: &mut Block) {
        block.clear();
        block.start = start;
        let count = (end - start) as usize;
        self.template.draw_all(start..end, &mut block.inputs);
        let width = block.inputs.len() / count.max(1);
        if self.by_motions(block, width).is_none() {
            block.table.clear();
            for k in 0..count {
                let inputs = &block.inputs[k * width..(k + 1) * width];
                fill(&mut self.template, &mut self.systems, k, inputs);
            }
            self.systems.truncate(count);
            if self.side_by_side(&mut block.table).is_none() {
                block.table.clear();
                self.one_by_one(&mut block.table);
            }
        }
        block.add_up();
    }

    /// In lanes without systems, if motions are all that varies and a block like it was run before.
    fn by_motions(&mut self, block: &mut Block, width: usize) -> Option<()> {
        let keys = self.setup.motions.as_deref()?;
        let inputs = Inputs { numbers: &block.inputs, width };
        let plan = &self.setup.design.plan;
        self.side_by_side.as_mut()?.run_motions(keys, inputs, plan, &mut block.table)
    }

    /// In lanes, if all systems of the block can be packed.
    fn side_by_side(&mut self, table: &mut TrajectoryTable) -> Option<()> {
        let runner = self.side_by_side.as_mut()?;
        let mut models: Vec<&dyn Model> = Vec::with_capacity(self.systems.len());
        for system in &self.systems {
            models.push(system.as_ref().ok()?.0.as_ref());
        }
        runner.run(&models, &self.setup.design.plan, table)
    }

    fn one_by_one(&self, table: &mut TrajectoryTable) {
        let shared = &self.setup.design.plan;
        for system in &self.systems {
            match system {
                Ok((model, plan)) => {
                    integrate(model.as_ref(), plan.as_deref().unwrap_or(shared), table)
                }
                Err(reason) => table.push_unbuilt(shared.from, reason.clone()),
            }
        }
    }
}

/// Makes the system of one trajectory, out of that of the block before if it can be used again.
pub fn fill(template: &mut Template<'_>, systems: &mut Vec<System>, k: usize, inputs: &[f64]) {
    if let Some(Ok((model, None))) = systems.get_mut(k)
        && template.refill(model.as_mut(), inputs)
    {
        return;
    }
    let model = template.build(inputs);
    let system = model.and_then(|model| Ok((model, template.plan()?)));
    let system = system.map_err(|error| error.to_string());
    match systems.get_mut(k) {
        Some(last) => *last = system,
        None => systems.push(system),
    }
}
