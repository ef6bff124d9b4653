//! Splittings that estimate their error by the torques of their kicks, at no further cost.
//!
//! A linear combination of what is known inside a step is a solution of lower order, and its distance from the
//! step an error estimate. On a group the increments are combined: with the torques `T_i`, turned into space where
//! they add up, and weights `d_i` of the kicks
//!
//! ```text
//! δ = h Σ d_i R_i T_i      e² = |δ_even|² + |δ_odd|²
//! ```
//!
//! `d` annihilates the words in the two vector fields (free motion and kick) up to a length, so that `δ` is `h^p` times a
//! derivative of the torque along the motion. There are two sets: one that is the same from both ends of the step, and one
//! that changes its sign. Then the estimate of a step is that of the step back, it has no power of `h` between
//! those of the two, and is small by chance only where two derivatives are. Sums of `|d_i|` are one: a kick
//! of the solution of lower order is off by no more than that. The weights are the smallest of their kind.
//!
//! What a state rounds away is carried to the next step, as by [`Compensated`](crate::method::Compensated) and by the
//! steps that the energy paces.
//!
//! Blanes, Casas and Thalhammer 2019, who combine states of a linear space; the weights here are computed
//! for these sets, over the words that act on a torque which does not depend on the momentum.
use super::super::composition::SCHEMES;
use super::super::{Cost, Method, Step, StepError, StepResult};
use super::solving::NOT_FINITE;
use super::splitting::{self, SplittingScheme};
use super::way::{Way, nothing};
use crate::action::{BodyState, Flat};
use crate::archive::Archive;
use crate::problem::SpinningBody;
use lieflow_kernel::rigid::{Exact, Halves, Inertia, LieMidpoint, PreprocessedMoserVeselov};
use lieflow_kernel::{Real, Vec3};

/// Weights of the kicks of a step, from its ends inwards: what is missing follows by symmetry.
#[derive(Debug)]
struct Defects {
    /// The power of the step with which the larger of the two grows.
    power: u8,
    /// The same from both ends.
    even: &'static [f64],
    /// With the other sign from the other end.
    odd: &'static [f64],
}

impl Defects {
    /// The weights of kick number `i` of `n`.
    fn at(&self, i: usize, n: usize) -> (f64, f64) {
        let (k, sign) = if 2 * i < n { (i, 1.0) } else { (n - 1 - i, -1.0) };
        let weight = |half: &[f64]| half.get(k).copied().unwrap_or(0.0);
        (weight(self.even), sign * weight(self.odd))
    }
}

/// For `exs`.
static EXS: Defects = Defects { power: 2, even: &[], odd: &[-0.5] };

/// For `bm4`.
static BM4: Defects = Defects {
    power: 3,
    even: &[0.25, -0.13328652703630445, -0.11671347296369555],
    odd: &[-0.09063313973202766, 0.16081599175322683, 0.2485508685147455],
};

/// For `rkn4`.
static RKN4: Defects = Defects {
    power: 4,
    even: &[0.004886000944413365, -0.25, 0.12230170305108012, 0.24562459200901304],
    odd: &[-0.18545232223377223, 0.18245945159178867, -0.13208822617443908],
};

/// For `rkn6`.
static RKN6: Defects = Defects {
    power: 5,
    even: &[
        0.1318474585890341,
        -0.15922185910646713,
        0.06056511812801759,
        -0.04682867910561348,
        -0.04394946178791939,
        0.0575874232829483,
    ],
    odd: &[
        -0.06154711433062607,
        0.135520721478821,
        -0.06937418625181398,
        0.02114349415123081,
        0.005221134893999691,
        -0.20719334889350846,
    ],
};

/// For `rkn6a`.
static RKN6A: Defects = Defects {
    power: 5,
    even: &[
        0.1340052545021512,
        -0.10896409047172133,
        -0.09161190989081233,
        0.012734303885896586,
        -0.04942399963746635,
        0.059104664412114545,
        0.044155777199837674,
    ],
    odd: &[
        -0.08617244845949922,
        0.14344091459856081,
        0.04480414931393486,
        0.0038017224952678905,
        -0.0703136327773544,
        -0.06501192172752107,
        -0.08645521062786175,
    ],
};

/// For `tj4`.
static TJ4: Defects =
    Defects { power: 3, even: &[-0.25, 0.25], odd: &[0.3149802624737183, 0.1850197375262817] };

/// For `su4`.
static SU4: Defects = Defects {
    power: 4,
    even: &[0.10395750555857271, 0.14604249444142728, -0.25],
    odd: &[-0.1639780488444689, 0.11728641798013296, -0.21873553317539812],
};

/// For `tj6`.
static TJ6: Defects = Defects {
    power: 5,
    even: &[
        0.1301539939667155,
        -0.01433033739174155,
        -0.17593839013756044,
        -0.05973127247069802,
        0.11984600603328449,
    ],
    odd: &[
        -0.14214428532870318,
        -0.10313184827607116,
        0.09207565629972665,
        -0.033859286830498415,
        -0.12878892326500058,
    ],
};

/// For `yo6`.
static YO6: Defects = Defects {
    power: 5,
    even: &[-0.12573728268266682, 0.12251313276637855, -0.1242627173173332, 0.12748686723362146],
    odd: &[-0.10798902782078672, 0.09825190880487988, -0.23361394757509557, -0.060145115799237835],
};

/// For `kl6`.
static KL6: Defects = Defects {
    power: 5,
    even: &[
        0.11016897351153894,
        0.12021631742252788,
        -0.058466306454940144,
        0.019614709065933184,
        -0.19153369354505986,
    ],
    odd: &[
        0.04583702917503244,
        -0.015480613965936883,
        0.11085711960177116,
        -0.14444863766550153,
        0.18337659959175795,
    ],
};

/// The free motion by a map.
type Map = fn(&mut Way<'_, f64>, &Inertia<f64>, f64) -> Result<u32, StepError>;

/// The stages of a splitting, kicks and motions in turn.
#[derive(Debug)]
pub(super) struct Stages {
    pub list: Vec<f64>,
    pub kick_first: bool,
}

impl Stages {
    /// A kicked map between half kicks, repeated by the scheme of this name.
    pub fn composed(scheme: &str) -> Option<Self> {
        let outer = SCHEMES.iter().find(|known| known.id == scheme)?.outer;
        let middle = 1.0 - 2.0 * outer.iter().sum::<f64>();
        let parts = outer.iter().chain([&middle]).chain(outer.iter().rev());
        // Two half kicks that meet are one.
        let mut list = vec![0.0];
        for part in parts {
            if let Some(kick) = list.last_mut() {
                *kick += 0.5 * part;
            }
            list.extend([*part, 0.5 * part]);
        }
        Some(Self { list, kick_first: true })
    }

    /// Those of a set of its own.
    pub fn of(scheme: &SplittingScheme) -> Self {
        Self { list: scheme.stages().to_vec(), kick_first: scheme.kick_first }
    }

    /// One kicked map.
    pub fn once(kick_first: bool) -> Self {
        Self { list: vec![0.5, 1.0, 0.5], kick_first }
    }
}

/// The stages of a set, and the weights of its estimate.
fn stages(set: &str) -> Option<(Stages, &'static Defects)> {
    let of_nystrom = [
        (&splitting::BM4, &BM4),
        (&splitting::RKN4, &RKN4),
        (&splitting::RKN6, &RKN6),
        (&splitting::RKN6A, &RKN6A),
    ];
    if let Some((scheme, defects)) = of_nystrom.into_iter().find(|(scheme, _)| scheme.id == set) {
        return Some((Stages::of(scheme), defects));
    }
    let defects = match set {
        "" => return Some((Stages::once(true), &EXS)),
        "tj4" => &TJ4,
        "su4" => &SU4,
        "tj6" => &TJ6,
        "yo6" => &YO6,
        "kl6" => &KL6,
        _ => return None,
    };
    Some((Stages::composed(set)?, defects))
}

/// The set and the free map of a method of this name.
fn named(id: &str) -> Option<(&str, Map)> {
    let (base, set) = id.split_once('@').unwrap_or((id, ""));
    let map: Map = match base {
        "exs" => |way, inertia, h| way.drift(Exact, inertia, h),
        "liemid-ea" => |way, inertia, h| way.drift(Halves(LieMidpoint), inertia, h),
        "dmv10" if !set.is_empty() => {
            |way, inertia, h| way.drift(PreprocessedMoserVeselov::TEN, inertia, h)
        }
        _ => return None,
    };
    Some((set, map))
}

/// A splitting with its error estimate, whose steps are those of the method of that name, up to roundings.
#[derive(Debug)]
pub struct EstimatedSplitting {
    map: Map,
    stages: Stages,
    defects: &'static Defects,
    /// The torque at the end of the last step, if that is a kick, and whether the step was accepted.
    torque: Vec3<f64>,
    follows: bool,
    /// What the state has rounded away, and the same after the last proposal.
    carry: BodyState<f64>,
    next: BodyState<f64>,
    /// Torque, whether it follows, and what is carried, while it looks aside.
    aside: (Vec3<f64>, bool, BodyState<f64>),
    cost: Cost,
}

impl EstimatedSplitting {
    /// The method of this name, if its torques tell something.
    pub fn named(id: &str) -> Option<Self> {
        let (set, map) = named(id)?;
        let (stages, defects) = stages(set)?;
        let (torque, carry, cost) = (Vec3::zero(), nothing(), Cost::default());
        let (follows, next, aside) = (false, carry, (torque, false, carry));
        Some(Self { map, stages, defects, torque, follows, carry, next, aside, cost })
    }

    /// The power of the step with which the estimate grows.
    pub fn power(&self) -> u8 {
        self.defects.power
    }
}

impl<P: SpinningBody<f64>> Method<P> for EstimatedSplitting {
    fn step(&mut self, s: Step<'_, P>, out: &mut BodyState<f64>) -> StepResult {
        let Step { p, t, h, y } = s;
        let Stages { list, kick_first } = &self.stages;
        let known = core::mem::take(&mut self.follows) && *kick_first;
        let kicks = (list.len() + usize::from(*kick_first)) / 2;
        let mut way = Way { from: y, sum: self.carry };
        let (mut even, mut odd) = (Vec3::zero(), Vec3::zero());
        let (mut done, mut kick, mut turns) = (0.0, 0, 0);
        for (i, part) in list.iter().enumerate() {
            if (i % 2 == 0) == *kick_first {
                if i > 0 || !known {
                    self.torque = p.torque(t + done * h, &way.rotation());
                    self.cost.field_evaluations += 1;
                }
                way.kick(self.torque * (part * h));
                let (alike, opposite) = self.defects.at(kick, kicks);
                let in_space = way.rotation().apply(self.torque);
                even += in_space * alike;
                odd += in_space * opposite;
                kick += 1;
            } else {
                (self.map)(&mut way, p.inertia(), part * h)?;
                turns += 1;
                done += part;
            }
        }
        self.cost.exponentials += turns;
        let square = even.norm_squared() + odd.norm_squared();
        if !(way.sum.momentum.finite() && Real::finite(square)) {
            return Err(NOT_FINITE);
        }
        *out = *y;
        self.next = way.sum;
        out.gather(&mut self.next);
        Ok(Some(h.abs() * Real::sqrt(square)))
    }

    fn accept(&mut self) {
        self.follows = true;
        self.carry = self.next;
    }

    fn carries_roundings(&self) -> bool {
        true
    }

    fn reset(&mut self) {
        self.follows = false;
        self.carry = nothing();
    }

    fn set_aside(&mut self) {
        self.aside = (self.torque, self.follows, self.carry);
        Method::<P>::reset(self);
    }

    fn take_back(&mut self) {
        (self.torque, self.follows, self.carry) = self.aside;
    }

    fn archive(&mut self, _: Step<'_, P>, archive: &mut Archive) {
        self.torque.archive(archive);
        archive.flag(&mut self.follows);
        self.carry.archive(archive);
    }

    fn cost(&self) -> Cost {
        self.cost
    }
}
