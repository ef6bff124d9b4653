//! The potential energy along rotations about given axes: `U(exp(s n))`.
//!
//! The energy of a rigid body at rest. Keys: `axes` (vectors, normalised), `names`, `from`,
//! `to`, `points`. Measures `NAME/min`, `NAME/argmin` (the positive one) and `NAME/at:S` on the
//! half units.
use super::{DataTable, ExperimentError, Outcome, exact, problem};
use crate::experiment::{MethodChoice, StudyTable, texts};
use lieflow::Vec3;
use lieflow::action::BodyState;
use lieflow::kernel::so3;
use lieflow_models::problem_file::{Kind, Warnings};
use lieflow_models::system::rigid_body::RigidBody;
use lieflow_report::figure::{Figure, Series, Style};

pub(super) fn carry_out(table: &StudyTable, quick: bool) -> Result<Outcome, ExperimentError> {
    let warnings = Warnings::default();
    let reader = table.reader(&warnings)?;
    let names = texts(&reader, "names")?;
    let bad = || reader.refuse("axes", "a list of vectors, as many as there are names");
    let axes: Vec<[f64; 3]> = match reader.optional("axes").map(|n| &n.kind) {
        Some(Kind::List(items)) if items.len() == names.len() => {
            let number = |kind: &Kind| match kind {
                Kind::Number(x) => Some(*x),
                Kind::Integer(n) => Some(*n as f64),
                _ => None,
            };
            let vector = |kind: &Kind| match kind {
                Kind::List(v) if v.len() == 3 => {
                    Some([number(&v[0].kind)?, number(&v[1].kind)?, number(&v[2].kind)?])
                }
                _ => None,
            };
            let all: Option<Vec<_>> = items.iter().map(|i| vector(&i.kind)).collect();
            all.ok_or_else(bad)?
        }
        _ => return Err(bad().into()),
    };
    let (from, to) = (reader.number_or("from", -3.0)?, reader.number_or("to", 3.0)?);
    let points = reader.optional_integer("points")?.unwrap_or(241).max(2);
    reader.finish()?;

    let mut outcome = Outcome::default();
    let mut figure = Figure::new(table.title.as_str(), "angle", "U");
    let mut data = DataTable { name: table.name.clone(), ..DataTable::default() };
    data.head = ["axis", "angle", "U"].map(String::from).into();
    let method =
        MethodChoice { id: "rkmk4".into(), label: "energy at rest".into(), settings: Vec::new() };
    let (model, _) = problem(table, Some(&method), &[], quick)?;
    let Some(body) = model.as_any().downcast_ref::<RigidBody<f64>>() else {
        return Err(bad().into());
    };
    for (name, axis) in names.iter().zip(&axes) {
        let length = axis.iter().map(|x| x * x).sum::<f64>().sqrt();
        let mut curve = Vec::new();
        for k in 0..points {
            let angle = from + (to - from) * k as f64 / (points - 1) as f64;
            let turned = Vec3::from(axis.map(|x| x * angle / length));
            let u = body.energy(0.0, &BodyState::new(so3::exp(turned), Vec3::zero()));
            curve.push((angle, u));
            data.rows.push(vec![name.clone(), exact(angle), exact(u)]);
            if (2.0 * angle - (2.0 * angle).round()).abs() < 1e-9 {
                let half = (2.0 * angle).round() / 2.0;
                outcome.measured.put(format!("{}/{name}/at:{half}", table.name), u);
            }
        }
        let lowest = curve.iter().filter(|p| p.0 > 0.0).min_by(|a, b| a.1.total_cmp(&b.1));
        if let Some((angle, u)) = lowest {
            outcome.measured.put(format!("{}/{name}/min", table.name), *u);
            outcome.measured.put(format!("{}/{name}/argmin", table.name), *angle);
        }
        figure = figure.with(Series::new(name.as_str(), Style::Line, curve));
    }
    outcome.figures.push(figure);
    outcome.data.push(data);
    Ok(outcome)
}
