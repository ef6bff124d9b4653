//! Attitudes by three angles, against products of elementary rotations.
use super::{build, numbers, refusal};
use lieflow::kernel::so3;
use lieflow::{Mat3, Vec3};

const SEQUENCES: [&str; 12] =
    ["zxz", "xyx", "yzy", "zyz", "xzx", "yxy", "xyz", "yzx", "zxy", "xzy", "zyx", "yxz"];

fn text(rotation: &str) -> String {
    format!(
        "system = \"rigid-body\"\n[parameters]\ninertia = [1.0, 2.0, 2.5]\n[initial]\n\
         rotation = {{ {rotation} }}\nomega = [0.0, 0.0, 1.0]\n"
    )
}

/// The attitude that a problem file gives.
fn attitude(rotation: &str) -> Mat3<f64> {
    let model = build(&text(rotation)).unwrap_or_else(|e| panic!("{e}"));
    let all = numbers(&model.start(0.0));
    let row = |k: usize| Vec3::from([all[k], all[k + 1], all[k + 2]]);
    Mat3::from_rows(row(0), row(3), row(6))
}

fn apart(a: &Mat3<f64>, b: &Mat3<f64>) -> f64 {
    (*a - *b).norm_squared().sqrt()
}

fn about(letter: char, angle: f64) -> Mat3<f64> {
    let axis = "xyz".find(letter).unwrap();
    so3::exp(Vec3::unit(axis) * angle)
}

#[test]
fn all_twelve_sequences_both_ways() {
    let angles = [0.7, -1.1, 2.3];
    for sequence in SEQUENCES {
        let letters: Vec<char> = sequence.chars().collect();
        let turns: Vec<Mat3<f64>> =
            letters.iter().zip(angles).map(|(c, angle)| about(*c, angle)).collect();
        let within = turns[0].matmul(&turns[1]).matmul(&turns[2]);
        let without = turns[2].matmul(&turns[1]).matmul(&turns[0]);
        let keys = format!("euler = \"{sequence}\", radians = [0.7, -1.1, 2.3]");
        assert!(apart(&attitude(&keys), &within) < 3e-16 * 4.0, "{sequence}");
        let extrinsic = attitude(&format!("{keys}, extrinsic = true"));
        assert!(apart(&extrinsic, &without) < 3e-16 * 4.0, "{sequence} about axes of space");
        // About axes of space in one order is about axes of the body in the other.
        let back: String = sequence.chars().rev().collect();
        let other = attitude(&format!("euler = \"{back}\", radians = [2.3, -1.1, 0.7]"));
        assert!(apart(&extrinsic, &other) < 3e-16 * 4.0, "{sequence} and {back}");
        assert!(extrinsic.orthogonality_error() < 1e-15);
    }
}

#[test]
fn degrees_and_capitals() {
    for sequence in SEQUENCES {
        let radians = attitude(&format!(
            "euler = \"{sequence}\", radians = [{}, {}, {}]",
            30.0f64.to_radians(),
            (-45.0f64).to_radians(),
            110.0f64.to_radians()
        ));
        let capitals = sequence.to_uppercase();
        let degrees = attitude(&format!("euler = \"{capitals}\", degrees = [30, -45, 110]"));
        assert!(apart(&radians, &degrees) < 1e-15, "{sequence}");
        // Whole turns are nothing at all.
        let turned = attitude(&format!("euler = \"{sequence}\", degrees = [390, -405, 470]"));
        assert!(apart(&turned, &degrees) == 0.0, "{sequence}");
    }
    // A quarter turn about z takes e1 to e2.
    let quarter = attitude("euler = \"zxz\", degrees = [90, 0, 0]");
    assert!((quarter.apply(Vec3::unit(0)) - Vec3::unit(1)).norm() < 1e-16);
}

#[test]
fn what_is_no_sequence_is_refused() {
    for wrong in ["zz", "zzx", "xzz", "abc", "zxzx", "", "z-x"] {
        let message = refusal(&text(&format!("euler = \"{wrong}\", degrees = [1, 2, 3]")));
        assert!(message.contains("three of the letters x, y, z"), "{wrong}: {message}");
        assert!(message.contains("p.toml:5:"), "{wrong}: {message}");
    }
    let both = refusal(&text("euler = \"zxz\", degrees = [1, 2, 3], radians = [1, 2, 3]"));
    assert!(both.contains("degrees") && both.contains("radians"), "{both}");
    let none = refusal(&text("euler = \"zxz\""));
    assert!(none.contains("'degrees' or 'radians'"), "{none}");
    let few = refusal(&text("euler = \"zxz\", degrees = [1, 2]"));
    assert!(few.contains("three numbers"), "{few}");
}
