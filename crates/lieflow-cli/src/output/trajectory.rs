//! A trajectory in files: one table, or one array for each quantity.
use super::csv::Csv;
use super::npy::Arrays;
use lieflow_files::Draft;
use lieflow_models::run::{Format, Plan, State};
use std::io;
use std::path::{Path, PathBuf};

/// Writes the states of a run as they come.
pub struct Trajectory {
    writer: Writer,
    matrix: bool,
    /// Present if signs of quaternions follow the row before.
    signs: Option<Signs>,
}

enum Writer {
    Csv(Csv<Draft>),
    Npy(Arrays),
}

impl Trajectory {
    /// Begins the files in a folder that is there.
    pub fn create(dir: &Path, plan: &Plan) -> io::Result<Self> {
        let writer = match plan.written.format {
            Format::Csv => {
                let draft = Draft::create(&Self::path(dir, plan)).map_err(io::Error::other)?;
                Writer::Csv(Csv::new(draft))
            }
            Format::Npy => Writer::Npy(Arrays::create(&Self::path(dir, plan))?),
        };
        let signs = plan.written.continuous.then(Signs::default);
        Ok(Self { writer, matrix: plan.matrix, signs })
    }

    /// The file, or the folder of the arrays.
    pub fn path(dir: &Path, plan: &Plan) -> PathBuf {
        dir.join(match plan.written.format {
            Format::Csv => "trajectory.csv",
            Format::Npy => "trajectory",
        })
    }

    /// Names the columns of states like this one.
    pub fn header(&mut self, state: &State, invariants: &[&str]) -> io::Result<()> {
        let columns = state.columns(self.matrix);
        if let Some(signs) = &mut self.signs {
            signs.begin(&columns);
        }
        let invariants: Vec<String> = unique(&columns, invariants);
        match &mut self.writer {
            Writer::Csv(csv) => csv.header(columns.iter().chain(&invariants)),
            Writer::Npy(arrays) => arrays.header(state, &columns, &invariants),
        }
    }

    /// Writes one state.
    pub fn state(&mut self, state: &State, invariants: &[f64]) -> io::Result<()> {
        let mut numbers = state.numbers(self.matrix);
        if let Some(signs) = &mut self.signs {
            signs.follow(&mut numbers);
        }
        numbers.extend(invariants);
        match &mut self.writer {
            Writer::Csv(csv) => csv.row(state.t, &numbers),
            Writer::Npy(arrays) => arrays.row(state.t, &numbers),
        }
    }

    /// The files, complete.
    pub fn into_drafts(self) -> io::Result<Vec<Draft>> {
        match self.writer {
            Writer::Csv(csv) => Ok(vec![csv.into_inner()]),
            Writer::Npy(arrays) => arrays.into_drafts(),
        }
    }
}

/// The names of the invariants; one that is also a part of the state is told apart.
fn unique(columns: &[String], invariants: &[&str]) -> Vec<String> {
    let name = |name: &&str| match columns.iter().any(|column| column == name) {
        true => format!("invariant.{name}"),
        false => name.to_string(),
    };
    invariants.iter().map(name).collect()
}

/// Of the two quaternions of a rotation, the one nearer to that of the row before: without jumps.
#[derive(Default)]
struct Signs {
    /// Where quaternions begin in a row, and the last one there.
    quaternions: Vec<(usize, [f64; 4])>,
}

impl Signs {
    fn begin(&mut self, columns: &[String]) {
        let starts = columns.iter().enumerate().filter(|(_, name)| name.ends_with("qw"));
        self.quaternions = starts.map(|(i, _)| (i, [1.0, 0.0, 0.0, 0.0])).collect();
    }

    fn follow(&mut self, row: &mut [f64]) {
        for (start, last) in &mut self.quaternions {
            let Some(now) = row.get_mut(*start..*start + 4) else { continue };
            let product: f64 = last.iter().zip(now.iter()).map(|(a, b)| a * b).sum();
            if product < 0.0 {
                now.iter_mut().for_each(|x| *x = -*x);
            }
            last.copy_from_slice(now);
        }
    }
}
