//! Magnetic dipoles, each free to turn about a fixed point.
//!
//! ```text
//! V = sum_{i<j} k_ij ( q_i·q_j - 3 (q_i·r)(q_j·r) )       k_ij = (mu0/4pi) nu_i nu_j / |r_ij|³
//! dV/dq_i = sum_{j≠i} k_ij ( q_j - 3 (q_j·r) r )          r = r_ij/|r_ij|
//! M_i = m l²/12 for a needle of mass m and length l
//! ```
//!
//! Ortolan, section 7.2.3, with `mu0 nu_i nu_j/(4 pi |r|³)` where (7.8) prints another factor.
//!
//! The field is a sum over pairs (the module `pairs`) or, for grids of equal dipoles that are large
//! enough, a convolution (the module `grid`). Both are good to rounding, but their roundings
//! differ; the convolution is that of the grid itself, not of its rounded positions. Each gives the
//! same bits on all machines. A potential of the directions by formula may be added.
use super::error::{SystemError, count, positive};
use super::extra_potential::ExtraPotential;
use super::law_table::LawTable;
use super::on_spheres::{self, Named};
use super::row;
use super::scratch::Scratch;
use super::{Spec, SystemEntry, cast_vector};
use crate::problem_file::SpecError;
use crate::run::Model;
use lieflow::action::Link;
use lieflow::problem::spheres::{Coupling, Slot, SphereSystem};
use lieflow::{Real, Vec3, vec3};

mod fourier;
mod grid;
mod pairs;
mod targets;
mod text;

/// `mu0/(4 pi)` in SI units.
pub const MAGNETIC_CONSTANT: f64 = 1e-7;

/// The array.
#[derive(Clone, Debug)]
pub struct Dipoles<S> {
    positions: Vec<Vec3<S>>,
    moments: Vec<S>,
    inertias: Vec<S>,
    /// `1/M_i`.
    inverse_inertias: Vec<S>,
    places: pairs::Places<S>,
    list: Scratch<pairs::Block<S>>,
    grid: Option<grid::Grid<S>>,
    panels: Scratch<row::Row<S>>,
    /// A potential by formula, beside that of the magnets.
    extra: Option<Box<ExtraPotential<S>>>,
}

/// Grids of fewer dipoles are summed pair by pair, which is faster for them.
const LARGE: usize = 64;

/// Takes the field at dipole `i`. One call for each dipole, so that the loops over pairs and grids
/// are compiled once for all who ask for a field.
type Receiver<'a, S> = &'a mut dyn FnMut(usize, Vec3<S>);

impl Dipoles<f64> {
    /// Dipoles at these positions, with these moments and moments of inertia.
    pub fn new(
        positions: Vec<Vec3<f64>>,
        moments: Vec<f64>,
        inertias: Vec<f64>,
    ) -> Result<Self, SystemError> {
        if positions.is_empty() {
            return Err(SystemError::Empty { what: "dipole" });
        }
        count("moments", moments.len(), positions.len())?;
        count("moments of inertia", inertias.len(), positions.len())?;
        for (i, p) in positions.iter().enumerate() {
            if !p.finite() {
                return Err(SystemError::NotFinite { what: "position", index: i + 1 });
            }
        }
        if let Some(i) = moments.iter().position(|nu| !nu.is_finite()) {
            return Err(SystemError::NotFinite { what: "moment", index: i + 1 });
        }
        positive("moment of inertia", &inertias)?;
        distinct(&positions)?;
        Ok(Self::from_parts(positions, moments, inertias))
    }

    /// Needles on a grid in the plane of the first two axes: number `1 + r columns + c` in row `r`
    /// and column `c` is at `spacing (c, r, 0)`.
    pub fn grid(
        rows: usize,
        columns: usize,
        spacing: f64,
        mass: f64,
        length: f64,
        moment: f64,
    ) -> Result<Self, SystemError> {
        positive("spacing", &[spacing])?;
        positive("mass", &[mass])?;
        positive("length", &[length])?;
        let Some(n) = rows.checked_mul(columns).filter(|n| *n > 0) else {
            return Err(SystemError::Empty { what: "dipole" });
        };
        let positions = (0..n)
            .map(|i| vec3((i % columns) as f64 * spacing, (i / columns) as f64 * spacing, 0.0))
            .collect();
        let inertia = mass * length * length / 12.0;
        let array = Self::new(positions, vec![moment; n], vec![inertia; n])?;
        let wide = rows.min(columns) >= grid::Grid::<f64>::SMALLEST;
        Ok(if wide && n >= LARGE { array.convolved(rows, columns) } else { array })
    }
}

/// No two positions may be so close that the force between them overflows.
fn distinct(positions: &[Vec3<f64>]) -> Result<(), SystemError> {
    let mut order: Vec<usize> = (0..positions.len()).collect();
    order.sort_by(|&a, &b| positions[a].x.total_cmp(&positions[b].x));
    for (k, &i) in order.iter().enumerate() {
        for &j in &order[k + 1..] {
            let r = positions[j] - positions[i];
            let distance = r.norm();
            if distance <= 1e-100 {
                let (first, second) = (i.min(j) + 1, i.max(j) + 1);
                return Err(SystemError::Coincident { first, second, distance });
            }
            if r.x > 1e-100 {
                break;
            }
        }
    }
    Ok(())
}

impl<S: Real> Dipoles<S> {
    /// The array of these data, of which there are equally many.
    pub fn from_parts(positions: Vec<Vec3<S>>, moments: Vec<S>, inertias: Vec<S>) -> Self {
        let inverse_inertias = inertias.iter().map(|m| S::one() / *m).collect();
        Self {
            places: pairs::Places::new(&positions),
            list: Scratch::default(),
            grid: None,
            panels: Scratch::default(),
            extra: None,
            positions,
            moments,
            inertias,
            inverse_inertias,
        }
    }
    /// The same array, of equal dipoles that stand on a grid by rows, with its field by convolution.
    fn convolved(mut self, rows: usize, columns: usize) -> Self {
        self.grid = Some(grid::Grid::new(rows, columns, |dx, dy| {
            let (k, r) = self.pair(0, dy * columns + dx);
            let entry = |a: S, b: S| -(a * b * k) * 3.0;
            [k + entry(r.x, r.x), entry(r.x, r.y), k + entry(r.y, r.y), k]
        }));
        self
    }
    /// The same array, with its field as the sum over all pairs.
    pub fn pair_by_pair(mut self) -> Self {
        self.grid = None;
        self
    }
    /// Whether the field is a convolution rather than the sum over all pairs.
    pub fn is_convolved(&self) -> bool {
        self.grid.is_some()
    }
    /// Gives the gradient of the potential by formula at every dipole to the receiver.
    fn extra_field(&self, y: &[Link<S>], receiver: Receiver<'_, S>) {
        let Some(extra) = &self.extra else { return };
        for (i, slope) in extra.gradient(y).into_iter().enumerate() {
            receiver(i, slope);
        }
    }
    /// Gives the field at every dipole to the receiver.
    fn field(&self, y: &[Link<S>], receiver: Receiver<'_, S>) {
        match &self.grid {
            Some(grid) => self.panels.lend(|buffer| grid.field(y, receiver, buffer)),
            None => self.list.lend(|list| self.places.field(&self.moments, y, receiver, list)),
        }
    }
    /// The positions.
    pub fn positions(&self) -> &[Vec3<S>] {
        &self.positions
    }
    /// `k_ij` and the unit vector from `i` to `j`.
    #[inline(always)]
    fn pair(&self, i: usize, j: usize) -> (S, Vec3<S>) {
        let r = self.positions[j] - self.positions[i];
        let near = S::one() / r.norm();
        let strength = self.moments[i] * self.moments[j] * MAGNETIC_CONSTANT;
        (strength * near * near * near, r.times(near))
    }
}

impl<S: Real> SphereSystem for Dipoles<S> {
    type Scalar = S;
    type Over<T: Real> = Dipoles<T>;
    fn over<T: Real>(&self, embed: fn(S) -> T) -> Dipoles<T> {
        let list = |from: &[S]| from.iter().map(|x| embed(*x)).collect();
        let mut array = Dipoles::from_parts(
            self.positions.iter().map(|p| cast_vector(*p, embed)).collect(),
            list(&self.moments),
            list(&self.inertias),
        );
        array.extra = self.extra.as_ref().map(|extra| Box::new(extra.lift(embed)));
        array
    }
    fn count(&self) -> usize {
        self.positions.len()
    }
    fn coupling(&self) -> Coupling {
        Coupling::Diagonal
    }
    fn mass(&self, i: usize, j: usize) -> S {
        if i == j { self.inertias[i] } else { S::zero() }
    }
    #[inline(always)]
    fn inverse_mass(&self, i: usize, j: usize) -> S {
        if i == j { self.inverse_inertias[i] } else { S::zero() }
    }
    // The potential is quadratic: 2 V = sum_i q_i·dV/dq_i.
    fn potential(&self, y: &[Link<S>]) -> S {
        let mut twice = S::zero();
        self.field(y, &mut |i, field| twice += y[i].q.dot(field));
        match &self.extra {
            None => twice * 0.5,
            Some(extra) => twice * 0.5 + extra.value(y),
        }
    }
    fn add_gradient<O: Slot<S>>(&self, y: &[Link<S>], out: &mut [O]) {
        let mut add = |i: usize, field: Vec3<S>| out[i].set_second(out[i].second() + field);
        self.field(y, &mut add);
        self.extra_field(y, &mut add);
    }
    fn acceleration<O: Slot<S>>(&self, y: &[Link<S>], out: &mut [O]) {
        let torque = |i: usize, field: Vec3<S>| field.times(self.inverse_inertias[i]).cross(y[i].q);
        self.field(y, &mut |i, field| out[i].set_second(torque(i, field)));
        self.extra_field(y, &mut |i, field| {
            out[i].set_second(out[i].second() + torque(i, field));
        });
    }
    fn kinetic_energy(&self, y: &[Link<S>]) -> S {
        let mut sum = S::zero();
        for (link, inertia) in y.iter().zip(&self.inertias) {
            sum += *inertia * link.velocity().norm_squared();
        }
        sum * 0.5
    }
}

impl Named for Dipoles<f64> {
    const ID: &'static str = ENTRY.id;
    fn breakdown(&self, y: &[Link<f64>]) -> Option<String> {
        self.extra.as_ref()?.breakdown(y)
    }
}

/// The line in the list of systems.
pub const ENTRY: SystemEntry = SystemEntry {
    id: "dipoles",
    title: "array of magnetic dipoles",
    parameters: "rows, columns, spacing (or positions), mass, length, moment, potential { formula }, space (se3, lift, hamiltonian, euclidean)",
    initial: "q, omega (lists, or one for all), overrides, project",
    state: "q, omega; momentum in the space hamiltonian",
    methods: on_spheres::cards::<Dipoles<f64>>,
    build,
};

/// Larger arrays are taken for a slip of the pen: a step would take hours.
const MOST: u64 = 1_000_000;

fn build(spec: &Spec<'_>) -> Result<Box<dyn Model>, SpecError> {
    let p = &spec.parameters;
    let mass = p.positive("mass")?;
    let length = p.positive("length")?;
    let moment = p.number("moment")?;
    let inertia = mass * length * length / 12.0;
    if !inertia.is_normal() {
        // The one of the two that is further from ordinary numbers.
        let key = if 2.0 * length.ln().abs() > mass.ln().abs() { "length" } else { "mass" };
        let expected = "a number for which mass·length²/12 is neither zero nor infinite";
        return Err(p.refuse(key, expected));
    }
    let mut array = if p.just_one_of(&["positions", "rows"])? == "positions" {
        if p.has("rows") {
            // Positions on the command line take the place of the whole grid in the file.
            let _ = (p.optional("columns"), p.optional("spacing"));
        }
        let positions = p.any_vectors("positions")?;
        let n = positions.len();
        Dipoles::new(positions, vec![moment; n], vec![inertia; n])
            .map_err(|error| on_spheres::at(p, "positions", error))?
    } else {
        let (rows, columns) = (p.integer("rows")?, p.integer("columns")?);
        for (key, n) in [("rows", rows), ("columns", columns)] {
            if n == 0 || n > MOST || rows.saturating_mul(columns) > MOST {
                let expected =
                    format!("a whole number above zero, with rows times columns at most {MOST}");
                return Err(p.refuse(key, &expected));
            }
        }
        let spacing = p.positive("spacing")?;
        Dipoles::grid(rows as usize, columns as usize, spacing, mass, length, moment)
            .map_err(|error| on_spheres::at(p, "spacing", error))?
    };
    let start = on_spheres::read_links(&spec.initial, array.count())?;
    // Not a name of formulas.
    p.optional("space");
    let law = LawTable::read(spec, "potential")?;
    let values = text::values(&array, moment);
    spec.explain(|| text::equations(&law, &values, array.count()));
    array.extra = ExtraPotential::read(&law, spec, &values, array.count())?;
    on_spheres::posed(array, &start, p)
}
