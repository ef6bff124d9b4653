//! Every experiment file reads, and every figure and table of the five papers has one.
use lieflow_reproduce::{Experiment, sources};

#[test]
fn every_file_reads_and_claims_something() {
    for source in sources() {
        let e = Experiment::parse(source.id, source.text).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(e.paper, source.folder, "{}", source.id);
        assert!(!e.studies.is_empty() && !e.claims.is_empty(), "{}", source.id);
        let bib = include_str!("../../../../references.bib");
        assert!(bib.contains(&format!("{{{},", e.paper)), "{} is not in references.bib", e.paper);
    }
}

#[test]
fn every_figure_and_table_is_there() {
    let mut wanted: Vec<String> = (1..=17).map(|k| format!("krysl-fig{k:02}")).collect();
    wanted.extend((1..=7).map(|k| format!("lewisolver-fig{k}")));
    wanted.extend([2, 3].map(|k| format!("carre-fig{k}")));
    let celledoni = [2, 3, 5, 6, 7, 8, 9, 10, 11, 13, 14, 15, 16, 17, 18];
    wanted.extend(celledoni.map(|k| format!("celledoni-fig{k}")));
    wanted.extend(["3-1", "3-2", "4-1", "4-2", "4-3"].map(|k| format!("ortolan-fig{k}")));
    wanted.extend((1..=9).map(|k| format!("ortolan-fig7-{k}")));
    wanted.extend(["2-1", "7-1", "7-2", "7-3"].map(|k| format!("ortolan-table{k}")));
    for id in wanted {
        assert!(sources().iter().any(|s| s.id == id), "{id} is missing");
    }
}
