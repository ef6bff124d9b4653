//! Trajectories as arrays of NumPy: a folder with one file for each quantity and `columns.json`.
//!
//! A file of this format is a header, padded to 128 bytes here, and the numbers. The number of rows
//! is in the header, so that it is written again at the end.
use super::trajectory::archive_draft;
use lieflow::archive::Archive;
use lieflow::problem::Value;
use lieflow_files::{Draft, npy_head};
use lieflow_models::run::State;
use serde_json::{Map, Value as Json, json};
use std::fs::create_dir_all;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Bytes before the numbers.
const HEADER: usize = 128;

/// The arrays of one trajectory.
pub struct Arrays {
    dir: PathBuf,
    /// Whether drafts that are there already are to be gone on with.
    again: bool,
    rows: u64,
    arrays: Vec<Array>,
}

/// One array, whose first axis is time.
struct Array {
    name: String,
    /// The shape of one row.
    shape: Vec<usize>,
    columns: Vec<String>,
    out: Draft,
}

impl Arrays {
    /// Makes the folder, or uses what is in it `again`.
    pub fn create(dir: &Path, again: bool) -> io::Result<Self> {
        create_dir_all(dir)?;
        Ok(Self { dir: dir.into(), again, rows: 0, arrays: Vec::new() })
    }

    /// Names how far the files have come; goes on with them, if that is read.
    pub fn archive(&mut self, archive: &mut Archive) {
        archive.bits(&mut self.rows);
        for array in &mut self.arrays {
            let head = array.header(0);
            archive_draft(&mut array.out, &head, archive);
        }
    }

    /// The files.
    pub fn drafts(&mut self) -> impl Iterator<Item = &mut Draft> {
        self.arrays.iter_mut().map(|array| &mut array.out)
    }

    /// Makes the files for states like this one.
    pub fn header(
        &mut self,
        state: &State,
        columns: &[String],
        invariants: &[String],
    ) -> io::Result<()> {
        let mut rest = columns;
        self.add("t", vec![], &["t".into()])?;
        for (name, value) in state.values() {
            for (name, shape) in shapes(name, value, rest) {
                let (own, others) = rest.split_at(rest.len().min(shape.iter().product()));
                self.add(&name, shape, own)?;
                rest = others;
            }
        }
        if !invariants.is_empty() {
            self.add("invariants", vec![invariants.len()], invariants)?;
        }
        Ok(())
    }

    fn add(&mut self, name: &str, shape: Vec<usize>, columns: &[String]) -> io::Result<()> {
        let place = self.dir.join(format!("{name}.npy"));
        let out = match self.again {
            true => Draft::none(&place),
            false => Draft::create(&place).map_err(io::Error::other)?,
        };
        let mut array = Array { name: name.into(), shape, columns: columns.to_vec(), out };
        if !self.again {
            array.out.write_all(&array.header(0))?;
        }
        self.arrays.push(array);
        Ok(())
    }

    /// Writes one row.
    pub fn row(&mut self, t: f64, numbers: &[f64]) -> io::Result<()> {
        let mut rest = numbers;
        for (i, array) in self.arrays.iter_mut().enumerate() {
            let t = [t];
            let own = match i {
                0 => &t[..],
                _ => {
                    let (own, others) = rest.split_at(rest.len().min(array.columns.len()));
                    rest = others;
                    own
                }
            };
            for x in own {
                array.out.write_all(&x.to_le_bytes())?;
            }
        }
        self.rows += 1;
        Ok(())
    }

    /// The files as they are.
    pub fn into_unfinished(self) -> Vec<Draft> {
        self.arrays.into_iter().map(|array| array.out).collect()
    }

    /// The files, complete, with the number of rows in their headers.
    pub fn into_drafts(mut self) -> io::Result<Vec<Draft>> {
        let rows = self.rows;
        for array in &mut self.arrays {
            let header = array.header(rows);
            array.out.patch(&header)?;
        }
        let file = |array: &Array| {
            let shape: Vec<u64> =
                [rows].into_iter().chain(array.shape.iter().map(|n| *n as u64)).collect();
            json!({ "file": format!("{}.npy", array.name), "shape": shape, "columns": array.columns })
        };
        let arrays: Map<String, Json> =
            self.arrays.iter().map(|array| (array.name.clone(), file(array))).collect();
        let text = format!("{:#}\n", json!({ "rows": rows, "arrays": arrays }));
        let place = self.dir.join("columns.json");
        let mut columns = Draft::create(&place).map_err(io::Error::other)?;
        columns.write_all(text.as_bytes())?;
        Ok(self.arrays.into_iter().map(|array| array.out).chain([columns]).collect())
    }
}

impl Array {
    /// The header for so many rows.
    fn header(&self, rows: u64) -> Vec<u8> {
        let shape: Vec<u64> =
            [rows].into_iter().chain(self.shape.iter().map(|n| *n as u64)).collect();
        npy_head("'<f8'", &shape, HEADER)
    }
}

/// The arrays of one part of a state; `columns` begin with its own.
fn shapes(name: &str, value: &Value, columns: &[String]) -> Vec<(String, Vec<usize>)> {
    let one = |shape: Vec<usize>| vec![(name.to_string(), shape)];
    match value {
        Value::Number(_) => one(vec![]),
        Value::Numbers(x) => one(vec![x.len()]),
        Value::Vector(_) => one(vec![3]),
        Value::Vectors(list) => one(vec![list.len(), 3]),
        Value::Rotation(_) => {
            let mut arrays = one(vec![4]);
            if columns.get(4).is_some_and(|name| name.ends_with("r11")) {
                arrays.push((format!("{name}_matrix"), vec![3, 3]));
            }
            arrays
        }
    }
}
