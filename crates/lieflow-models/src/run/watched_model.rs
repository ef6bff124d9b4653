//! A model with what its file asks to be watched.
use super::{Held, Model, Plan, Record, RunError, RunFailure, Sink, State};
use crate::formulas::Watchlist;
use crate::problem_file::SpecError;
use lieflow::method::Card;
use std::any::Any;

/// A model and its watchlist.
pub struct WatchedModel {
    model: Box<dyn Model>,
    watchlist: Watchlist,
}

impl WatchedModel {
    /// The model with its list, unless an event would change what cannot be changed.
    pub fn boxed(model: Box<dyn Model>, watchlist: Watchlist) -> Result<Box<dyn Model>, SpecError> {
        for event in watchlist.events() {
            for part in event.parts() {
                if !model.can_change(part) {
                    let message =
                        format!("no event can change '{part}' of the system '{}'", model.system());
                    return Err(SpecError::Untrue { place: event.place.clone(), message });
                }
            }
        }
        Ok(Box::new(Self { model, watchlist }))
    }
}

impl Model for WatchedModel {
    fn system(&self) -> &'static str {
        self.model.system()
    }
    fn methods(&self) -> Vec<Card> {
        self.model.methods()
    }
    fn refused(&self) -> Vec<(&'static str, String)> {
        self.model.refused()
    }
    fn kinks(&self) -> Vec<String> {
        self.model.kinks()
    }
    fn steps_fixed_by(&self) -> Option<&'static str> {
        self.model.steps_fixed_by()
    }
    fn invariants(&self) -> Vec<&'static str> {
        let mut names = self.model.invariants();
        names.extend(self.watchlist.invariants());
        names
    }
    fn start(&self, t: f64) -> State {
        let mut state = self.model.start(t);
        state.observables = self.watchlist.observables(|| state.clone());
        state
    }
    fn set_initial(&mut self, key: &str, numbers: &[f64]) -> bool {
        self.model.set_initial(key, numbers)
    }
    fn error_parts(&self) -> &'static [(&'static str, &'static [&'static str])] {
        self.model.error_parts()
    }
    fn check(&self, plan: &Plan) -> Result<Card, RunError> {
        self.model.check(plan)
    }
    fn symmetric_defect(&self, plan: &Plan) -> Result<f64, RunError> {
        self.model.symmetric_defect(plan)
    }
    fn as_any(&self) -> &dyn Any {
        self.model.as_any()
    }
    fn can_change(&self, part: &str) -> bool {
        self.model.can_change(part)
    }
    fn watchlist(&self) -> &Watchlist {
        &self.watchlist
    }
    fn run_on(
        &self,
        plan: &Plan,
        watchlist: &Watchlist,
        held: &mut Held,
        sink: &mut dyn Sink,
    ) -> Result<Record, RunFailure> {
        self.model.run_on(plan, watchlist, held, sink)
    }
    fn can_hold(&self, held: &Held) -> bool {
        self.model.can_hold(held)
    }
    fn nudge(&self, held: &mut Held, part: &str, by: &[f64]) -> bool {
        self.model.nudge(held, part, by)
    }
}
