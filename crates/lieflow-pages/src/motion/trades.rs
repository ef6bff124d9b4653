//! What people of a trade look at first: populations, the turning frame, particles, eigenvalues.
use super::Motion;
use crate::lattice::Lattice;
use crate::parts::{norm, path, vectors};
use crate::scene::halves;
use crate::{Film, levels};
use lieflow::problem::Value;
use serde_json::Value as Json;

type Named = (String, Vec<f64>);

/// Rows of equal length as named columns.
fn columns(name: &str, rows: &[Vec<f64>]) -> Vec<Named> {
    let count = rows.first().map_or(0, Vec::len);
    let column = |k: usize| -> Vec<f64> {
        rows.iter().map(|row| row.get(k).copied().unwrap_or(f64::NAN)).collect()
    };
    (0..count).map(|k| (format!("{name}_{}", k + 1), column(k))).collect()
}

/// Vectors over time as three named columns.
fn components(name: &str, list: &[[f64; 3]]) -> Vec<Named> {
    let column =
        |(k, axis): (usize, &str)| (format!("{name}_{axis}"), list.iter().map(|v| v[k]).collect());
    ["x", "y", "z"].into_iter().enumerate().map(column).collect()
}

impl Motion {
    /// Adds them; the parts of a state that need not be shown again.
    pub(super) fn add_trade(
        &mut self,
        system: &str,
        parameters: &Json,
        film: &Film,
    ) -> &'static [&'static str] {
        match system {
            "toda" => self.add_lattice(film),
            "bloch" => self.add_turning_frame(parameters, film),
            "landau-zener" => {
                self.add_populations(parameters, film);
                return &["population"];
            }
            "so-n-body" => self.add_halves(film),
            "rates" => self.add_deviations(film),
            _ => {}
        }
        &[]
    }

    /// Where the particles are, how far apart, and what their matrix keeps.
    fn add_lattice(&mut self, film: &Film) {
        let Some(lattice) = Lattice::of(&film.states) else { return };
        let positions = columns("position", &lattice.positions);
        self.add("Positions of the particles", "position", positions, true);
        self.add("Distances of neighbours", "distance", columns("gap", &lattice.gaps), false);
        let names = film.invariant_names.iter().enumerate();
        let values = names.filter(|(_, name)| name.starts_with("eigenvalue")).map(|(k, name)| {
            let value = |row: &Vec<f64>| row.get(k).copied().unwrap_or(f64::NAN);
            ((*name).to_string(), film.invariants.iter().map(value).collect())
        });
        let values = values.collect();
        self.add("Eigenvalues of the matrix", "eigenvalue", values, true);
    }

    /// The Bloch vector as it is seen from the drive, and how much of it is up.
    fn add_turning_frame(&mut self, parameters: &Json, film: &Film) {
        let Some(m) = path(&film.states, "m") else { return };
        let up = m.iter().map(|m| 0.5 * (1.0 + m[2])).collect();
        self.add(
            "Population of the upper level",
            "probability",
            vec![("population".into(), up)],
            true,
        );
        let seen = |(m, t): (&[f64; 3], f64)| {
            let (sin, cos) = levels::phase(parameters, t)?.sin_cos();
            Some([cos * m[0] + sin * m[1], cos * m[1] - sin * m[0], m[2]])
        };
        let seen: Option<Vec<[f64; 3]>> = m.iter().zip(film.times()).map(seen).collect();
        if let Some(seen) = seen {
            let title = "In the frame that turns with the drive";
            self.add(title, "component", components("turning", &seen), true);
        }
    }

    /// Both populations, what theory says of the first one in the end, and the levels.
    fn add_populations(&mut self, parameters: &Json, film: &Film) {
        let first = film.states.iter().map(|state| match state.part("population") {
            Some(Value::Number(x)) => *x,
            _ => f64::NAN,
        });
        let first: Vec<f64> = first.collect();
        let count = first.len();
        let mut list = vec![
            ("population_1".into(), first.clone()),
            ("population_2".into(), first.iter().map(|x| 1.0 - x).collect()),
        ];
        // Theory is about crossings that begin in one level.
        let begins = first.first().is_some_and(|x| (x - 1.0).abs() < 1e-9);
        if let Some(kept) = levels::kept(parameters).filter(|_| begins) {
            list.push(("Landau and Zener".into(), vec![kept; count]));
        }
        self.add("Populations of the levels", "probability", list, true);
        let field: Option<Vec<[f64; 3]>> =
            film.times().iter().map(|t| levels::field("landau-zener", parameters, *t)).collect();
        let Some(field) = field else { return };
        let with = |f: &dyn Fn(&[f64; 3]) -> f64| field.iter().map(f).collect::<Vec<f64>>();
        let list = vec![
            ("upper level".into(), with(&|b| 0.5 * norm(*b))),
            ("lower level".into(), with(&|b| -0.5 * norm(*b))),
            ("level 1, uncoupled".into(), with(&|b| 0.5 * b[2])),
            ("level 2, uncoupled".into(), with(&|b| -0.5 * b[2])),
        ];
        self.add("Levels", "energy of a level", list, true);
    }

    /// The two vectors of which a momentum in four dimensions consists.
    fn add_halves(&mut self, film: &Film) {
        let rows: Option<Vec<_>> = film.states.iter().map(halves).collect();
        let Some(rows) = rows.filter(|rows| rows.first().is_some_and(|row| row.len() == 2)) else {
            return;
        };
        for (k, title) in
            ["First half of the momentum", "Second half of the momentum"].iter().enumerate()
        {
            let list: Vec<[f64; 3]> = rows.iter().map(|row| row[k]).collect();
            self.add(title, "component", components(&format!("half_{}", k + 1), &list), true);
        }
    }

    /// How well the attitude is known.
    fn add_deviations(&mut self, film: &Film) {
        let deviation = |rows: Vec<[f64; 3]>| -> Option<[f64; 3]> {
            let [a, b, c] = rows.try_into().ok()?;
            Some([a[0], b[1], c[2]].map(|x| x.max(0.0).sqrt().to_degrees()))
        };
        let list: Option<Vec<[f64; 3]>> =
            film.states.iter().map(|state| deviation(vectors(state, "covariance")?)).collect();
        if let Some(list) = list {
            let title = "Standard deviation of the attitude";
            self.add(title, "degrees", components("deviation", &list), true);
        }
    }
}
