//! A problem file with the settings of the command line laid over it.
use super::overlay::{Setting, overlay};
use super::tree::{Kind, Node, Place, Table};
use super::{KeyPath, Reader, SpecError, Warning, Warnings, cache};
use crate::formulas::{Equations, Explanation, FileFormulas, Programs, Sources, Watchlist};
use crate::run::{Model, Plan, WatchedModel};
use crate::system::rates::{self, Log};
use crate::system::{Registry, Spec, SystemEntry};
use std::cell::RefCell;
use std::sync::Arc;

/// A problem as it was written.
#[derive(Clone, Debug)]
pub struct Document {
    root: Node,
    empty: Vec<(&'static str, Node)>,
    system: &'static SystemEntry,
    title: Option<String>,
    warnings: Warnings,
    programs: Programs,
    sources: Sources,
}

/// The tables that a document may have.
const TABLES: [&str; 7] =
    ["parameters", "initial", "solve", "output", "state", "motion", "definitions"];
/// The lists of tables that a document may have: what is watched by formula.
const LISTS: [&str; 3] = ["observables", "invariants", "events"];

impl Document {
    /// Reads a document. `origin` names it in messages; settings are laid over it in their order.
    pub fn parse(text: &str, origin: &str, settings: &[Setting]) -> Result<Self, SpecError> {
        Self::parse_with(&Registry::default(), text, origin, settings)
    }

    /// The same with other systems than the built-in ones.
    pub fn parse_with(
        systems: &Registry,
        text: &str,
        origin: &str,
        settings: &[Setting],
    ) -> Result<Self, SpecError> {
        Self::read(systems, cache::parse(text, origin)?, text, settings)
    }

    /// A document that was built by another language: a table with the keys of a problem file, whose
    /// places are those of [`Place::object`].
    pub fn from_node(root: Node, settings: &[Setting]) -> Result<Self, SpecError> {
        Self::read(&Registry::default(), root, "", settings)
    }

    /// From a tree, and the text in which its formulas stand.
    fn read(
        systems: &Registry,
        mut root: Node,
        text: &str,
        settings: &[Setting],
    ) -> Result<Self, SpecError> {
        let origin = root.place.origin.clone();
        for setting in settings {
            overlay(&mut root, setting)?;
        }
        let warnings = Warnings::default();
        let reader = Reader::new(&root, &warnings)?;
        let name = reader.text("system")?;
        let system = systems.find(name).ok_or_else(|| {
            let known = systems.iter().map(|entry| entry.id);
            SpecError::unknown_name(reader.place_of("system"), "system", name, known)
        })?;
        let title = reader.optional_text("title")?.map(String::from);
        for key in ["ensemble"].into_iter().chain(TABLES).chain(LISTS) {
            reader.optional(key);
        }
        reader.finish()?;
        // A table that is not there reads as an empty one, so that what it lacks can be named.
        let place = |key| Place { key, ..Place::whole(&origin) };
        let absent = TABLES.iter().map(|key| {
            let kind = Kind::Table(Table::default());
            (*key, Node { place: place((*key).into()), kind })
        });
        let empty = absent.collect();
        let (programs, sources) = (Programs::default(), Sources::new(text));
        Ok(Self { root, empty, system, title, warnings, programs, sources })
    }

    fn table(&self, key: &str) -> Result<Reader<'_>, SpecError> {
        let there = match &self.root.kind {
            Kind::Table(root) => root.get(key),
            _ => None,
        };
        let absent = || self.empty.iter().find(|(name, _)| *name == key).map(|(_, node)| node);
        match there.or_else(absent) {
            Some(node) => Reader::new(node, &self.warnings),
            None => Err(Reader::new(&self.root, &self.warnings)?.missing(key, "a table")),
        }
    }

    /// The name of the system.
    pub fn system(&self) -> &'static str {
        self.system.id
    }

    /// What the document is called in messages.
    pub fn origin(&self) -> String {
        self.root.place.origin.to_string()
    }

    /// The title, if it has one.
    pub fn title(&self) -> Option<&str> {
        self.title.as_deref()
    }

    /// The system with its parameters and initial data.
    pub fn build(&self) -> Result<Box<dyn Model>, SpecError> {
        let (root, spec) = self.spec(false)?;
        let model = self.build_system(&spec)?;
        if !spec.formulas.any() {
            return Ok(model);
        }
        let start = model.start(0.0);
        let equations = spec.equations.take().unwrap_or_else(|| Equations::of_state(&start));
        let watchlist = Watchlist::read(&root, &spec.formulas, equations, &start)?;
        WatchedModel::boxed(model, watchlist)
    }

    /// The problem in words and symbols.
    pub fn explain(&self) -> Result<Explanation, SpecError> {
        let model = self.build()?;
        let (_, spec) = self.spec(true)?;
        let plain = self.build_system(&spec)?;
        let equations = spec.equations.take();
        let equations = equations.unwrap_or_else(|| Equations::of_state(&plain.start(0.0)));
        Explanation::new(model.as_ref(), &equations, &spec.formulas)
    }

    /// The tables of the system. `explain` asks for its equations even if nothing in the file does.
    fn spec(&self, explain: bool) -> Result<(Reader<'_>, Spec<'_>), SpecError> {
        let root = Reader::new(&self.root, &self.warnings)?;
        let watches = explain || LISTS.iter().any(|key| root.has(key));
        let definitions = self.table("definitions")?;
        let formulas = FileFormulas::read(&definitions, &self.programs, &self.sources, watches)?;
        let spec = Spec {
            parameters: self.table("parameters")?,
            initial: self.table("initial")?,
            state: self.table("state")?,
            motion: self.table("motion")?,
            formulas,
            equations: RefCell::default(),
        };
        Ok((root, spec))
    }

    fn build_system(&self, spec: &Spec<'_>) -> Result<Box<dyn Model>, SpecError> {
        let model = (self.system.build)(spec)?;
        for table in [&spec.parameters, &spec.initial, &spec.state, &spec.motion] {
            table.finish()?;
        }
        Ok(model)
    }

    /// Warns that the formulas of a model are not smooth, for a method or a study that relies on it.
    pub fn warn_of_kinks(&self, model: &dyn Model, who: &str) {
        let kinks = model.kinks();
        if let Some(first) = kinks.first() {
            let more = if kinks.len() > 1 {
                format!(" and {} more", kinks.len() - 1)
            } else {
                String::new()
            };
            let text = format!("{who}, and this motion has a kink: {first}{more}");
            self.warnings.push(&self.root.place, text);
        }
    }

    /// The table of the ensemble, if it has one.
    pub fn ensemble(&self) -> Result<Option<Reader<'_>>, SpecError> {
        Reader::new(&self.root, &self.warnings)?.optional_sub("ensemble")
    }

    /// The path of a key such as `initial.omega` or `initial.omega[3]` (counted from one), to be
    /// filled again and again by [`Document::set`]. What is missing of the path is made.
    pub fn key_path(&mut self, key: &str, named_at: &Place) -> Result<KeyPath, SpecError> {
        KeyPath::find(&mut self.root, key, named_at)
    }

    /// Whether there is such a key.
    pub fn has_key(&self, key: &str) -> bool {
        KeyPath::is_there(&self.root, key)
    }

    /// Whether all of `[initial]` stands in the file. A key of the command line may take the place of
    /// another one, which is then there without being read.
    pub fn initial_from_file(&self) -> bool {
        let Kind::Table(root) = &self.root.kind else { return false };
        match root.get("initial").map(|node| &node.kind) {
            Some(Kind::Table(initial)) => {
                initial.entries.iter().all(|(_, _, n)| n.place.in_problem())
            }
            _ => false,
        }
    }

    /// Sets the numbers of a key: one where a number is meant, else a list. Warnings about the
    /// numbers before are forgotten.
    pub fn set(&mut self, path: &KeyPath, values: &[f64], list: bool) {
        self.warnings.clear();
        path.set(&mut self.root, values, list);
    }

    /// Sets a key to a text.
    pub fn set_text(&mut self, path: &KeyPath, text: &str) {
        self.warnings.clear();
        path.set_text(&mut self.root, text);
    }

    /// The plan.
    pub fn plan(&self) -> Result<Plan, SpecError> {
        let log = self.log()?;
        let times = log.as_ref().map(|log| log.times.as_slice());
        Plan::read_over(&self.table("solve")?, &self.table("output")?, times)
    }

    /// The log of a system that has one.
    fn log(&self) -> Result<Option<Arc<Log>>, SpecError> {
        if self.system.id != rates::ENTRY.id {
            return Ok(None);
        }
        rates::log_of(&self.table("parameters")?, &self.programs).map(Some)
    }

    /// What was suspicious so far.
    pub fn warnings(&self) -> Vec<Warning> {
        self.warnings.list()
    }

    /// The whole problem, with all settings, as a problem file.
    pub fn to_toml(&self) -> String {
        super::write::to_toml(&self.root)
    }

    /// The whole problem, with all settings.
    pub fn root(&self) -> &Node {
        &self.root
    }

    /// The whole problem, with all settings, as JSON.
    pub fn to_json(&self) -> serde_json::Value {
        self.root.to_json()
    }
}
