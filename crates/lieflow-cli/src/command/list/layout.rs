//! A listing as lines of at most a hundred characters, one for each item.
use super::columns::{Field, Shown};
use lieflow_report::table::{Column, Table};
use serde_json::{Map, Value as Json};

/// The longest line.
const WIDTH: usize = 100;
/// A text that is cut keeps at least so much.
const LEAST: usize = 12;

/// Lines, and whether some were cut.
pub struct Listing {
    pub text: String,
    pub cut: bool,
}

/// The heads and a line for each item; in full length if `wide`.
pub fn listing<T>(objects: &[Map<String, Json>], fields: &[Field<T>], wide: bool) -> Listing {
    let taken = |shown| match wide {
        true => shown != Shown::Json,
        false => matches!(shown, Shown::Always | Shown::Cut),
    };
    let mut shown: Vec<&Field<T>> = fields.iter().filter(|field| taken(field.shown)).collect();
    // What may be cut comes last.
    shown.sort_by_key(|field| !wide && field.shown == Shown::Cut);
    let mut table = Table::new([]);
    for field in &shown {
        let right = objects.iter().any(|object| object[field.key].is_number());
        table.columns.push(Column { name: field.head.into(), right });
    }
    for object in objects {
        table.row(shown.iter().map(|field| cell(&object[field.key], field.words)));
    }
    let mut cut = shown.len() < fields.iter().filter(|f| f.shown != Shown::Json).count();
    if !wide && shown.last().is_some_and(|field| field.shown == Shown::Cut) {
        cut |= shorten(&mut table);
    }
    Listing { text: table.to_text(0), cut }
}

fn cell(value: &Json, words: [&str; 2]) -> String {
    match value {
        Json::Bool(value) => words[usize::from(!value)].to_string(),
        Json::String(text) => text.clone(),
        Json::Null => "–".into(),
        Json::Number(number) => number.as_f64().unwrap_or(f64::NAN).to_string(),
        other => other.to_string(),
    }
}

/// Cuts the last column so that no line is too long; whether anything was cut.
fn shorten(table: &mut Table) -> bool {
    let last = table.columns.len() - 1;
    let width = |j: usize| {
        let cells = table.rows.iter().filter_map(|(row, _)| row.get(j));
        let longest = cells.map(|cell| cell.chars().count()).max().unwrap_or(0);
        longest.max(table.columns[j].name.chars().count()) + 2
    };
    let before: usize = (0..last).map(width).sum();
    let room = WIDTH.saturating_sub(before).max(LEAST);
    let mut cut = false;
    for (row, _) in &mut table.rows {
        let Some(cell) = row.get_mut(last) else { continue };
        if cell.chars().count() > room {
            let kept: String = cell.chars().take(room - 1).collect();
            *cell = format!("{}…", kept.trim_end());
            cut = true;
        }
    }
    cut
}
