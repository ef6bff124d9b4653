//! The workbench: names, formulas read from text, and what is derived of them.
//!
//! A sheet holds one graph. Formulas put their values on it, derivations add to it, and
//! [`Sheet::program`] turns any of the values into something that runs.
use crate::elaborate::Reading;
use crate::error::{Error, Fault, Place, Source};
use crate::graph::{Graph, Id, Map, Op, Origin};
use crate::names::{Names, Role, check_word};
use crate::syntax::{Node, parse};
use crate::value::Value;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// Names, a graph, and the values on it.
#[derive(Clone, Debug)]
pub struct Sheet {
    pub(crate) names: Names,
    pub(crate) graph: Graph,
    /// What names stand for, but definitions.
    pub(crate) values: BTreeMap<String, Value>,
    /// Definitions that have been worked out, by name and indices.
    pub(crate) known: HashMap<(String, Vec<i64>), Value>,
    /// Definitions that are being worked out.
    pub(crate) open: Vec<String>,
    /// All texts that nodes come from.
    pub(crate) sources: Vec<Source>,
    trees: HashMap<String, Arc<Node>>,
    /// Derivatives of a number by all inputs, by the number.
    slopes: Map<Id, Arc<Map<Id, Id>>>,
    pub(crate) depth: usize,
    pub(crate) inputs: Vec<String>,
    pub(crate) parameters: Vec<String>,
}

impl Sheet {
    /// A sheet with these names. Every definition is parsed, so that a slip in one that is not used
    /// is found too.
    pub fn new(names: Names) -> Result<Self, Error> {
        let mut sheet = Self {
            names: Names::new(),
            graph: Graph::default(),
            values: BTreeMap::new(),
            known: HashMap::new(),
            open: Vec::new(),
            sources: vec![Source::new("", "")],
            trees: HashMap::new(),
            slopes: Map::default(),
            depth: 0,
            inputs: Vec::new(),
            parameters: Vec::new(),
        };
        sheet.graph.number(0.0);
        for (name, role) in names.iter() {
            let value = match role {
                Role::State(kind) => sheet.variables(name, kind, Op::Input),
                Role::Time => sheet.variables(name, &crate::kind::Kind::Number, Op::Input),
                Role::Parameter(kind) => sheet.variables(name, kind, Op::Param),
                Role::Whole(k) => Value::Number(sheet.graph.number(*k as f64)),
                Role::Definition(_, source) => {
                    sheet.tree(source)?;
                    continue;
                }
            };
            sheet.values.insert(name.into(), value);
        }
        sheet.names = names;
        Ok(sheet)
    }

    fn variables(&mut self, name: &str, kind: &crate::kind::Kind, op: fn(u32) -> Op) -> Value {
        let list = match op(0) {
            Op::Input(_) => &mut self.inputs,
            _ => &mut self.parameters,
        };
        let first = list.len() as u32;
        list.extend(component_names(name, kind));
        let mut next = first;
        let graph = &mut self.graph;
        Value::build(kind, &mut || {
            next += 1;
            graph.put(op(next - 1))
        })
    }

    /// The value of a formula; `label` is what messages call the text.
    pub fn formula(&mut self, label: &str, text: &str) -> Result<Value, Error> {
        self.formula_at(label, text, &[])
    }

    /// The value of a formula in which some indices have values: one of a list of equal bodies.
    pub fn formula_at(
        &mut self,
        label: &str,
        text: &str,
        indices: &[(&str, i64)],
    ) -> Result<Value, Error> {
        let source = Source::new(label, text);
        let tree = self.tree(&source)?;
        let indices = indices.iter().map(|(name, k)| (name.to_string(), *k)).collect();
        let mut reading = Reading { text: self.text(&source), source, indices };
        (self.depth, self.open) = (0, Vec::new());
        self.value(&mut reading, &tree)
    }

    /// The value of a formula that must be of this kind.
    pub fn formula_of(
        &mut self,
        label: &str,
        text: &str,
        kind: &crate::Kind,
    ) -> Result<Value, Error> {
        let value = self.formula(label, text)?;
        self.expect(label, text, value, kind)
    }

    /// Refuses a value of another kind.
    pub fn expect(
        &mut self,
        label: &str,
        text: &str,
        value: Value,
        kind: &crate::Kind,
    ) -> Result<Value, Error> {
        if value == Value::Zero {
            let zero = self.graph.number(0.0);
            return Ok(Value::build(kind, &mut || zero));
        }
        let found = value.kind();
        if found == *kind {
            return Ok(value);
        }
        let start = text.len() - text.trim_start().len();
        let message = format!("the formula must give {kind}, and this is {found}");
        let source = Source::new(label, text);
        let error = source.error(Fault::Kind, start..text.trim_end().len().max(start), message);
        Err(error.found(found.to_string()).expected(kind.to_string()))
    }

    /// Works out every definition without indices: for messages about those that nobody uses.
    pub fn check_definitions(&mut self) -> Result<(), Error> {
        let plain = |(name, role): (&str, &Role)| match role {
            Role::Definition(indices, _) if indices.is_empty() => Some(name.to_string()),
            _ => None,
        };
        for name in self.names.iter().filter_map(plain).collect::<Vec<_>>() {
            self.formula(&name, &name)?;
        }
        Ok(())
    }

    /// Gives a derived value a name that later formulas can use: `energy`, `torque`.
    pub fn name(&mut self, name: &str, value: Value) -> Result<(), Error> {
        let place = Source::new(name, name);
        check_word(&place, name)?;
        if self.values.contains_key(name) || self.names.role(name).is_some() {
            let message = format!("the name '{name}' is given twice");
            return Err(place.error(Fault::Shadow, 0..name.len(), message).found(name));
        }
        self.values.insert(name.into(), value);
        Ok(())
    }

    /// What a name stands for; definitions only after their first use.
    pub fn get(&self, name: &str) -> Option<Value> {
        let defined = || self.known.get(&(name.to_string(), Vec::new()));
        self.values.get(name).or_else(defined).cloned()
    }
    /// The names.
    pub fn names(&self) -> &Names {
        &self.names
    }
    /// The graph, for derivations that are not offered here.
    pub fn graph(&mut self) -> &mut Graph {
        &mut self.graph
    }

    /// The derivatives of a number by the variables in `by`, arranged like them.
    pub(crate) fn gradient_nodes(&mut self, of: Id, by: &Value) -> Value {
        let ids = by.ids();
        let slopes = if ids.iter().all(|id| matches!(self.graph.op(*id), Op::Input(_))) {
            self.slopes_of(of)
        } else {
            let list = self.graph.gradient(of, &ids);
            Arc::new(ids.into_iter().zip(list).collect())
        };
        let zero = self.graph.number(0.0);
        by.map(&mut |id| slopes.get(&id).copied().unwrap_or(zero))
    }

    /// One sweep serves all parts of the state, asked for one after the other.
    fn slopes_of(&mut self, of: Id) -> Arc<Map<Id, Id>> {
        if let Some(known) = self.slopes.get(&of) {
            return known.clone();
        }
        let cone = self.graph.cone(&[of]);
        let read = cone.into_iter().filter(|id| matches!(self.graph.op(*id), Op::Input(_)));
        let read: Vec<Id> = read.collect();
        let list = self.graph.gradient(of, &read);
        let slopes: Arc<Map<Id, Id>> = Arc::new(read.into_iter().zip(list).collect());
        self.slopes.insert(of, slopes.clone());
        slopes
    }

    /// The tree of a text, parsed once.
    pub(crate) fn tree(&mut self, source: &Source) -> Result<Arc<Node>, Error> {
        if let Some(tree) = self.trees.get(source.text()) {
            return Ok(tree.clone());
        }
        let tree = Arc::new(parse(source)?);
        self.trees.insert(source.text().into(), tree.clone());
        Ok(tree)
    }
    /// The number of a text.
    pub(crate) fn text(&mut self, source: &Source) -> u32 {
        self.sources.push(source.clone());
        (self.sources.len() - 1) as u32
    }
    /// The place that a node comes from.
    pub(crate) fn place(sources: &[Source], origin: Origin) -> Option<Place> {
        let source = sources.get(origin.text as usize).filter(|_| origin.text > 0)?.clone();
        Some(Place { source, span: origin.start as usize..origin.end as usize })
    }
}

/// What the numbers of a name are called: `R11`, `w2`, `x[4]`, `X.R[1,2]`.
pub(crate) fn component_names(name: &str, kind: &crate::kind::Kind) -> Vec<String> {
    use crate::kind::Kind;
    let short = !name.ends_with(|c: char| c.is_ascii_digit() || c == ']') && !name.contains('.');
    match kind {
        Kind::Number => vec![name.into()],
        Kind::Vector if short => (1..=3).map(|i| format!("{name}{i}")).collect(),
        Kind::Vector => (1..=3).map(|i| format!("{name}[{i}]")).collect(),
        Kind::Matrix => (1..=9)
            .map(|k| ((k + 2) / 3, (k + 2) % 3 + 1))
            .map(|(i, j)| if short { format!("{name}{i}{j}") } else { format!("{name}[{i},{j}]") })
            .collect(),
        Kind::List(kind, count) => {
            (1..=*count).flat_map(|k| component_names(&format!("{name}[{k}]"), kind)).collect()
        }
        Kind::Record(fields) => fields
            .iter()
            .flat_map(|(field, kind)| component_names(&format!("{name}.{field}"), kind))
            .collect(),
    }
}
