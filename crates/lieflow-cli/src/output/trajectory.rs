//! A trajectory in files: one table, or one array for each quantity.
use super::csv::Csv;
use super::npy::Arrays;
use lieflow::archive::Archive;
use lieflow_files::{Draft, Hash};
use lieflow_models::run::{Format, Plan, State};
use std::io;
use std::path::{Path, PathBuf};

/// Writes the states of a run as they come.
pub struct Trajectory {
    writer: Writer,
    matrix: bool,
    /// Present if signs of quaternions follow the row before.
    signs: Option<Signs>,
    /// Whether the columns have been named, by a run that went on here.
    again: bool,
}

enum Writer {
    Csv(Csv<Draft>),
    Npy(Arrays),
}

impl Trajectory {
    /// Begins the files in a folder that is there; or goes on with those that are, as soon as an
    /// [archive](Trajectory::archive) says how far they have come.
    pub fn create(dir: &Path, plan: &Plan, again: bool) -> io::Result<Self> {
        let path = Self::path(dir, plan);
        let writer = match plan.written.format {
            Format::Csv if again => Writer::Csv(Csv::new(Draft::none(&path))),
            Format::Csv => Writer::Csv(Csv::new(Draft::create(&path).map_err(io::Error::other)?)),
            Format::Npy => Writer::Npy(Arrays::create(&path, again)?),
        };
        let signs = plan.written.continuous.then(Signs::default);
        Ok(Self { writer, matrix: plan.matrix, signs, again })
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
            Writer::Csv(_) if self.again => Ok(()),
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

    /// Names how far the files have come; goes on with them, if that is read. The columns must have
    /// been named.
    pub fn archive(&mut self, archive: &mut Archive) {
        for (_, last) in self.signs.iter_mut().flat_map(|signs| &mut signs.quaternions) {
            archive.numbers(last);
        }
        match &mut self.writer {
            Writer::Csv(csv) => archive_draft(csv.stream(), &[], archive),
            Writer::Npy(arrays) => arrays.archive(archive),
        }
    }

    /// Takes what was written so far to the disk.
    pub fn settle(&mut self) -> io::Result<()> {
        match &mut self.writer {
            Writer::Csv(csv) => csv.stream().settle(),
            Writer::Npy(arrays) => arrays.drafts().try_for_each(Draft::settle),
        }
    }

    /// Leaves the drafts for a run that goes on.
    pub fn leave(self) {
        let drafts = match self.writer {
            Writer::Csv(csv) => vec![csv.into_inner()],
            Writer::Npy(arrays) => arrays.into_unfinished(),
        };
        // What cannot be written now will be found to be missing.
        drafts.into_iter().for_each(|draft| drop(draft.leave()));
    }

    /// The files, complete.
    pub fn into_drafts(self) -> io::Result<Vec<Draft>> {
        match self.writer {
            Writer::Csv(csv) => Ok(vec![csv.into_inner()]),
            Writer::Npy(arrays) => arrays.into_drafts(),
        }
    }
}

/// Names how far a file has come; goes on with it, if that is read. What is in `head` changes later.
pub fn archive_draft(draft: &mut Draft, head: &[u8], archive: &mut Archive) {
    let (mut length, hash) = (draft.length(), draft.hash());
    archive.bits(&mut length);
    let mut words = hash.words();
    words.iter_mut().for_each(|word| archive.bits(word));
    if !archive.is_read() || archive.is_refused() {
        return;
    }
    match Draft::go_on(draft.place(), head, length, Hash::from_words(words)) {
        Ok(Some(found)) => *draft = found,
        Ok(None) => archive.refuse("the trajectory before it is not what was written"),
        Err(_) => archive.refuse("the trajectory before it cannot be read"),
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
