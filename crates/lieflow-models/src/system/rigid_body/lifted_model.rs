//! What problem files, records and lists see of a body in the space SO(3) × R³.
use super::{ENTRY, Field, LiftedBody, RigidBody, SPACES};
use crate::run::{MeterOf, ModelSystem, field_meter};
use lieflow::action::BodyState;
use lieflow::method::{Entry, classical, generator};
use lieflow::problem::{Described, Quantity, TorqueField, Value, Watched};
use lieflow::stepping::{Correction, Polar};

/// What is shown of a body in another space is what is shown of the body.
macro_rules! described_as_body {
    ($body:ident) => {
        impl<U: TorqueField<f64>> Described for $body<f64, U> {
            fn describe(&self, t: f64, y: &BodyState<f64>) -> Vec<(&'static str, Value)> {
                self.0.describe(t, y)
            }
            fn error_parts(&self) -> &'static [(&'static str, &'static [&'static str])] {
                self.0.error_parts()
            }
        }
    };
}

/// And it is changed by events as the body is.
macro_rules! changed_as_body {
    () => {
        fn set_part(&self, y: &mut BodyState<f64>, part: &str, numbers: &[f64]) -> bool {
            self.0.set_part(y, part, numbers)
        }
        fn kinks(&self) -> Vec<String> {
            ModelSystem::kinks(&self.0)
        }
        fn breakdown(&self, t: f64, y: &BodyState<f64>) -> Option<String> {
            self.0.breakdown(t, y)
        }
    };
}
pub(super) use {changed_as_body, described_as_body};

impl<U: TorqueField<f64>> Watched for LiftedBody<f64, U> {
    fn invariants(&self) -> Vec<Quantity<Self>> {
        self.0.invariants_of()
    }
    fn manifold_error(&self, y: &BodyState<f64>) -> f64 {
        self.0.manifold_error(y)
    }
}

described_as_body!(LiftedBody);

// The rigid-body and variational methods ask for no space, so they would ignore it.
impl ModelSystem for LiftedBody<f64, Field<f64>> {
    const SYSTEM: &'static str = ENTRY.id;
    fn entries() -> Vec<Entry<Self>> {
        generator::entries_on_space()
    }
    fn needs_parameter(id: &str) -> Option<(&'static str, &'static str)> {
        type Whole = RigidBody<f64, Field<f64>>;
        if classical::is_member(id) {
            return Whole::needs_parameter(id);
        }
        let listed = Whole::entries().iter().any(|entry| entry.card.id == id);
        (listed || Whole::method_by_name(id).is_some()).then_some(("parameters.space", SPACES[0]))
    }
    fn set_initial(&mut self, key: &str, numbers: &[f64]) -> bool {
        self.0.set_initial(key, numbers)
    }
    fn columns_into(&self, _: f64, y: &BodyState<f64>, row: &mut Vec<f64>) {
        row.extend(self.0.columns(y));
    }
    changed_as_body!();
    fn polar(k: u64) -> Option<Box<dyn Correction<Self>>> {
        Some(Box::new(Polar::every(k)))
    }
    fn meter(&self) -> Option<MeterOf<Self>> {
        field_meter(self, self.0.potential.is_timed())
    }
}
