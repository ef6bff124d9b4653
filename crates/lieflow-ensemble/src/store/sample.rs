//! Some rows of the tables as text, whatever they are written as.
use super::StoreError;
use super::merge::load;
use super::record::Record;
use super::tables::Tables;
use lieflow_files::open_plain;
use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::Path;

/// The three tables as comma-separated values, with the rows that are wanted and perhaps others.
pub struct Sampled(pub [Box<dyn BufRead>; 3]);

impl Sampled {
    /// Opens the tables of a folder; wanted are trajectories whose index is a multiple of one of the `strides`. A table
    /// that is not there has no rows.
    pub fn open(dir: &Path, strides: [u64; 2]) -> Result<Self, StoreError> {
        let manifest = load(dir)?;
        let (tables, headers) = (Tables::of(&manifest), manifest.headers());
        let (first, last) = manifest.range;
        let multiples = |stride: u64| {
            let stride = stride.max(1);
            (first.next_multiple_of(stride)..last).step_by(stride as usize)
        };
        let wanted: BTreeSet<u64> = strides.into_iter().flat_map(multiples).collect();
        let open = |k: usize| -> Result<Box<dyn BufRead>, StoreError> {
            let path = dir.join(tables.names[k]);
            let file = match open_plain(&path) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    return Ok(Box::new(io::empty()));
                }
                file => file.map_err(StoreError::at(&path))?,
            };
            let Some(record) = tables.record(k) else { return Ok(Box::new(BufReader::new(file))) };
            let places = wanted.iter().map(|index| index - first);
            let mut text = headers[k].clone();
            push_rows(&mut text, record, file, places).map_err(StoreError::at(&path))?;
            Ok(Box::new(io::Cursor::new(text)))
        };
        Ok(Self([open(0)?, open(1)?, open(2)?]))
    }
}

/// Appends the rows of trajectories, counted from the first of the file, as far as there are any.
fn push_rows(
    text: &mut String,
    record: &Record,
    mut file: File,
    places: impl Iterator<Item = u64>,
) -> io::Result<()> {
    let mut rows = vec![0; record.rows() * record.size()];
    for place in places {
        file.seek(SeekFrom::Start(record.head.len() as u64 + place * rows.len() as u64))?;
        match file.read_exact(&mut rows) {
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => break,
            read => read?,
        }
        rows.chunks_exact(record.size()).for_each(|row| record.push_text(text, row));
    }
    Ok(())
}
