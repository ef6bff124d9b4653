//! The files of ensembles have the bytes that they had when `data/golden/ensembles.txt` was written:
//! in lanes of every width that the machine has, and without.
//! `LIEFLOW_WRITE_GOLDEN=1 cargo test -p lieflow-ensemble --test all golden` writes the table anew.
use crate::same_bits::{BODY_METHODS, Folder, TOP, bytes, go, others, rigid};
use lieflow_ensemble::run::Settings;
use lieflow_ensemble::wide::VectorInstructions;
use lieflow_testing::golden::{compare, fingerprint_of_bytes};

/// A fingerprint of all tables, which say nothing about the machine or the build.
fn tables(text: &str, lanes: usize) -> String {
    let folder = Folder::new("golden");
    let settings = Settings { lanes: Some(lanes), threads: 2, shard: None };
    go(text, settings, Some(&folder.sub("out")));
    let files = bytes(&folder.sub("out")).into_iter();
    let tables = files.filter(|(name, _)| name.ends_with(".csv"));
    format!(
        "{:016x}",
        fingerprint_of_bytes(tables.flat_map(|(name, file)| [name.into(), file].concat()))
    )
}

#[test]
fn ensembles() {
    let general = ["rkmk4", "rkmk4-casas-owren", "rkmk-dp54", "rkmk-dop853", "cf4", "cg3"];
    let mut texts = Vec::new();
    for method in BODY_METHODS.iter().chain(&["swc1", "gl4-sym"]).chain(&general) {
        let text = rigid("[5.0, 5.5, 1.0]", TOP, method);
        let full = rigid("[[5.0, 0.1, 0.2], [0.1, 5.5, 0.3], [0.2, 0.3, 1.0]]", TOP, method);
        // Moments that vary would not be a matrix.
        let full = full.rsplit_once("[[ensemble.vary]]").unwrap().0.to_string();
        let wall = rigid("[5.0, 5.5, 1.0]", r#"{ kind = "soft-wall" }"#, method);
        texts.extend(
            [("top", text), ("skew-top", full), ("wall", wall)]
                .map(|(name, text)| (format!("{name}:{method}"), text)),
        );
    }
    for method in general {
        let others = others(method).into_iter().enumerate();
        texts.extend(others.map(|(k, text)| (format!("system-{k}:{method}"), text)));
    }
    let mut lines = Vec::new();
    for (name, text) in texts {
        let alone = tables(&text, 1);
        for vectors in VectorInstructions::detect() {
            let lanes = vectors.lanes();
            assert_eq!(tables(&text, lanes), alone, "{name} in {lanes} lanes");
        }
        lines.push((name, alone));
    }
    compare("ensembles", &lines);
}
