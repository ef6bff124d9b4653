//! Tables of `data/golden/`: what was computed once, bit for bit, line by line.
//!
//! A line is a name and what belongs to it. `LIEFLOW_WRITE_GOLDEN=1` writes the tables anew.
use std::collections::BTreeMap;

/// A fingerprint of numbers: every bit of each counts (FNV-1a, 64 bits), but for what is no number,
/// to which machines give signs of their own.
pub fn fingerprint(numbers: impl IntoIterator<Item = f64>) -> u64 {
    let bits = |x: f64| if x.is_nan() { f64::NAN.to_bits() } else { x.to_bits() };
    let bytes = numbers.into_iter().flat_map(|x| bits(x).to_le_bytes());
    fingerprint_of_bytes(bytes)
}

/// The same of bytes.
pub fn fingerprint_of_bytes(bytes: impl IntoIterator<Item = u8>) -> u64 {
    let start = 0xcbf2_9ce4_8422_2325_u64;
    bytes
        .into_iter()
        .fold(start, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3))
}

/// Compares lines with those of a table, and names all that differ.
pub fn compare(table: &str, lines: &[(String, String)]) {
    let path = format!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/golden/{}.txt"), table);
    if std::env::var_os("LIEFLOW_WRITE_GOLDEN").is_some() {
        let text: String = lines.iter().map(|(name, value)| format!("{name} {value}\n")).collect();
        std::fs::write(&path, text).unwrap_or_else(|e| panic!("{path}: {e}"));
        return;
    }
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"));
    let mut wanted: BTreeMap<&str, &str> =
        text.lines().filter_map(|line| line.split_once(' ')).collect();
    let mut wrong = Vec::new();
    for (name, value) in lines {
        match wanted.remove(name.as_str()) {
            Some(want) if want == value => {}
            Some(want) => wrong.push(format!("{name}: {value}, and was {want}")),
            None => wrong.push(format!("{name}: new")),
        }
    }
    wrong.extend(wanted.keys().map(|name| format!("{name}: gone")));
    let (count, shown) = (wrong.len(), wrong.iter().take(40));
    let shown: String = shown.map(|line| format!("\n  {line}")).collect();
    assert!(
        wrong.is_empty(),
        "{count} of {} lines differ from data/golden/{table}.txt; if that is meant, \
         LIEFLOW_WRITE_GOLDEN=1 writes it anew:{shown}",
        lines.len()
    );
}
