//! A rigid body from its problem file.
use super::super::law_table::is_variational;
use super::super::{Spec, SystemEntry, cards, finite_vector, textbook};
use super::formula::Formulas;
use super::{Field, FlatBody, LiftedBody, RigidBody};
use crate::problem_file::{Reader, SpecError};
use crate::run::Model;
use lieflow::action::BodyState;
use lieflow::kernel::rigid::Inertia;
use lieflow::method::Card;
use lieflow::problem::SpinningBody;
use lieflow::{Mat3, Real, Vec3, vec3};

/// The line in the list of systems.
pub const ENTRY: SystemEntry = SystemEntry {
    id: "rigid-body",
    title: "rigid body about a fixed point, in a potential field",
    parameters: "inertia, potential { kind = free | lagrange-top | soft-wall | attractor | linear, … } or { formula }, torque { formula, frame }, space (se3, lift, euclidean)",
    initial: "rotation; omega, momentum or spatial_momentum",
    state: "rotation, omega, momentum, spatial_momentum",
    methods: cards::<RigidBody<f64>>,
    build,
};

/// The spaces, by their names in problem files; the first is that of a problem that names none.
pub const SPACES: [&str; 3] = ["se3", "lift", "euclidean"];

fn build(spec: &Spec<'_>) -> Result<Box<dyn Model>, SpecError> {
    let matrix = spec.parameters.inertia("inertia")?;
    let inertia = inertia(&matrix);
    let space = spec.parameters.choice_or("space", &SPACES, SPACES[0])?;
    let table = spec.parameters.optional_sub("potential")?;
    let formulas = Formulas::read(&spec.parameters, table.as_ref(), spec.formulas.any())?;
    formulas.check(spec.formulas.any())?;
    let base = match table {
        Some(table) if !table.has("formula") && !table.has("function") => potential(&table)?,
        _ => Field::Free,
    };
    spec.explain(|| formulas.equations(&base, &matrix));
    let potential = formulas.field(base, &matrix, &spec.formulas)?;
    let rotation = spec.initial.optional_rotation("rotation")?.unwrap_or_else(Mat3::identity);
    let key = spec.initial.just_one_of(&MotionKey::NAMES)?;
    let given = MotionKey::named(key).unwrap_or(MotionKey::Momentum);
    let momentum = given.momentum(spec.initial.vector(key)?, &inertia, &rotation);
    let body = RigidBody { inertia, potential, start: BodyState::new(rotation, momentum) };
    // A formula that breaks down says where, when it is run.
    if matches!(body.potential, Field::Attractor { .. }) && !body.torque(0.0, &rotation).finite() {
        let expected = "an attitude at which the torque is finite; there the potential has a pole";
        return Err(spec.initial.refuse("rotation", expected));
    }
    Ok(match space {
        "lift" => Box::new(LiftedBody(body)),
        "euclidean" => Box::new(FlatBody(body)),
        _ => Box::new(body),
    })
}

/// What the motion of a body is given by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MotionKey {
    /// The angular velocity in the body.
    Omega,
    /// The momentum in the body.
    Momentum,
    /// The momentum in space.
    SpatialMomentum,
}

impl MotionKey {
    /// The keys of files.
    const NAMES: [&str; 3] = ["omega", "momentum", "spatial_momentum"];

    /// The one with this name.
    pub fn named(name: &str) -> Option<Self> {
        let all = [Self::Omega, Self::Momentum, Self::SpatialMomentum];
        Self::NAMES.iter().zip(all).find_map(|(known, key)| (*known == name).then_some(key))
    }

    /// The momentum in the body, of one or of several side by side.
    #[inline(always)]
    pub fn momentum<S: Real>(
        self,
        v: Vec3<S>,
        inertia: &Inertia<S>,
        rotation: &Mat3<S>,
    ) -> Vec3<S> {
        match self {
            Self::Omega => inertia.momentum(v),
            Self::Momentum => v,
            Self::SpatialMomentum => rotation.apply_transpose(v),
        }
    }
}

/// Gives a body another initial motion.
pub(super) fn set_initial(body: &mut RigidBody<f64>, key: &str, numbers: &[f64]) -> bool {
    let key = key.strip_prefix("initial.").and_then(MotionKey::named);
    let (Some(key), Some(v)) = (key, finite_vector(numbers)) else { return false };
    body.start.momentum = key.momentum(v, &body.inertia, &body.start.rotation);
    true
}

/// Gives a state another attitude, velocity or momentum.
pub(super) fn set_part(
    body: &RigidBody<f64>,
    y: &mut BodyState<f64>,
    part: &str,
    numbers: &[f64],
) -> bool {
    match (part, numbers) {
        ("rotation", [a, b, c, d, e, f, g, h, i]) => {
            y.rotation = Mat3::from_rows(vec3(*a, *b, *c), vec3(*d, *e, *f), vec3(*g, *h, *i));
            true
        }
        (_, [a, b, c]) => {
            let Some(key) = MotionKey::named(part) else { return false };
            y.momentum = key.momentum(vec3(*a, *b, *c), &body.inertia, &y.rotation);
            true
        }
        _ => false,
    }
}

/// Families that take a law apart.
const NEEDS_FORMULAS: [&str; 2] = ["taylor", "discrete gradient"];

/// Rigid-body methods ask for a torque that depends on the attitude and the time alone.
pub(super) fn refuses(body: &RigidBody<f64>, card: &Card) -> Option<String> {
    let Field::Formula(law) = &body.potential else { return None };
    if law.functions.any() && (is_variational(card) || NEEDS_FORMULAS.contains(&card.family)) {
        return Some("it needs derivatives of the law, and a function has none to give".into());
    }
    (law.is_moving() && card.family == "rigid body").then(|| {
        "the torque depends on the velocity, and this method needs one that depends on the attitude \
         and the time alone"
            .into()
    })
}

/// A diagonal matrix is a body in its principal frame.
fn inertia(matrix: &Mat3<f64>) -> Inertia<f64> {
    let [a, b, c] = matrix.rows;
    let moments = vec3(a.x, b.y, c.z);
    if *matrix == Mat3::diagonal(moments) {
        Inertia::principal(moments)
    } else {
        Inertia::full(matrix)
    }
}

fn potential(table: &Reader<'_>) -> Result<Field<f64>, SpecError> {
    let kinds = ["free", "lagrange-top", "soft-wall", "attractor", "linear"];
    if !table.has("kind") {
        return Err(table.missing("kind", &format!("one of {}; or a 'formula'", kinds.join(", "))));
    }
    let field = match table.choice("kind", &kinds)? {
        "lagrange-top" => Field::LagrangeTop { strength: textbook::strength(table)?.0 },
        "soft-wall" => soft_wall(table)?,
        "attractor" => {
            Field::Attractor { alpha: table.number("alpha")?, center: table.rotation("center")? }
        }
        "linear" => Field::Linear {
            strength: table.number("strength")?,
            axis: table.vector("axis")?,
            direction: table.vector("direction")?,
        },
        _ => Field::Free,
    };
    table.finish()?;
    Ok(field)
}

fn soft_wall(table: &Reader<'_>) -> Result<Field<f64>, SpecError> {
    let power = table.optional_integer("power")?.unwrap_or(10);
    let offset = table.number_or("offset", 1.1)?;
    if offset <= 1.0 {
        return Err(
            table.refuse("offset", "a number above one, so that no attitude touches the wall")
        );
    }
    let power = match i32::try_from(power) {
        Ok(power @ 1..=1000) => power,
        _ => return Err(table.refuse("power", "a whole number from 1 to 1000")),
    };
    Ok(Field::SoftWall {
        attraction: table.number_or("attraction", 1.0)?,
        repulsion: table.number_or("repulsion", 0.001)?,
        offset,
        power,
        printed: table.boolean_or("printed", false)?,
    })
}
