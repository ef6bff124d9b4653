//! A problem written as TOML.
use lieflow_models::problem_file::Document;

#[test]
fn what_is_written_reads_back() {
    let text = "system = \"rigid-body\"\ntitle = \"a \\\"b\\\" é\\n\\u007f\"\n[parameters]\ninertia = [1, 2.5, 1e-300]\n\
                potential = { kind = \"free\", \"odd key\" = [[1.0], []] }\n[initial]\nflag = true\n";
    let first = Document::parse(text, "a", &[]).unwrap();
    let again = Document::parse(&first.to_toml(), "b", &[]).unwrap();
    assert_eq!(first.to_json(), again.to_json());
}
