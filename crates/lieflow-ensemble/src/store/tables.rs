//! How the tables of an ensemble are written: as comma-separated values, or as arrays.
use super::Manifest;
use super::record::Record;
use lieflow_models::run::Format;

/// The tables that grow with the run; arrays over them have this order.
pub(super) const TABLES: [&str; 3] = ["final", "observed", "failures"];
/// The one that is there only if it has rows.
pub(super) const OBSERVED: usize = 1;
/// The one that is text in any case.
pub(super) const FAILURES: usize = 2;

/// What is the same in all rows of the tables.
#[derive(Debug)]
pub(super) struct Tables {
    /// The names of the files.
    pub names: [&'static str; 3],
    /// What is in them before the first row.
    pub heads: [Vec<u8>; 3],
    /// Those that are arrays.
    pub records: Option<[Record; 2]>,
    /// When states are observed.
    pub times: Vec<f64>,
    /// Of the [manifest](Manifest::words).
    pub words: Vec<Vec<String>>,
}

impl Tables {
    pub fn of(manifest: &Manifest) -> Self {
        let (times, words) = (manifest.times.clone(), manifest.words());
        let mut heads = manifest.headers().map(String::into_bytes);
        if manifest.format() == Format::Csv {
            let names = ["final.csv", "observed.csv", "failures.csv"];
            return Self { names, heads, records: None, times, words };
        }
        let records = [true, false].map(|at_end| Record::new(manifest, &words, at_end));
        for (head, record) in heads.iter_mut().zip(&records) {
            head.clone_from(&record.head);
        }
        let names = ["final.npy", "observed.npy", "failures.csv"];
        Self { names, heads, records: Some(records), times, words }
    }

    /// The rows of this table, if it is an array.
    pub fn record(&self, k: usize) -> Option<&Record> {
        self.records.as_ref()?.get(k)
    }
}
