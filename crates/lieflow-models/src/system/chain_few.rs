//! All stages of an explicit step of a chain of up to four links in the stereographic chart.
//!
//! The operations on each number, and with them its bits, are those of one stage after the other (the module
//! `chain_slopes`). But the numbers of so few links are one pack each: state, constants and stages stay packs from the
//! first stage to the last, and no sum of stages is written to a list of links to be gathered from there again. Rows of
//! links that are not there are left out where they only add or multiply by zeros and ones.
use super::chain_slopes::{four, solve_few, write};
use super::pendulum_chain::PendulumChain;
use super::tensions::inverse_square;
use lieflow::action::{Link, TangentSphere, stereographic};
use lieflow::chart::Chart;
use lieflow::group::Twist;
use lieflow::kernel::wide::{VectorWork, Vectors, pack_two, run_with_more_registers, unpack_two};
use lieflow::problem::Stages;
use lieflow::{Real, Vec3, vec3};

/// Steps of so many stages are made at once.
const MOST: usize = 12;

/// The stages of a step. Nothing is done, and the answer is no, for longer chains, more stages, another chart, and where
/// the machine has no packs of four.
#[inline(always)]
pub(super) fn stages<S: Real>(
    chain: &PendulumChain<S>,
    step: Stages<'_, Vec<TangentSphere<S>>>,
) -> bool {
    let (n, s) = (step.y.len(), step.rows.len());
    let fits = s <= MOST && s <= step.k.len() && n == chain.lengths().len();
    if step.chart != Chart::Stereographic || !fits {
        return false;
    }
    match n {
        1 => run_with_more_registers::<S, _>(Few::<S, 1> { chain, step }),
        2 => run_with_more_registers::<S, _>(Few::<S, 2> { chain, step }),
        3 | 4 => run_with_more_registers::<S, _>(Few::<S, 4> { chain, step }),
        _ => false,
    }
}

/// The step of a chain of one link, of two, or else of up to four.
struct Few<'a, S: Real, const LINKS: usize> {
    chain: &'a PendulumChain<S>,
    step: Stages<'a, Vec<TangentSphere<S>>>,
}

impl<S: Real, const LINKS: usize> VectorWork for Few<'_, S, LINKS> {
    type Output = bool;
    #[inline(always)]
    fn run<V: Vectors>(self) -> bool {
        let Self { chain, step: Stages { h, y, rows, k, .. } } = self;
        let (Some(rods), Some((first, others))) = (chain.rods.first(), k.split_first_mut()) else {
            return false;
        };
        if S::width::<V>() != 4 || y.is_empty() || first.len() != y.len() {
            return false;
        }
        let (u, y, _) = four(first, y);
        let (angular, linear) = pack_two::<S, V>([
            (u[0].angular, u[0].linear),
            (u[1].angular, u[1].linear),
            (u[2].angular, u[2].linear),
            (u[3].angular, u[3].linear),
        ]);
        let (q, omega) = pack_two::<S, V>([
            (y[0].q, y[0].omega),
            (y[1].q, y[1].omega),
            (y[2].q, y[2].omega),
            (y[3].q, y[3].omega),
        ]);
        let length = rods.length.get::<V>(0);
        let pose = Pose::<S, V> {
            gravity: chain.gravity(),
            light: rods.light.get::<V>(0),
            joint: rods.joint.get::<V>(0),
            length,
            short: rods.short.get::<V>(0),
            real: S::Pack::<V>::zero().lt(length),
            from: Link { q, omega },
        };
        let mut found = [Twist { angular, linear }; MOST];
        let mut i = 1;
        while i < rows.len() && i < MOST && i <= others.len() {
            let k = pose.slope::<LINKS>(&sum::<S, V>(h, rows[i], &found));
            found[i] = k;
            write(unpack_two::<S, V>((k.angular, k.linear)), &mut others[i - 1]);
            i += 1;
        }
        true
    }
}

/// `h sum_j w_j k_j`, term by term as sums of lists of links are formed.
#[inline(always)]
fn sum<S: Real, V: Vectors>(
    h: f64,
    weights: &[f64],
    k: &[Twist<S::Pack<V>>; MOST],
) -> Twist<S::Pack<V>> {
    let terms = weights.len().min(MOST);
    let mut j = 0;
    while j < terms && weights[j] == 0.0 {
        j += 1;
    }
    if j == terms {
        return Twist::new(k[0].angular * 0.0, k[0].linear * 0.0);
    }
    let a = h * weights[j];
    let mut sum = Twist::new(k[j].angular * a, k[j].linear * a);
    j += 1;
    while j < terms {
        if weights[j] != 0.0 {
            let a = h * weights[j];
            sum.angular += k[j].angular * a;
            sum.linear += k[j].linear * a;
        }
        j += 1;
    }
    sum
}

/// Where a step begins, with the constants of the links.
struct Pose<S: Real, V: Vectors> {
    gravity: Vec3<S>,
    light: S::Pack<V>,
    joint: S::Pack<V>,
    length: S::Pack<V>,
    short: S::Pack<V>,
    /// Where there is a link.
    real: <S::Pack<V> as Real>::Mask,
    from: Link<S::Pack<V>>,
}

impl<S: Real, V: Vectors> Pose<S, V> {
    /// The slopes where the chain is moved so.
    #[inline(always)]
    fn slope<const LINKS: usize>(&self, by: &Twist<S::Pack<V>>) -> Twist<S::Pack<V>> {
        let (mut to, stretch) = stereographic::advance(by, &self.from);
        let zero = S::Pack::<V>::zero();
        if LINKS == 4 {
            to.q = Vec3::select(self.real, to.q, vec3(-zero, -zero, -zero));
        }
        let q = to.q;
        let (g, push) = (self.gravity, self.short * inverse_square(q));
        if LINKS == 1 {
            // Where nothing hangs on a link, the tension of its rod does not turn it.
            let g = vec3(S::pack::<V>([g.x; 4]), S::pack::<V>([g.y; 4]), S::pack::<V>([g.z; 4]));
            let turn = q.cross(g).times(push);
            return stereographic::slope(by.angular, self.from.q, stretch, &to, turn);
        }
        let s = q.norm_squared();
        let mut diagonal = self.joint * s;
        if LINKS == 4 {
            diagonal = S::Pack::<V>::select(self.real, diagonal, S::Pack::<V>::one());
        }
        let side = self.length * to.omega.norm_squared() * s;
        // Below the last link there is a direction that adds nothing, not even the sign of a zero.
        let none = -S::zero();
        let next = vec3(
            below::<S, V, LINKS>(q.x, none),
            below::<S, V, LINKS>(q.y, none),
            below::<S, V, LINKS>(q.z, none),
        );
        let bond = S::unpack::<V>(-(q.dot(next) * self.light));
        let ([x, ..], [y, ..], [z, ..]) =
            (S::unpack::<V>(q.x), S::unpack::<V>(q.y), S::unpack::<V>(q.z));
        let [r0, r1, r2, r3] = S::unpack::<V>(side);
        let side = [r0 + g.dot(vec3(x, y, z)), r1, r2, r3];
        let tension = if LINKS == 2 {
            solve_two(S::unpack::<V>(diagonal), side, bond)
        } else {
            solve_few(S::unpack::<V>(diagonal), side, bond)
        };
        let tension = S::pack::<V>(tension);
        let own = q.times(tension * self.light);
        let lower = below::<S, V, LINKS>(tension, S::one()) * self.light;
        let above =
            vec3(later::<S, V>(g.x, own.x), later::<S, V>(g.y, own.y), later::<S, V>(g.z, own.z));
        let turn = q.cross(above + next.times(lower)).times(push);
        stereographic::slope(by.angular, self.from.q, stretch, &to, turn)
    }
}

/// The numbers of the links below.
#[inline(always)]
fn below<S: Real, V: Vectors, const LINKS: usize>(here: S::Pack<V>, end: S) -> S::Pack<V> {
    let [_, b, c, d] = S::unpack::<V>(here);
    if LINKS == 2 { S::pack::<V>([b, end, end, end]) } else { S::pack::<V>([b, c, d, end]) }
}

/// The numbers of the links above.
#[inline(always)]
fn later<S: Real, V: Vectors>(above: S, here: S::Pack<V>) -> S::Pack<V> {
    let [a, b, c, _] = S::unpack::<V>(here);
    S::pack::<V>([above, a, b, c])
}

/// The tensions of two rods: [`solve_few`] without the rows that are not there. The last places are of no use.
///
/// ```text
/// (d0 d1 - e0²) l1 = d0 r1 - e0 r0      d0 l0 = r0 - e0 l1
/// ```
#[inline(always)]
fn solve_two<S: Real>([d0, d1, ..]: [S; 4], [r0, r1, ..]: [S; 4], [e0, ..]: [S; 4]) -> [S; 4] {
    let share = S::one() / (d0 * d1 - e0 * e0);
    let top = S::one() / d0;
    let l1 = (d0 * r1 - e0 * r0) * share;
    [(r0 - e0 * l1) * top, l1, l1, l1]
}
