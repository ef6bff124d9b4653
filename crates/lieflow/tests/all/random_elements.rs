//! The groups of unitary matrices and the frames obey their laws on random elements: quaternions on two thousand, the
//! others on ten thousand each.
use lieflow::Vec3;
use lieflow::action::{self, Action, Frame, Stiefel};
use lieflow::group::laws::Checkable;
use lieflow::group::{self, AlgebraOf, Coadjoint, LieGroup, Skew, SkewHermitian, Son, Su2, Sun};
use lieflow_testing::Draw;

/// Laws are tried on all pairs of a handful.
const HANDFUL: usize = 4;
const ELEMENTS: usize = 10_000;
const FEWER: usize = 2_000;

fn handfuls<G: LieGroup<Algebra: group::LieAlgebra<Scalar = f64>>>(
    like: &AlgebraOf<G>,
    elements: usize,
    mut each: impl FnMut(&mut Draw, &[AlgebraOf<G>]),
) {
    let mut draw = Draw::new(17);
    for _ in 0..elements / HANDFUL {
        let samples: Vec<_> = (0..HANDFUL)
            .map(|_| {
                let norm = draw.between(0.0, 3.0);
                draw.element(like, norm)
            })
            .collect();
        each(&mut draw, &samples);
    }
}

fn obeys<G: Checkable + Coadjoint>(like: AlgebraOf<G>, elements: usize) {
    handfuls::<G>(&like, elements, |_, samples| {
        group::laws::check_coadjoint::<G>(samples).unwrap_or_else(|e| panic!("{e}"));
    });
}

#[test]
fn quaternions() {
    obeys::<Su2<f64>>(Vec3::zero(), FEWER);
}

#[test]
#[ignore = "slow: ten seconds"]
fn unitary_matrices_of_three() {
    obeys::<Sun<f64, 3>>(SkewHermitian::zero(), ELEMENTS);
}

#[test]
#[ignore = "slow: half a minute"]
fn unitary_matrices_of_four() {
    obeys::<Sun<f64, 4>>(SkewHermitian::zero(), ELEMENTS);
}

#[test]
#[ignore = "slow: ten seconds"]
fn frames() {
    handfuls::<Son<f64, 4>>(&Skew::zero(), ELEMENTS, |draw, samples| {
        let start = Son::exp(&draw.element(&Skew::zero(), 2.0));
        let frame = Stiefel::<f64, 4, 2>::act(&start, &Frame::axes());
        let report = action::laws::check::<Stiefel<f64, 4, 2>>(samples, &[frame]);
        report.unwrap_or_else(|e| panic!("{e}"));
        for u in samples {
            assert!(Stiefel::act(&Son::exp(u), &frame).orthogonality_error() < 1e-14);
        }
    });
}
