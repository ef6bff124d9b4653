//! A chain of point masses on massless rods, hung up at the origin: pendulums of any length.
//!
//! ```text
//! x_i = sum_{k<=i} L_k q_k       M_ij = mu_max(i,j) L_i L_j       V = -sum_i mu_i L_i g·q_i
//! mu_i = sum_{j>=i} m_j
//! ```
//!
//! The inverse of `M` is tridiagonal, and accelerations follow from the tensions of the rods in
//! O(n) operations (the module `tensions`). Ortolan, sections 7.2.1 and 7.2.2; Celledoni et al., section
//! 5.2. `g` is the acceleration of gravity, a vector. A potential of the directions by formula may be
//! added (the module `chain_forces`).
use super::error::{SystemError, count, positive};
use super::extra_potential::ExtraPotential;
use super::law_table::LawTable;
use super::on_spheres::{self, Named};
use super::scratch::Scratch;
use super::{
    Spec, SystemEntry, cast_vector, chain_few, chain_forces, chain_slopes, chain_text, off_sphere,
    tensions,
};
use crate::problem_file::{Kind, SpecError};
use crate::run::Model;
use lieflow::action::{Link, TangentSphere};
use lieflow::chart::Chart;
use lieflow::group::Twist;
use lieflow::problem::Stages;
use lieflow::problem::spheres::{
    Coupling, Slot, SphereSystem, Symmetry, acceleration_derivative_by_duals,
};
use lieflow::{Real, Vec3, vec3};

/// The chain.
#[derive(Clone, Debug)]
pub struct PendulumChain<S> {
    masses: Vec<S>,
    lengths: Vec<S>,
    gravity: Vec3<S>,
    /// `1/m_i`.
    pub(super) lightness: Vec<S>,
    /// `1/L_i`.
    pub(super) shortness: Vec<S>,
    /// `mu_i`: the mass that hangs on rod `i`.
    pub(super) load: Vec<S>,
    pub(super) rods: Vec<chain_slopes::Rods<S>>,
    pub(super) blocks: Scratch<chain_slopes::Block<S>>,
    pub(super) scratch: Scratch<off_sphere::Step<S>>,
    /// A potential by formula, beside that of gravity.
    pub(super) extra: Option<Box<ExtraPotential<S>>>,
}

impl PendulumChain<f64> {
    /// A chain with these masses and rods, from the support to the free end.
    pub fn new(
        masses: Vec<f64>,
        lengths: Vec<f64>,
        gravity: Vec3<f64>,
    ) -> Result<Self, SystemError> {
        if masses.is_empty() {
            return Err(SystemError::Empty { what: "mass" });
        }
        count("lengths", lengths.len(), masses.len())?;
        positive("mass", &masses)?;
        positive("length", &lengths)?;
        if !gravity.finite() {
            let Vec3 { x, y, z } = gravity;
            let expected = "a finite vector";
            return Err(SystemError::Vector { what: "gravity", x, y, z, expected });
        }
        Ok(Self::from_parts(masses, lengths, gravity))
    }
}

impl<S: Real> PendulumChain<S> {
    /// The chain of these masses and lengths, of which there are equally many, all above zero.
    pub fn from_parts(masses: Vec<S>, lengths: Vec<S>, gravity: Vec3<S>) -> Self {
        let inverse = |list: &[S]| -> Vec<S> { list.iter().map(|x| S::one() / *x).collect() };
        let (lightness, shortness) = (inverse(&masses), inverse(&lengths));
        let mut load = masses.clone();
        for i in (1..load.len()).rev() {
            let below = load[i];
            load[i - 1] += below;
        }
        Self {
            rods: chain_slopes::Rods::of(&lightness, &lengths, &shortness),
            blocks: Scratch::default(),
            lightness,
            shortness,
            load,
            scratch: Scratch::default(),
            extra: None,
            masses,
            lengths,
            gravity,
        }
    }
    /// The masses.
    pub fn masses(&self) -> &[S] {
        &self.masses
    }
    /// The lengths of the rods.
    pub fn lengths(&self) -> &[S] {
        &self.lengths
    }
    /// The acceleration of gravity.
    pub fn gravity(&self) -> Vec3<S> {
        self.gravity
    }
    /// The potential by formula, if there is one.
    pub fn extra(&self) -> Option<&ExtraPotential<S>> {
        self.extra.as_deref()
    }
}

impl<S: Real> SphereSystem for PendulumChain<S> {
    type Scalar = S;
    type Over<T: Real> = PendulumChain<T>;
    fn over<T: Real>(&self, embed: fn(S) -> T) -> PendulumChain<T> {
        let list = |from: &[S]| from.iter().map(|x| embed(*x)).collect();
        let mut chain = PendulumChain::from_parts(
            list(&self.masses),
            list(&self.lengths),
            cast_vector(self.gravity, embed),
        );
        chain.extra = self.extra.as_ref().map(|extra| Box::new(extra.lift(embed)));
        chain
    }
    fn count(&self) -> usize {
        self.masses.len()
    }
    fn coupling(&self) -> Coupling {
        if self.masses.len() == 1 { Coupling::Diagonal } else { Coupling::Neighbours }
    }
    fn mass(&self, i: usize, j: usize) -> S {
        self.load[i.max(j)] * self.lengths[i] * self.lengths[j]
    }
    #[inline(always)]
    fn inverse_mass(&self, i: usize, j: usize) -> S {
        let scale = self.shortness[i] * self.shortness[j];
        if i == j {
            let above = if i > 0 { self.lightness[i - 1] } else { S::zero() };
            (self.lightness[i] + above) * scale
        } else if i.abs_diff(j) == 1 {
            -(self.lightness[i.min(j)] * scale)
        } else {
            S::zero()
        }
    }
    fn potential(&self, y: &[Link<S>]) -> S {
        let mut sum = S::zero();
        for (i, link) in y.iter().enumerate() {
            sum -= self.load[i] * self.lengths[i] * self.gravity.dot(link.q);
        }
        match &self.extra {
            None => sum,
            Some(extra) => sum + extra.value(y),
        }
    }
    fn add_gradient<O: Slot<S>>(&self, y: &[Link<S>], out: &mut [O]) {
        for (i, o) in out.iter_mut().enumerate() {
            o.set_second(o.second() - self.gravity.times(self.load[i] * self.lengths[i]));
        }
        if let Some(extra) = &self.extra {
            for (o, slope) in out.iter_mut().zip(extra.gradient(y)) {
                o.set_second(o.second() + slope);
            }
        }
    }
    fn symmetry(&self) -> Symmetry<S> {
        let strength = self.gravity.norm();
        let symmetry = if strength.magnitude() == 0.0 {
            Symmetry::Full
        } else {
            Symmetry::Axis(self.gravity.times(S::one() / strength))
        };
        match &self.extra {
            None => symmetry,
            Some(extra) => extra.symmetry_with(symmetry),
        }
    }
    // Gravity pulls every mass alike, so only the first rod feels it.
    #[inline(always)]
    fn weighted_gradient<O: Slot<S>>(&self, y: &[Link<S>], out: &mut [O]) {
        for o in out.iter_mut() {
            o.set_second(Vec3::zero());
        }
        if let Some(first) = out.first_mut() {
            first.set_second(-self.gravity.times(self.shortness[0]));
        }
        if let Some(extra) = &self.extra {
            let slopes = extra.gradient(y);
            for (i, o) in out.iter_mut().enumerate() {
                for j in self.coupling().row(i, slopes.len()) {
                    o.set_second(o.second() + slopes[j].times(self.inverse_mass(i, j)));
                }
            }
        }
    }
    #[inline(always)]
    fn acceleration<O: Slot<S>>(&self, y: &[Link<S>], out: &mut [O]) {
        tensions::acceleration(self, y, out);
        if let Some(extra) = &self.extra {
            chain_forces::add_acceleration(self, extra, y, out);
        }
    }
    const SLOPES: bool = S::PACKS;
    fn slopes(&self, chart: Chart, u: &[Twist<S>], y: &[Link<S>], out: &mut [Twist<S>]) -> bool {
        self.extra.is_none() && chain_slopes::slopes(self, chart, u, y, out)
    }
    fn stages(&self, step: Stages<'_, Vec<TangentSphere<S>>>) -> bool {
        S::PACKS && self.extra.is_none() && chain_few::stages(self, step)
    }
    fn acceleration_anywhere<O: Slot<S>>(&self, y: &[Link<S>], out: &mut [O]) {
        off_sphere::acceleration(self, y, out);
    }
    fn acceleration_derivative<O: Slot<S>>(&self, y: &[Link<S>], dy: &[Link<S>], out: &mut [O]) {
        match self.extra {
            None => tensions::acceleration_derivative(self, y, dy, out),
            Some(_) => acceleration_derivative_by_duals(self, y, dy, out),
        }
    }
    // sum_j M_ij q_j' = L_i sum_{k>=i} m_k x_k'.
    fn momentum<O: Slot<S>>(&self, y: &[Link<S>], out: &mut [O]) {
        let mut velocity = Vec3::zero();
        for (i, o) in out.iter_mut().enumerate() {
            velocity += y[i].velocity().times(self.lengths[i]);
            o.set_second(velocity.times(self.masses[i]));
        }
        let mut below = Vec3::zero();
        for (i, o) in out.iter_mut().enumerate().rev() {
            below += o.second();
            o.set_second(below.times(self.lengths[i]));
        }
    }
    fn kinetic_energy(&self, y: &[Link<S>]) -> S {
        let (mut velocity, mut sum) = (Vec3::zero(), S::zero());
        for (i, link) in y.iter().enumerate() {
            velocity += link.velocity().times(self.lengths[i]);
            sum += self.masses[i] * velocity.norm_squared();
        }
        sum * 0.5
    }
    fn angular_momentum(&self, y: &[Link<S>]) -> Vec3<S> {
        let (mut place, mut velocity, mut sum) = (Vec3::zero(), Vec3::zero(), Vec3::zero());
        for (i, link) in y.iter().enumerate() {
            place += link.q.times(self.lengths[i]);
            velocity += link.velocity().times(self.lengths[i]);
            sum += place.cross(velocity).times(self.masses[i]);
        }
        sum
    }
}

impl Named for PendulumChain<f64> {
    const ID: &'static str = ENTRY.id;
    fn breakdown(&self, y: &[Link<f64>]) -> Option<String> {
        self.extra.as_ref()?.breakdown(y)
    }
    fn positions(&self, y: &[Link<f64>]) -> Option<Vec<[f64; 3]>> {
        let mut end = Vec3::zero();
        let place = |(link, length): (&Link<f64>, &f64)| {
            end += link.q * *length;
            [end.x, end.y, end.z]
        };
        Some(y.iter().zip(&self.lengths).map(place).collect())
    }
}

/// The line in the list of systems.
pub const ENTRY: SystemEntry = SystemEntry {
    id: "pendulum-chain",
    title: "chain of spherical pendulums",
    parameters: "masses, lengths (lists, or one number with count) or total_length, gravity (a vector), potential { formula }, space (se3, lift, hamiltonian, euclidean)",
    initial: "q, omega (lists, or one for all), overrides, project",
    state: "q, omega; momentum in the space hamiltonian",
    methods: on_spheres::cards::<PendulumChain<f64>>,
    build,
};

/// Longer chains are taken for a slip of the pen.
const LONGEST: usize = 1_000_000;

fn build(spec: &Spec<'_>) -> Result<Box<dyn Model>, SpecError> {
    let parameters = &spec.parameters;
    let listed = |key: &'static str| match parameters.optional(key).map(|node| &node.kind) {
        Some(Kind::List(items)) => Some((items.len(), key)),
        _ => None,
    };
    let (count, source) = match parameters.optional_integer("count")? {
        Some(n) => (n as usize, "count"),
        None => listed("masses").or(listed("lengths")).unwrap_or((1, "masses")),
    };
    if count == 0 || count > LONGEST {
        let expected = match source {
            "count" => format!("a whole number from 1 to {LONGEST}"),
            _ => format!("a list of 1 to {LONGEST} numbers, or one number with 'count'"),
        };
        return Err(parameters.refuse(source, &expected));
    }
    let each = |key: &'static str| match parameters.numbers_or_one(key, count) {
        // How many there should be, and who says so.
        Err(SpecError::Wrong { place, found, .. }) if found.starts_with("a list") => {
            let expected = format!(
                "a list of {count}, as many links as '{source}' says, or one number for all"
            );
            Err(SpecError::Wrong { place, found, expected })
        }
        other => other,
    };
    let masses = each("masses")?;
    let lengths = match parameters.just_one_of(&["lengths", "total_length"])? {
        "lengths" => each("lengths")?,
        _ => vec![parameters.positive("total_length")? / count as f64; count],
    };
    let gravity = parameters.optional_vector("gravity")?.unwrap_or(vec3(0.0, 0.0, -9.81));
    let mut chain = PendulumChain::new(masses, lengths, gravity).map_err(|error| {
        let key = match error {
            SystemError::NotPositive { what: "mass", .. } => "masses",
            SystemError::NotPositive { .. } if !parameters.has("lengths") => "total_length",
            SystemError::NotPositive { .. } => "lengths",
            _ => "gravity",
        };
        on_spheres::at(parameters, key, error)
    })?;
    let start = on_spheres::read_links(&spec.initial, count)?;
    // Not a name of formulas.
    parameters.optional("space");
    let law = LawTable::read(spec, "potential")?;
    let values = chain_text::values(&chain);
    spec.explain(|| chain_text::equations(&law, &values, count));
    chain.extra = ExtraPotential::read(&law, spec, &values, count)?;
    on_spheres::posed(chain, &start, parameters)
}
