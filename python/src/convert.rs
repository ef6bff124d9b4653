//! Problems from Python objects, and Python objects from problems.
use crate::error::{ProblemError, spec};
use crate::function;
use lieflow_models::problem_file::{Document, Kind, Node, Place, Setting, SpecError, Table};
use lieflow_models::problems::PROBLEMS;
use lieflow_models::run::{Model, Plan};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString};

/// Keys with points and their values, laid over a problem in their order.
pub type Settings<'py> = Vec<(String, Bound<'py, PyAny>)>;

/// A problem as Python hands it over: a dict or the text of a problem file, its name in messages, and
/// what is laid over it.
pub type Given<'py> = (Bound<'py, PyAny>, String, Settings<'py>);

/// Deeper than this no problem goes; a list that contains itself does.
const DEEPEST: usize = 32;

/// A Python value as a part of a problem.
fn node(value: &Bound<'_, PyAny>, place: Place, depth: usize) -> PyResult<Node> {
    let refused = |found: String| {
        let expected = "a number, a text, true or false, a list or a dict";
        ProblemError::new_err(format!("{place}: found {found}, expected {expected}"))
    };
    if depth > DEEPEST {
        return Err(refused(format!("lists or dicts more than {DEEPEST} deep")));
    }
    let kind = if let Ok(b) = value.cast::<PyBool>() {
        Kind::Boolean(b.is_true())
    } else if let Ok(text) = value.cast::<PyString>() {
        Kind::Text(text.to_str()?.into())
    } else if value.is_instance_of::<PyFloat>() {
        Kind::Number(value.extract()?)
    } else if value.is_instance_of::<PyInt>() {
        match value.extract::<i64>() {
            Ok(n) => Kind::Integer(n),
            Err(_) => Kind::Number(value.extract()?),
        }
    } else if let Ok(dict) = value.cast::<PyDict>() {
        let mut entries = Vec::with_capacity(dict.len());
        for (key, item) in dict.iter() {
            let Ok(key) = key.extract::<String>() else {
                return Err(refused(format!("the key {}", key.repr()?)));
            };
            let inner = place.child(&key);
            entries.push((key, inner.clone(), node(&item, inner, depth + 1)?));
        }
        Kind::Table(Table { entries })
    } else if value.hasattr("tolist")? {
        // Arrays and scalars of NumPy.
        return node(&value.call_method0("tolist")?, place, depth + 1);
    } else if let Some(function) = function::function(value)? {
        Kind::Function(function)
    } else if let Ok(items) = value.try_iter() {
        let mut list = Vec::new();
        for (i, item) in items.enumerate() {
            let item = item?;
            // Numbers share the key of their list.
            let place = match item.is_instance_of::<PyFloat>() || item.is_instance_of::<PyInt>() {
                true => Place { item: i as u32 + 1, ..place.clone() },
                false => Place { key: format!("{}[{}]", place.key, i + 1).into(), ..place.clone() },
            };
            list.push(node(&item, place, depth + 1)?);
        }
        Kind::List(list)
    } else {
        return Err(refused(value.get_type().name()?.to_string()));
    };
    Ok(Node { place, kind })
}

/// A part of a problem as a Python value.
fn object<'py>(py: Python<'py>, node: &Node) -> PyResult<Bound<'py, PyAny>> {
    Ok(match &node.kind {
        Kind::Number(x) => PyFloat::new(py, *x).into_any(),
        Kind::Integer(n) => n.into_pyobject(py)?.into_any(),
        Kind::Boolean(b) => PyBool::new(py, *b).to_owned().into_any(),
        Kind::Text(text) => PyString::new(py, text).into_any(),
        Kind::Function(f) => function::object(py, f),
        Kind::List(items) => {
            let list = items.iter().map(|item| object(py, item)).collect::<PyResult<Vec<_>>>()?;
            PyList::new(py, list)?.into_any()
        }
        Kind::Table(table) => {
            let dict = PyDict::new(py);
            for (key, _, value) in &table.entries {
                dict.set_item(key, object(py, value)?)?;
            }
            dict.into_any()
        }
    })
}

/// The document of a problem.
pub fn document((problem, origin, settings): &Given<'_>) -> PyResult<Document> {
    let mut laid = Vec::with_capacity(settings.len());
    for (key, value) in settings {
        // What a key of `[solve]` is called as a parameter.
        let option = key.rsplit('.').next().unwrap_or(key);
        let value = node(value, Place::whole(option), 0)?;
        laid.push(Setting::node(option, key, value).map_err(spec)?);
    }
    match problem.cast::<PyString>() {
        Ok(text) => Document::parse(text.to_str()?, origin, &laid),
        Err(_) => Document::from_node(node(problem, Place::object(origin), 0)?, &laid),
    }
    .map_err(spec)
}

/// The document of a problem, its model and its plan.
pub fn built(given: &Given<'_>) -> PyResult<(Document, Box<dyn Model>, Plan)> {
    let document = document(given)?;
    let model = document.build().map_err(spec)?;
    let plan = document.plan().map_err(spec)?;
    Ok((document, model, plan))
}

/// The problem as a dict, with all settings.
#[pyfunction]
pub fn problem_dict<'py>(py: Python<'py>, given: Given<'py>) -> PyResult<Bound<'py, PyAny>> {
    object(py, document(&given)?.root())
}

/// The problem as a problem file, with all settings.
#[pyfunction]
pub fn problem_toml(given: Given<'_>) -> PyResult<String> {
    Ok(document(&given)?.to_toml())
}

/// The names and the texts of the built-in problems.
#[pyfunction]
pub fn builtin_problems() -> Vec<(&'static str, &'static str)> {
    PROBLEMS.iter().map(|problem| (problem.id, problem.text)).collect()
}

/// What is said of a name that is no problem.
#[pyfunction]
pub fn unknown_problem(name: &str) -> String {
    let known = PROBLEMS.iter().map(|problem| problem.id);
    SpecError::unknown_name(Place::whole("problem"), "problem or file", name, known).to_string()
}
