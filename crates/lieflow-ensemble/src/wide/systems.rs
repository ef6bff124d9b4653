//! The systems that run in lanes.
use super::adaptive::WithTolerance;
use super::dispatch::{Detected, Number};
use super::gather::{matrices, matrix, number, put_matrix, put_twist, twist, vector, vectors};
use super::lane_field::LaneField;
use super::methods::engines;
use super::rows::RowWriter;
use super::{
    BlockRunner, FixedSteps, InLanes, Inputs, LaneRunner, Packed, Refilled, body_rows, joined,
    methods, refilled,
};
use crate::table::TrajectoryTable;
use lieflow::action::BodyState;
use lieflow::group::So3;
use lieflow::kernel::rigid::Inertia;
use lieflow::kernel::scalar::Apart;
use lieflow::method::Method;
use lieflow::problem::{Cotangent, Lift};
use lieflow::{Mat3, Vec3};
use lieflow_formula::body::{BodyPotential, BodyTorque};
use lieflow_models::run::{Model, Pace, Plan};
use lieflow_models::system::SpinField;
use lieflow_models::system::heavy_top::{DualHeavyTop, HeavyTop, TopData};
use lieflow_models::system::kirchhoff::{Energy, Kirchhoff};
use lieflow_models::system::macrospin::Macrospin;
use lieflow_models::system::reduced_body::ReducedBody;
use lieflow_models::system::rigid_body::{Field, Law, LiftedBody, MotionKey, RigidBody, Symmetry};
use lieflow_models::system::spins::Material;

/// How a system of this type runs under this plan, if its method is compiled for lanes.
pub fn find<N: Number>(
    model: &dyn Model,
    plan: &Plan,
    detected: Detected<N>,
) -> Option<LaneRunner> {
    let rigid = runner_of::<N, RigidBody<f64, Field<f64>>>(model, plan, detected)
        .or_else(|| runner_of::<N, LiftedBody<f64, Field<f64>>>(model, plan, detected));
    // Known while compiling: what follows is not compiled for numbers that do not serve it.
    if const { N::ALL_SYSTEMS } {
        rigid.or_else(|| others::<N>(model, plan, detected))
    } else {
        rigid
    }
}

fn others<N: Number>(model: &dyn Model, plan: &Plan, detected: Detected<N>) -> Option<LaneRunner> {
    runner_of::<N, ReducedBody<f64>>(model, plan, detected)
        .or_else(|| runner_of::<N, HeavyTop<f64>>(model, plan, detected))
        .or_else(|| runner_of::<N, DualHeavyTop<f64>>(model, plan, detected))
        .or_else(|| runner_of::<N, Kirchhoff<f64>>(model, plan, detected))
        .or_else(|| runner_of::<N, Macrospin<f64>>(model, plan, detected))
        .or_else(|| joined::find::<N>(model, plan, detected))
}

/// With fixed steps.
fn fixed_runner_of<N: Number, P: InLanes<N>>(
    model: &dyn Model,
    plan: &Plan,
    detected: Detected<N>,
) -> Option<LaneRunner>
where
    Packed<P, N>: Lift<Scalar = N, Over<f64> = P> + Send,
    P::Point: Send,
{
    let item = model.as_any().downcast_ref::<P>()?;
    let Pace::Fixed { .. } = plan.pace else { return None };
    P::method(plan, detected)?;
    // Some laws know no lanes at all.
    P::pack(&vec![item; N::LANES])?;
    let begin = move || Box::new(FixedSteps::<P, N>::new(detected)) as Box<dyn BlockRunner>;
    Some(LaneRunner { begin: Box::new(begin), refills: false })
}

/// With fixed steps, or with a tolerance.
pub fn runner_of<N: Number, P: Refilled<N>>(
    model: &dyn Model,
    plan: &Plan,
    detected: Detected<N>,
) -> Option<LaneRunner>
where
    Packed<P, N>: Lift<Scalar = N, Over<f64> = P> + Send,
    P::Point: Send,
{
    let item = model.as_any().downcast_ref::<P>()?;
    if matches!(plan.pace, Pace::Fixed { .. }) {
        return fixed_runner_of::<N, P>(model, plan, detected);
    }
    methods::adaptive(plan)?;
    // Some laws know no lanes at all.
    P::pack(&vec![item; N::LANES])?;
    let begin = move || {
        Box::new(WithTolerance::<P, N> { detected, writer: RowWriter::new() })
            as Box<dyn BlockRunner>
    };
    Some(LaneRunner { begin: Box::new(begin), refills: true })
}

impl<N: Number> InLanes<N> for RigidBody<f64, Field<f64>> {
    const WRITES_ROWS: bool = true;

    fn pack(items: &[&Self]) -> Option<Packed<Self, N>> {
        let start = body_states(items);
        let inertia = if items.iter().all(|p| p.inertia.is_diagonal()) {
            Inertia::principal(vector(items, |p| p.inertia.moments()))
        } else if items.iter().any(|p| p.inertia.is_diagonal()) {
            return None;
        } else {
            N::apart(FullInertia(matrix(items, |p| *p.inertia.matrix())))
        };
        let potentials: Vec<_> = items.iter().map(|p| &p.potential).collect();
        Some(RigidBody { inertia, potential: field(&potentials)?, start })
    }
    fn method(plan: &Plan, detected: Detected<N>) -> Option<Box<dyn Method<Packed<Self, N>>>> {
        methods::rigid_body::<N, _>(&plan.method, detected)
            .or_else(|| methods::body::<N, _>(&plan.method, &plan.options, detected))
            .or_else(|| methods::products::<N, _>(&plan.method, detected))
    }
    fn restart(packed: &mut Packed<Self, N>, items: &[&Self]) -> Option<()> {
        packed.start = body_states(items);
        Some(())
    }
    fn unpack(_: &Packed<Self, N>, states: &BodyState<N>, out: &mut Vec<BodyState<f64>>) {
        let (rotations, momenta) = (matrices(&states.rotation), vectors(states.momentum));
        let all = rotations.into_iter().zip(momenta).take(N::LANES);
        out.extend(all.map(|(rotation, momentum)| BodyState::new(rotation, momentum)));
    }
    fn write_rows(
        packed: &Packed<Self, N>,
        states: &[(f64, BodyState<N>)],
        detected: Detected<N>,
        table: &mut TrajectoryTable,
        first: usize,
    ) -> Option<()> {
        body_rows::write(packed, states, detected, table, first)
    }
    fn restart_from(
        packed: &mut Packed<Self, N>,
        keys: &[MotionKey],
        inputs: Inputs<'_>,
        first: usize,
        detected: Detected<N>,
    ) -> Option<()> {
        body_rows::restart(packed, keys, inputs, first, detected)
    }
}

/// Bodies whose axes are not principal axes.
struct FullInertia<N>(Mat3<N>);

impl<N: Number> Apart for FullInertia<N> {
    type Output = Inertia<N>;
    #[inline(always)]
    fn run(self) -> Inertia<N> {
        Inertia::full_inline(&self.0)
    }
}

/// The initial states of bodies, side by side.
fn body_states<N: Number>(items: &[&RigidBody<f64, Field<f64>>]) -> BodyState<N> {
    BodyState::new(matrix(items, |p| p.start.rotation), vector(items, |p| p.start.momentum))
}

impl<N: Number> InLanes<N> for LiftedBody<f64, Field<f64>> {
    const WRITES_ROWS: bool = true;

    fn pack(items: &[&Self]) -> Option<Packed<Self, N>> {
        let bodies: Vec<_> = items.iter().map(|p| &p.0).collect();
        Some(LiftedBody(RigidBody::pack(&bodies)?))
    }
    fn method(plan: &Plan, detected: Detected<N>) -> Option<Box<dyn Method<Packed<Self, N>>>> {
        methods::body::<N, _>(&plan.method, &plan.options, detected)
    }
    fn restart(packed: &mut Packed<Self, N>, items: &[&Self]) -> Option<()> {
        let bodies: Vec<_> = items.iter().map(|p| &p.0).collect();
        RigidBody::restart(&mut packed.0, &bodies)
    }
    fn unpack(packed: &Packed<Self, N>, states: &BodyState<N>, out: &mut Vec<BodyState<f64>>) {
        RigidBody::unpack(&packed.0, states, out);
    }
    fn write_rows(
        packed: &Packed<Self, N>,
        states: &[(f64, BodyState<N>)],
        detected: Detected<N>,
        table: &mut TrajectoryTable,
        first: usize,
    ) -> Option<()> {
        body_rows::write(&packed.0, states, detected, table, first)
    }
    fn restart_from(
        packed: &mut Packed<Self, N>,
        keys: &[MotionKey],
        inputs: Inputs<'_>,
        first: usize,
        detected: Detected<N>,
    ) -> Option<()> {
        body_rows::restart(&mut packed.0, keys, inputs, first, detected)
    }
}

/// One side by side, if all have it; none if none has it.
fn together<'a, T: 'a, R>(
    parts: impl Iterator<Item = Option<&'a T>>,
    gather: impl FnOnce(&[&'a T]) -> Option<R>,
) -> Option<Option<R>> {
    let parts: Vec<Option<&T>> = parts.collect();
    if parts.iter().all(Option::is_none) {
        return Some(None);
    }
    let parts: Vec<&T> = parts.into_iter().collect::<Option<_>>()?;
    gather(&parts).map(Some)
}

/// Formulas of one program with different numbers. A field beside them must be of one kind.
fn gather_law<N: Number>(items: &[&Law<f64>], first: &Law<f64>) -> Option<Law<N>> {
    let axis = |find: fn(&Symmetry<f64>) -> Option<Vec3<f64>>| {
        let axes = items.iter().map(|law| find(&law.symmetry));
        let axes: Option<Vec<Vec3<f64>>> = axes.collect();
        let axes = axes?;
        Some(vector(&axes.iter().collect::<Vec<_>>(), |v| *v))
    };
    // Lanes take the same path: either all have an axis of the same kind, or none.
    let alike = |find: fn(&Symmetry<f64>) -> bool| {
        items.iter().all(|law| find(&law.symmetry) == find(&first.symmetry))
    };
    if !alike(|s| s.space.is_some()) || !alike(|s| s.body.is_some()) {
        return None;
    }
    // Functions of other languages know no lanes.
    if items.iter().any(|law| law.functions.any()) {
        return None;
    }
    let bases: Vec<&Field<f64>> = items.iter().map(|law| &law.base).collect();
    Some(Law {
        base: field(&bases)?,
        potential: together(items.iter().map(|law| law.potential.as_ref()), BodyPotential::gather)?,
        torque: together(items.iter().map(|law| law.torque.as_ref()), BodyTorque::gather)?,
        functions: Default::default(),
        symmetry: Symmetry { space: axis(|s| s.space), body: axis(|s| s.body) },
    })
}

/// One kind of field with different numbers.
fn field<N: Number>(items: &[&Field<f64>]) -> Option<Field<N>> {
    /// The numbers of this variant in every system, or nothing if one of them is another variant.
    macro_rules! all {
        ($pattern:pat => $value:expr) => {{
            let mut values = Vec::with_capacity(items.len());
            for item in items.iter().copied() {
                let $pattern = item else { return None };
                values.push($value);
            }
            values
        }};
    }
    Some(match items[0] {
        Field::Free => {
            all!(Field::Free => ());
            Field::Free
        }
        Field::LagrangeTop { .. } => Field::LagrangeTop {
            strength: number(&all!(Field::LagrangeTop { strength } => strength), |p| *p),
        },
        Field::Linear { .. } => {
            let all =
                all!(Field::Linear { strength, axis, direction } => (*strength, *axis, *direction));
            let all: Vec<_> = all.iter().collect();
            Field::Linear {
                strength: number(&all, |p| p.0),
                axis: vector(&all, |p| p.1),
                direction: vector(&all, |p| p.2),
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
            let all: Vec<_> = all.iter().collect();
            Field::SoftWall {
                attraction: number(&all, |p| p.0[0]),
                repulsion: number(&all, |p| p.0[1]),
                offset: number(&all, |p| p.0[2]),
                power: *power,
                printed: *printed,
            }
        }
        Field::Formula(first) => {
            let all = all!(Field::Formula(law) => &**law);
            Field::Formula(Box::new(gather_law(&all, first)?))
        }
        Field::Attractor { .. } => {
            let all = all!(Field::Attractor { alpha, center } => (*alpha, *center));
            let all: Vec<_> = all.iter().collect();
            Field::Attractor { alpha: number(&all, |p| p.0), center: matrix(&all, |p| p.1) }
        }
    })
}

impl<N: Number> InLanes<N> for ReducedBody<f64> {
    fn pack(items: &[&Self]) -> Option<Packed<Self, N>> {
        Some(ReducedBody {
            inertia: matrix(items, |p| p.inertia),
            inverse: matrix(items, |p| p.inverse),
            start: vector(items, |p| p.start),
        })
    }
    engines!(generator);
}

impl<N: Number> InLanes<N> for Kirchhoff<f64> {
    fn pack(items: &[&Self]) -> Option<Packed<Self, N>> {
        Some(Kirchhoff {
            inertia: vector(items, |p| p.inertia),
            mass: vector(items, |p| p.mass),
            start: twist(items, |p| p.start),
            law: together(items.iter().map(|p| p.law.as_deref()), Energy::gather)?.map(Box::new),
        })
    }
    engines!(generator);
}

fn top<N: Number, P>(items: &[&P], data: impl Fn(&P) -> TopData<f64>) -> TopData<N> {
    TopData {
        inertia: matrix(items, |p| data(p).inertia),
        inverse: matrix(items, |p| data(p).inverse),
        axis: vector(items, |p| data(p).axis),
        direction: vector(items, |p| data(p).direction),
        strength: number(items, |p| data(p).strength),
    }
}

impl<N: Number> InLanes<N> for HeavyTop<f64> {
    fn pack(items: &[&Self]) -> Option<Packed<Self, N>> {
        let (rotation, momentum) = (matrix(items, |p| p.rotation), vector(items, |p| p.momentum));
        Some(HeavyTop::new(top(items, |p| p.data), rotation, momentum))
    }
    engines!(generator);
}

impl<N: Number> InLanes<N> for DualHeavyTop<f64> {
    fn pack(items: &[&Self]) -> Option<Packed<Self, N>> {
        Some(DualHeavyTop { data: top(items, |p| p.data), start: twist(items, |p| p.start) })
    }
    engines!(generator);
}

impl<N: Number> InLanes<N> for Macrospin<f64> {
    fn pack(items: &[&Self]) -> Option<Packed<Self, N>> {
        Some(Macrospin {
            material: Material {
                gamma: number(items, |p| p.material.gamma),
                alpha: number(items, |p| p.material.alpha),
                b: vector(items, |p| p.material.b),
                d: vector(items, |p| p.material.d),
            },
            start: vector(items, |p| p.start),
            law: together(items.iter().map(|p| p.law.as_deref()), SpinField::gather)?.map(Box::new),
        })
    }
    engines!(generator);
}

refilled! {
    RigidBody<f64, Field<f64>>: true, put_body;
    LiftedBody<f64, Field<f64>>: true, put_body;
    ReducedBody<f64>: false, put_vector;
    Kirchhoff<f64>: false, put_twist;
    HeavyTop<f64>: false, put_top;
    DualHeavyTop<f64>: false, put_twist;
    Macrospin<f64>: false, put_vector;
}

fn put_body<N: Number>(states: &mut BodyState<N>, lane: usize, state: &BodyState<f64>) {
    put_matrix(&mut states.rotation, lane, &state.rotation);
    states.momentum.set_lane(lane, state.momentum);
}
fn put_vector<N: Number>(states: &mut Vec3<N>, lane: usize, state: &Vec3<f64>) {
    states.set_lane(lane, *state);
}
fn put_top<N: Number>(states: &mut Cotangent<So3<N>>, lane: usize, state: &Cotangent<So3<f64>>) {
    put_matrix(&mut states.g.matrix, lane, &state.g.matrix);
    states.mu.set_lane(lane, state.mu);
}
