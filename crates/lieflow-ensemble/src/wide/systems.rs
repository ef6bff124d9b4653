//! The systems that run in lanes.
use super::dispatch::{self, Number};
use super::gather::{matrix, number, twist, vector};
use super::{InLanes, LANES, Packed, Together, Vectors, methods, run};
use lieflow::action::BodyState;
use lieflow::kernel::rigid::Inertia;
use lieflow::method::Method;
use lieflow::problem::Lift;
use lieflow_models::door::{Model, Plan};
use lieflow_models::system::heavy_top::{DualHeavyTop, HeavyTop, TopData};
use lieflow_models::system::kirchhoff::Kirchhoff;
use lieflow_models::system::reduced_body::ReducedBody;
use lieflow_models::system::rigid_body::{Field, RigidBody};

/// How a system of this type runs under this plan, if its method is compiled for lanes.
pub fn find(model: &dyn Model, plan: &Plan, vectors: Vectors) -> Option<Together> {
    fn ask<P: InLanes>(model: &dyn Model, plan: &Plan, vectors: Vectors) -> Option<Together>
    where
        Packed<P>: Lift<Scalar = Number, Over<f64> = P>,
    {
        model.as_any().downcast_ref::<P>()?;
        P::method(plan, vectors).map(|_| run::<P> as Together)
    }
    [
        ask::<RigidBody<f64, Field<f64>>>,
        ask::<ReducedBody<f64>>,
        ask::<HeavyTop<f64>>,
        ask::<DualHeavyTop<f64>>,
        ask::<Kirchhoff<f64>>,
    ]
    .iter()
    .find_map(|ask| ask(model, plan, vectors))
}

impl InLanes for RigidBody<f64, Field<f64>> {
    fn pack(items: [&Self; LANES]) -> Option<Packed<Self>> {
        let start = BodyState::new(
            matrix(items, |p| p.start.rotation),
            vector(items, |p| p.start.momentum),
        );
        let inertia = if items.iter().all(|p| p.inertia.is_diagonal()) {
            Inertia::principal(vector(items, |p| p.inertia.moments()))
        } else if items.iter().any(|p| p.inertia.is_diagonal()) {
            return None;
        } else {
            Inertia::full(&matrix(items, |p| *p.inertia.matrix()))
        };
        Some(RigidBody { inertia, potential: field(items.map(|p| &p.potential))?, start })
    }
    fn method(plan: &Plan, vectors: Vectors) -> Option<Box<dyn Method<Packed<Self>>>> {
        methods::rigid_body(&plan.method, vectors)
            .or_else(|| methods::generator(&plan.method, &plan.options, vectors))
    }
}

/// One kind of field with different numbers.
fn field(items: [&Field<f64>; LANES]) -> Option<Field<Number>> {
    /// The numbers of this variant in every system, or nothing if one of them is another variant.
    macro_rules! all {
        ($pattern:pat => $value:expr) => {{
            let mut values = Vec::with_capacity(LANES);
            for item in items {
                let $pattern = item else { return None };
                values.push($value);
            }
            values
        }};
    }
    let lanes =
        |values: Vec<f64>| -> Number { dispatch::number(std::array::from_fn(|k| values[k])) };
    Some(match items[0] {
        Field::Free => {
            all!(Field::Free => ());
            Field::Free
        }
        Field::LagrangeTop { .. } => Field::LagrangeTop {
            strength: lanes(all!(Field::LagrangeTop { strength } => *strength)),
        },
        Field::Linear { .. } => {
            let all =
                all!(Field::Linear { strength, axis, direction } => (*strength, *axis, *direction));
            let all = std::array::from_fn(|k| &all[k]);
            Field::Linear {
                strength: number(all, |p| p.0),
                axis: vector(all, |p| p.1),
                direction: vector(all, |p| p.2),
            }
        }
        Field::SoftWall { power, printed, .. } => {
            let all = all!(
                Field::SoftWall { attraction, repulsion, offset, power, printed }
                    => ([*attraction, *repulsion, *offset], *power, *printed)
            );
            if all.iter().any(|(_, n, sign)| n != power || sign != printed) {
                return None;
            }
            let all = std::array::from_fn(|k| &all[k]);
            Field::SoftWall {
                attraction: number(all, |p| p.0[0]),
                repulsion: number(all, |p| p.0[1]),
                offset: number(all, |p| p.0[2]),
                power: *power,
                printed: *printed,
            }
        }
        Field::Attractor { .. } => {
            let all = all!(Field::Attractor { alpha, center } => (*alpha, *center));
            let all = std::array::from_fn(|k| &all[k]);
            Field::Attractor { alpha: number(all, |p| p.0), center: matrix(all, |p| p.1) }
        }
    })
}

impl InLanes for ReducedBody<f64> {
    fn pack(items: [&Self; LANES]) -> Option<Packed<Self>> {
        Some(ReducedBody {
            inertia: matrix(items, |p| p.inertia),
            inverse: matrix(items, |p| p.inverse),
            start: vector(items, |p| p.start),
        })
    }
    fn method(plan: &Plan, vectors: Vectors) -> Option<Box<dyn Method<Packed<Self>>>> {
        methods::generator(&plan.method, &plan.options, vectors)
    }
}

impl InLanes for Kirchhoff<f64> {
    fn pack(items: [&Self; LANES]) -> Option<Packed<Self>> {
        Some(Kirchhoff {
            inertia: vector(items, |p| p.inertia),
            mass: vector(items, |p| p.mass),
            start: twist(items, |p| p.start),
        })
    }
    fn method(plan: &Plan, vectors: Vectors) -> Option<Box<dyn Method<Packed<Self>>>> {
        methods::generator(&plan.method, &plan.options, vectors)
    }
}

fn top<P>(items: [&P; LANES], data: impl Fn(&P) -> TopData<f64>) -> TopData<Number> {
    TopData {
        inertia: matrix(items, |p| data(p).inertia),
        inverse: matrix(items, |p| data(p).inverse),
        axis: vector(items, |p| data(p).axis),
        direction: vector(items, |p| data(p).direction),
        strength: number(items, |p| data(p).strength),
    }
}

impl InLanes for HeavyTop<f64> {
    fn pack(items: [&Self; LANES]) -> Option<Packed<Self>> {
        let (rotation, momentum) = (matrix(items, |p| p.rotation), vector(items, |p| p.momentum));
        Some(HeavyTop::new(top(items, |p| p.data), rotation, momentum))
    }
    fn method(plan: &Plan, vectors: Vectors) -> Option<Box<dyn Method<Packed<Self>>>> {
        methods::generator(&plan.method, &plan.options, vectors)
    }
}

impl InLanes for DualHeavyTop<f64> {
    fn pack(items: [&Self; LANES]) -> Option<Packed<Self>> {
        Some(DualHeavyTop { data: top(items, |p| p.data), start: twist(items, |p| p.start) })
    }
    fn method(plan: &Plan, vectors: Vectors) -> Option<Box<dyn Method<Packed<Self>>>> {
        methods::generator(&plan.method, &plan.options, vectors)
    }
}
