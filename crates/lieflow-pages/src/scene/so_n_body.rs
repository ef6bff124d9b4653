//! The momentum of a body in n dimensions.
use super::{Picture, arrow, others};
use crate::parts::{list, norm};
use lieflow_models::run::State;
use lieflow_report::page::Object;

/// In three dimensions a vector on its sphere, in four two of them; in more, three of its entries.
pub(super) fn picture(states: &[State]) -> Option<Picture> {
    let halves: Option<Vec<Vec<[f64; 3]>>> = states.iter().map(halves).collect();
    let Some(halves) = halves else {
        let mut picture = others::picture(states)?;
        picture.note = "Three entries of the momentum: those of the first axis with the next \
                        three, M12, M13 and M14."
            .into();
        return Some(picture);
    };
    let count = halves.first()?.len();
    let names: &[&str] = if count == 2 { &["first half", "second half"] } else { &["momentum"] };
    let mut objects = Vec::new();
    let mut reach: f64 = 0.0;
    for k in 0..count {
        let radius = norm(halves[0][k]);
        reach = reach.max(radius);
        objects.push(Object::Sphere { radius });
    }
    for (k, name) in names.iter().enumerate() {
        let path: Vec<[f64; 3]> = halves.iter().map(|row| row[k]).collect();
        objects.push(arrow(*name, &path, true));
    }
    let mut picture = Picture::ball(objects, reach);
    picture.note = match count {
        2 => "The momentum is a pair of vectors, ½(M12 ± M34, M13 ∓ M24, M14 ± M23), each on a \
              sphere of its own: the Casimirs are their lengths."
            .into(),
        _ => "The momentum on its sphere.".into(),
    };
    Some(picture)
}

/// The momentum as vectors whose lengths are Casimirs: so(3), and so(4) as so(3) + so(3).
pub(crate) fn halves(state: &State) -> Option<Vec<[f64; 3]>> {
    match list(state, "momentum")? {
        [xy, xz, yz] => Some(vec![[-yz, *xz, -xy]]),
        [m12, m13, m14, m23, m24, m34] => {
            let half = |s: f64| [m12 + s * m34, m13 - s * m24, m14 + s * m23].map(|x| 0.5 * x);
            Some(vec![half(1.0), half(-1.0)])
        }
        _ => None,
    }
}
