//! Compositions: what the method inside is told.
use super::support::{Body, body};
use lieflow::method::composition::{Composed, TJ4};
use lieflow::method::{Cost, Method, Step, StepResult};
use lieflow::problem::Problem;
use std::cell::RefCell;
use std::rc::Rc;

/// Moves nothing, and writes down what it is told.
struct Told(Rc<RefCell<Vec<&'static str>>>);

impl<P: Problem> Method<P> for Told {
    fn step(&mut self, s: Step<'_, P>, out: &mut P::Point) -> StepResult {
        self.0.borrow_mut().push("step");
        out.clone_from(s.y);
        Ok(None)
    }
    fn accept(&mut self) {
        self.0.borrow_mut().push("accept");
    }
    fn reset(&mut self) {
        self.0.borrow_mut().push("reset");
    }
    fn cost(&self) -> Cost {
        Cost::default()
    }
}

/// What the method inside is told first, when the composition makes a step.
fn first(method: &mut dyn Method<Body>, told: &RefCell<Vec<&'static str>>) -> &'static str {
    told.borrow_mut().clear();
    let p = body();
    let (y, mut out) = (p.start(), p.start());
    method.step(Step::new(&p, 0.0, 0.1, &y), &mut out).unwrap();
    let told = told.borrow();
    assert_eq!(told[1..], ["step", "accept", "step", "accept", "step"]);
    told[0]
}

/// A method that remembers its last step goes on with it only if the whole step was accepted.
#[test]
fn a_step_that_was_not_accepted_is_forgotten() {
    let told = Rc::default();
    let method: &mut dyn Method<Body> = &mut Composed::new(Told(Rc::clone(&told)), &TJ4);
    assert_eq!(first(method, &told), "reset", "nothing was accepted yet");
    assert_eq!(first(method, &told), "reset", "the step before was rejected");
    method.accept();
    assert_eq!(first(method, &told), "accept");
    assert_eq!(first(method, &told), "reset", "that one was rejected again");
    method.accept();
    method.reset();
    assert_eq!(first(method, &told), "reset");
}
