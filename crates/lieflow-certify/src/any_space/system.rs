//! A system whose space is forgotten, and the methods for it.
use super::{AnyPoint, AnySpace, AnyVector, Space};
use lieflow::action::Action;
use lieflow::chart::Chart;
use lieflow::group::LieGroup;
use lieflow::method::{Entry, Method, OptionError, Options, Step, StepResult};
use lieflow::problem::{AnyTangent, Generator, GroupOf, Problem, Stage, StageOf};

/// A system over dual numbers of which nothing is known but that it has a field: methods are compiled
/// for this type.
pub(crate) type AnySystem = AnyTangent<AnySpace>;

/// A system as one whose points are boxes.
struct Forgotten<P>(P);

impl<P: Generator<Space: Space>> Problem for Forgotten<P> {
    type Point = AnyPoint;
    fn start(&self) -> AnyPoint {
        AnyPoint::new::<P::Space>(self.0.start())
    }
}

impl<P: Generator<Space: Space>> Generator for Forgotten<P> {
    type Space = AnySpace;
    const SHORT_CUTS: bool = P::SHORT_CUTS;
    const HOT: bool = false;
    fn is_linear(&self) -> bool {
        self.0.is_linear()
    }
    fn field(&self, t: f64, y: &AnyPoint) -> AnyVector {
        AnyVector::new::<P::Space>(self.0.field(t, y.on::<P::Space>()))
    }
    fn field_at(&self, at: Stage<'_, AnySpace>, point: &mut AnyPoint, out: &mut AnyVector) {
        let (point, out) = (point.on_mut::<P::Space>(), out.on_mut::<P::Space>());
        self.0.field_at(stage_of::<P>(at), point, out);
    }
    fn slope_at(&self, at: Stage<'_, AnySpace>, point: &mut AnyPoint, out: &mut AnyVector) {
        let (point, out) = (point.on_mut::<P::Space>(), out.on_mut::<P::Space>());
        self.0.slope_at(stage_of::<P>(at), point, out);
    }
}

/// A stage out of its boxes.
fn stage_of<P: Generator<Space: Space>>(at: Stage<'_, AnySpace>) -> StageOf<'_, P> {
    let Stage { chart, t, u, y } = at;
    Stage { chart, t, u: u.on::<P::Space>(), y: y.on::<P::Space>() }
}

/// A method for any space, and the system for which it was made; the one that is passed is not
/// looked at.
struct OnAnySpace {
    system: AnySystem,
    method: Box<dyn Method<AnySystem>>,
}

impl<P: Generator<Space: Space>> Method<P> for OnAnySpace {
    fn step(&mut self, s: Step<'_, P>, out: &mut P::Point) -> StepResult {
        let start = AnyPoint::new::<P::Space>(s.y.clone());
        let mut end = start.clone();
        let estimate = self.method.step(Step::new(&self.system, s.t, s.h, &start), &mut end)?;
        out.clone_from(end.on::<P::Space>());
        Ok(estimate)
    }
    lieflow::forwards!(self: P => self.method; accept, reset, set_aside, take_back, cost);
}

/// Methods for any space as methods for a system.
pub(crate) fn on_any_space<P>(entries: Vec<Entry<AnySystem>>) -> Vec<Entry<P>>
where
    P: Generator<Space: Space> + Clone + 'static,
{
    let known = entries.into_iter().map(|Entry { card, make }| {
        let make = move |p: &P, options: &Options| {
            if options.chart == Chart::Cayley && !GroupOf::<P>::HAS_CAYLEY {
                return Err(OptionError::NoCayley);
            }
            if options.chart == Chart::Stereographic && !P::Space::STEREOGRAPHIC {
                return Err(OptionError::NoStereographic);
            }
            let system = AnyTangent::new(Box::new(Forgotten(p.clone())));
            let method = make(&system, options)?;
            Ok(Box::new(OnAnySpace { system, method }) as Box<dyn Method<P>>)
        };
        Entry { card, make: Box::new(make) }
    });
    known.collect()
}
