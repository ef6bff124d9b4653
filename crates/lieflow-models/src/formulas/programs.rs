//! The programs of a file, each made once.
use lieflow_formula::Program;
use std::any::Any;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, PoisonError, RwLock};

/// Programs by what they were made of. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct Programs(Arc<RwLock<Kept>>);

#[derive(Debug, Default)]
struct Kept {
    programs: HashMap<String, Program>,
    /// Tests that were passed.
    passed: HashSet<String>,
    /// What else is made once.
    things: HashMap<String, Arc<dyn Any + Send + Sync>>,
}

impl Programs {
    /// The program of a key, made if it is not there.
    pub fn get<E>(
        &self,
        key: &str,
        make: impl FnOnce() -> Result<Program, E>,
    ) -> Result<Program, E> {
        let known = self.read(|kept| kept.programs.get(key).cloned());
        if let Some(program) = known {
            return Ok(program);
        }
        let program = make()?;
        let mut kept = self.0.write().unwrap_or_else(PoisonError::into_inner);
        Ok(kept.programs.entry(key.into()).or_insert(program).clone())
    }

    /// Something else of a key, made if it is not there.
    pub fn keep<T: Any + Send + Sync, E>(
        &self,
        key: &str,
        make: impl FnOnce() -> Result<T, E>,
    ) -> Result<Arc<T>, E> {
        let known = self.read(|kept| kept.things.get(key).cloned());
        if let Some(thing) = known.and_then(|thing| thing.downcast().ok()) {
            return Ok(thing);
        }
        let thing = Arc::new(make()?);
        let mut kept = self.0.write().unwrap_or_else(PoisonError::into_inner);
        kept.things.insert(key.into(), thing.clone());
        Ok(thing)
    }

    /// Makes a test, unless it was passed before.
    pub fn once<E>(&self, key: &str, test: impl FnOnce() -> Result<(), E>) -> Result<(), E> {
        if self.read(|kept| kept.passed.contains(key)) {
            return Ok(());
        }
        test()?;
        self.0.write().unwrap_or_else(PoisonError::into_inner).passed.insert(key.into());
        Ok(())
    }

    fn read<T>(&self, look: impl FnOnce(&Kept) -> T) -> T {
        look(&self.0.read().unwrap_or_else(PoisonError::into_inner))
    }
}
