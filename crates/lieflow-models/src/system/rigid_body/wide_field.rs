//! The field of one body in wide registers.
//!
//! Built-in fields are computed there. Formulas and functions are computed for one number, which costs
//! less than four, and handed on.
use super::potential::{across, attractor_torque, e3, soft_wall};
use super::{Field, Law};
use lieflow::kernel::wide::Vectors;
use lieflow::problem::TorqueField;
use lieflow::{Mat3, Real, Vec3};
use lieflow_formula::body::BodyPotential;

/// A field over packs that hold the same number in every lane.
#[derive(Clone, Debug)]
pub(super) enum WideField<'a, V: Vectors> {
    /// A top.
    Top { strength: V::Pack },
    /// A linear field.
    Linear { strength: V::Pack, axis: Vec3<V::Pack>, direction: Vec3<V::Pack> },
    /// A soft wall.
    SoftWall { numbers: [V::Pack; 3], power: i32, printed: bool },
    /// The field of the drift test.
    Attractor { alpha: V::Pack, center: Mat3<V::Pack> },
    /// A formula of this row of the attitude.
    Row(&'a Law<f64>, &'a BodyPotential<f64>, usize),
    /// Any law.
    Law(&'a Law<f64>),
}

impl<'a, V: Vectors> WideField<'a, V> {
    /// A field, unless there is none.
    pub fn new(field: &'a Field<f64>) -> Option<Self> {
        Some(match field {
            Field::Free => return None,
            Field::LagrangeTop { strength } => Self::Top { strength: splat::<V>(*strength) },
            Field::Linear { strength, axis, direction } => Self::Linear {
                strength: splat::<V>(*strength),
                axis: axis.map(splat::<V>),
                direction: direction.map(splat::<V>),
            },
            Field::SoftWall { attraction, repulsion, offset, power, printed } => Self::SoftWall {
                numbers: [*attraction, *repulsion, *offset].map(splat::<V>),
                power: *power,
                printed: *printed,
            },
            Field::Attractor { alpha, center } => {
                Self::Attractor { alpha: splat::<V>(*alpha), center: center.map(splat::<V>) }
            }
            Field::Formula(law) => match (law.row(), &law.potential) {
                (Some(row), Some(potential)) => Self::Row(law, potential, row),
                _ => Self::Law(law),
            },
        })
    }
}

/// The same number in every lane.
#[inline(always)]
pub(super) fn splat<V: Vectors>(x: f64) -> V::Pack {
    V::pack([x; 4])
}

/// The number of the first lane.
#[inline(always)]
pub(super) fn first_lane<V: Vectors>(x: V::Pack) -> f64 {
    V::unpack(x)[0]
}

#[inline(always)]
fn one<V: Vectors>(v: Vec3<V::Pack>) -> Vec3<f64> {
    Vec3 { x: first_lane::<V>(v.x), y: first_lane::<V>(v.y), z: first_lane::<V>(v.z) }
}

#[inline(always)]
fn all<V: Vectors>(v: Vec3<f64>) -> Vec3<V::Pack> {
    Vec3 { x: splat::<V>(v.x), y: splat::<V>(v.y), z: splat::<V>(v.z) }
}

/// The torque of a formula of one row, away from the registers.
#[inline(never)]
fn torque_of_row(potential: &BodyPotential<f64>, t: f64, g: Vec3<f64>) -> Vec3<f64> {
    potential.torque_of_row(t, g).unwrap_or(Vec3::zero())
}

impl<V: Vectors> TorqueField<V::Pack> for WideField<'_, V> {
    type Over<T: Real> = Field<T>;

    fn lift<T: Real>(&self, embed: fn(V::Pack) -> T) -> Field<T> {
        match self {
            Self::Top { strength } => Field::LagrangeTop { strength: embed(*strength) },
            Self::Linear { strength, axis, direction } => Field::Linear {
                strength: embed(*strength),
                axis: axis.map(embed),
                direction: direction.map(embed),
            },
            Self::SoftWall { numbers, power, printed } => {
                let [attraction, repulsion, offset] = numbers.map(embed);
                let (power, printed) = (*power, *printed);
                Field::SoftWall { attraction, repulsion, offset, power, printed }
            }
            Self::Attractor { alpha, center } => {
                Field::Attractor { alpha: embed(*alpha), center: center.map(embed) }
            }
            Self::Row(law, ..) | Self::Law(law) => {
                Field::Formula(Box::new(law.lift(splat::<V>).lift(embed)))
            }
        }
    }

    fn energy(&self, t: f64, r: &Mat3<V::Pack>) -> V::Pack {
        self.lift(|x| x).energy(t, r)
    }

    #[inline(always)]
    fn torque(&self, t: f64, r: &Mat3<V::Pack>) -> Vec3<V::Pack> {
        self.torque_in_motion(t, r, Vec3::zero(), Vec3::zero())
    }

    fn torque_derivative(&self, t: f64, r: &Mat3<V::Pack>) -> Mat3<V::Pack> {
        self.lift(|x| x).torque_derivative(t, r)
    }

    #[inline(always)]
    fn torque_in_motion(
        &self,
        t: f64,
        r: &Mat3<V::Pack>,
        w: Vec3<V::Pack>,
        p: Vec3<V::Pack>,
    ) -> Vec3<V::Pack> {
        match self {
            Self::Attractor { alpha, center } => attractor_torque(r, *alpha, center),
            Self::Law(law) => {
                let [a, b, c] = r.rows;
                let r = Mat3::from_rows(one::<V>(a), one::<V>(b), one::<V>(c));
                all::<V>(law.torque_in_motion(t, &r, one::<V>(w), one::<V>(p)))
            }
            _ => match self.axial_torque(t, self.direction(r)) {
                Some(torque) => torque,
                None => Vec3::zero(),
            },
        }
    }

    #[inline(always)]
    fn axis(&self) -> Option<(Vec3<V::Pack>, Vec3<V::Pack>)> {
        match self {
            Self::Top { .. } | Self::SoftWall { .. } => Some((e3(), e3())),
            Self::Linear { axis, direction, .. } => Some((*axis, *direction)),
            Self::Row(law, ..) => {
                let (chi, k) = law.axis()?;
                Some((all::<V>(chi), all::<V>(k)))
            }
            Self::Attractor { .. } | Self::Law(_) => None,
        }
    }

    #[inline(always)]
    fn direction(&self, r: &Mat3<V::Pack>) -> Vec3<V::Pack> {
        match self {
            Self::Linear { direction, .. } => r.apply_transpose(*direction),
            Self::Row(_, _, row) => r.rows[*row % 3],
            _ => r.rows[2],
        }
    }

    #[inline(always)]
    fn has_axial_torque(&self) -> bool {
        !matches!(self, Self::Attractor { .. } | Self::Law(_))
    }

    #[inline(always)]
    fn axial_torque(&self, t: f64, g: Vec3<V::Pack>) -> Option<Vec3<V::Pack>> {
        match self {
            Self::Top { strength } => Some(across(g, *strength)),
            Self::Linear { strength, axis, .. } => Some(g.cross(*axis).times(*strength)),
            Self::SoftWall { numbers: [attraction, repulsion, offset], power, printed } => {
                let wall = soft_wall(g.z, *attraction, *repulsion, *offset, *power, *printed);
                Some(across(g, wall[1]))
            }
            Self::Row(_, potential, _) => Some(all::<V>(torque_of_row(potential, t, one::<V>(g)))),
            Self::Attractor { .. } | Self::Law(_) => None,
        }
    }
    #[inline(always)]
    fn simple_direction(&self, r: &Mat3<V::Pack>) -> Option<Vec3<V::Pack>> {
        match self {
            Self::Top { .. } => Some(r.rows[2]),
            Self::Linear { direction, .. } => Some(r.apply_transpose(*direction)),
            _ => None,
        }
    }
    #[inline(always)]
    fn simple_axial_torque(&self, g: Vec3<V::Pack>) -> Option<Vec3<V::Pack>> {
        match self {
            Self::Top { strength } => Some(across(g, *strength)),
            Self::Linear { strength, axis, .. } => Some(g.cross(*axis).times(*strength)),
            _ => None,
        }
    }
}
