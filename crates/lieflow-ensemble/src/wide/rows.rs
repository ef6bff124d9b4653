//! From states that were computed side by side to the rows of a table.
use crate::table::{End, TrajectoryTable};
use lieflow::problem::Quantity;
use lieflow_models::run::{Model, ModelSystem, Plan, State, append_columns};

/// Writes the rows of one trajectory after the other. Systems that differ in their initial states only
/// have the same invariants, which then are found once.
pub struct RowWriter<P: ModelSystem> {
    invariants: Vec<Quantity<P>>,
    picked: Vec<usize>,
    begun: bool,
    initial: Vec<f64>,
    values: Vec<f64>,
}

/// What a computation side by side has to say of each of its trajectories.
#[derive(Clone, Copy, Debug)]
pub struct Made {
    /// Accepted steps.
    pub steps: u64,
    /// Its share of the time.
    pub seconds: f64,
}

impl Made {
    /// The end of a trajectory with so many rows.
    pub fn end(self, rows: usize) -> End {
        End { rows, steps: self.steps, seconds: self.seconds, failure: None }
    }
}

impl<P: ModelSystem> RowWriter<P> {
    pub fn new() -> Self {
        let (initial, values) = (Vec::new(), Vec::new());
        Self { invariants: Vec::new(), picked: Vec::new(), begun: false, initial, values }
    }

    /// The rows of the next trajectory, from its states at the first times of the plan. Nothing if it has
    /// to be run alone, which then tells what went wrong.
    pub fn write(
        &mut self,
        model: &dyn Model,
        plan: &Plan,
        states: &mut dyn Iterator<Item = (f64, P::Point)>,
        made: Made,
        table: &mut TrajectoryTable,
    ) -> Option<()> {
        let item = model.as_any().downcast_ref::<P>()?;
        let k = table.ends.len();
        if !self.begun || !table.shape.alike {
            self.invariants = item.invariants();
            self.picked = table.pick(&model.invariants())?;
            self.begun = true;
        }
        let Self { invariants, picked, initial, values, .. } = self;
        let watchlist = model.watchlist();
        let evaluate = |t: f64, y: &P::Point, out: &mut Vec<f64>| {
            out.clear();
            out.extend(picked.iter().map(|i| match invariants.get(*i) {
                Some(quantity) => (quantity.eval)(item, y),
                None => watchlist.invariant(i - invariants.len(), &State::of(item, t, y)),
            }));
        };
        let start = item.start();
        evaluate(plan.from, &start, initial);
        let (mut rows, mut last) = (0, None);
        for (t, y) in states {
            evaluate(t, &y, values);
            let columns = |row: &mut Vec<f64>| {
                item.columns_into(t, &y, row);
                if !watchlist.is_empty() {
                    let observables = watchlist.observables(|| State::of(item, t, &y));
                    observables.iter().for_each(|(_, value)| append_columns(value, false, row));
                }
            };
            table.set_columns((rows, k), t, columns, values).ok()?;
            rows += 1;
            last = Some(y);
        }
        // A run by itself tells where it left its manifold.
        if last.is_some_and(|y| item.manifold_error(&y) > item.manifold_bound(&y)) {
            return None;
        }
        table.changes(k, rows, initial);
        table.ends.push(End { rows, steps: made.steps, seconds: made.seconds, failure: None });
        Some(())
    }
}
