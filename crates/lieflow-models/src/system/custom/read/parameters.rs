//! temporary
use crate::problem_file::{Kind as Tree, Node, Reader, SpecError, as_number, as_vector, wrong};
use lieflow_formula::Kind;
pub fn read(p: &Reader<'_>) -> Result<Vec<(String, Kind, Vec<f64>)>, SpecError> {
    let mut list = Vec::new();
    for (key, _, node) in &p.table().entries {
        let (kind, numbers) = value(node)?;
        list.push((key.clone(), kind, numbers));
    }
    p.all_read(super::super::names::lasting);
    Ok(list)
}
fn value(node: &Node) -> Result<(Kind, Vec<f64>), SpecError> {
    Ok(match &node.kind {
        Tree::Number(_) | Tree::Integer(_) => (Kind::Number, vec![as_number(node)?]),
        Tree::List(items) if items.len() == 3 && items.iter().all(|i| matches!(i.kind, Tree::Number(_) | Tree::Integer(_))) => (Kind::Vector, as_vector(node)?.to_array().to_vec()),
        Tree::List(items) => {
            let mut all = Vec::new();
            let mut kind = Kind::Number;
            for i in items { let (k, n) = value(i)?; kind = k; all.extend(n); }
            if kind == Kind::Vector && items.len() == 3 { (Kind::Matrix, all) } else { (kind.list(items.len()), all) }
        }
        Tree::Table(t) if t.get("diagonal").is_some() => {
            let [a, b, c] = as_vector(t.get("diagonal").unwrap_or(node))?.to_array();
            (Kind::Matrix, vec![a, 0.0, 0.0, 0.0, b, 0.0, 0.0, 0.0, c])
        }
        _ => return Err(wrong(node, "a value")),
    })
}
