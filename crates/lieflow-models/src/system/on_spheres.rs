//! Systems on products of spheres from problem files: coordinates, methods, initial data.
use super::error::SystemError;
use super::links::{links, projected_links};
use crate::problem_file::{Reader, SpecError};
use crate::run::{Model, ModelSystem};
use lieflow::action::Link;
use lieflow::method::isotropy::{with_conservation, without_isotropy_choice};
use lieflow::method::{Card, Entry, classical, generator, on_field, spheres};
use lieflow::problem::spheres::{
    Coordinates, FlatCoordinates, LiftCoordinates, MomentumCoordinates, OnSpheres, Se3Coordinates,
    SphereProblem, SphereSystem, momenta,
};

/// A system on spheres that has a name in problem files.
pub trait Named: SphereSystem<Scalar = f64> + Send + Sync + 'static {
    /// The name.
    const ID: &'static str;
    /// Where a formula of it breaks down at directions, if one does.
    fn breakdown(&self, y: &[Link<f64>]) -> Option<String> {
        let _ = y;
        None
    }
    /// Where its links end, if they hang on each other.
    fn positions(&self, y: &[Link<f64>]) -> Option<Vec<[f64; 3]>> {
        let _ = y;
        None
    }
}

impl<M: Named, C: Coordinates> ModelSystem for OnSpheres<M, C> {
    const SYSTEM: &'static str = M::ID;
    const ISOTROPY: bool = C::ISOTROPY;
    // The size is known at run time only and may be large.
    fn entries() -> Vec<Entry<Self>> {
        if !C::ISOTROPY {
            let mut list = generator::entries_on_large_space();
            list.extend(spheres::entries());
            list.extend(on_field::<_, 1>(classical::entries()));
            return list;
        }
        let mut list = generator::entries_on_large_homogeneous_space();
        list.extend(without_isotropy_choice(spheres::entries()));
        with_conservation(list)
    }
    fn needs_parameter(id: &str) -> Option<(&'static str, &'static str)> {
        let elsewhere = C::ISOTROPY && classical::is_member(id);
        elsewhere.then_some(("parameters.space", FlatCoordinates::NAME))
    }
    fn set_part(&self, y: &mut Vec<Link<f64>>, part: &str, numbers: &[f64]) -> bool {
        let mut links = self.links(y);
        if numbers.len() != 3 * links.len() {
            return false;
        }
        let (mut q, mut omega): (Vec<_>, Vec<_>) =
            links.iter().map(|link| (link.q, link.omega)).unzip();
        let list = match part {
            "q" => &mut q,
            "omega" => &mut omega,
            _ => return false,
        };
        for (place, numbers) in list.iter_mut().zip(numbers.chunks_exact(3)) {
            *place = [numbers[0], numbers[1], numbers[2]].into();
        }
        // What is nearest on the manifold.
        match projected_links(&q, &omega) {
            Ok(there) => links = there,
            Err(_) => return false,
        }
        *y = links.clone();
        if C::MOMENTA {
            momenta(SphereProblem::system(self), &links, y);
        }
        true
    }
    fn breakdown(&self, _: f64, y: &Vec<Link<f64>>) -> Option<String> {
        Named::breakdown(SphereProblem::system(self), y)
    }
    fn positions(&self, y: &Vec<Link<f64>>) -> Option<Vec<[f64; 3]>> {
        Named::positions(SphereProblem::system(self), y)
    }
}

/// The cards of the methods in all coordinates.
pub(super) fn cards<M: Named>() -> Vec<Card> {
    // The flat ones have all methods of the others.
    super::cards::<OnSpheres<M, FlatCoordinates>>()
}

/// The system in the coordinates that `space` names.
pub(super) fn posed<M: Named>(
    system: M,
    start: &[Link<f64>],
    parameters: &Reader<'_>,
) -> Result<Box<dyn Model>, SpecError> {
    let names = [
        Se3Coordinates::NAME,
        LiftCoordinates::NAME,
        MomentumCoordinates::NAME,
        FlatCoordinates::NAME,
    ];
    Ok(match parameters.choice_or("space", &names, Se3Coordinates::NAME)? {
        LiftCoordinates::NAME => Box::new(OnSpheres::<M, LiftCoordinates>::new(system, start)),
        MomentumCoordinates::NAME => {
            Box::new(OnSpheres::<M, MomentumCoordinates>::new(system, start))
        }
        FlatCoordinates::NAME => Box::new(OnSpheres::<M, FlatCoordinates>::new(system, start)),
        _ => Box::new(OnSpheres::<M, Se3Coordinates>::new(system, start)),
    })
}

/// What was refused, at the key to which it belongs.
pub(super) fn at(reader: &Reader<'_>, key: &str, source: SystemError) -> SpecError {
    let remedy = match source {
        SystemError::NotUnit { .. } | SystemError::NotTangent { .. } => {
            "; set initial.project = true to take the nearest state"
        }
        _ => "",
    };
    SpecError::System { place: reader.place_of(key), source, remedy }
}

/// The states `q` and `omega`, a list or one for all, then those that `overrides` replaces.
/// `project = true` brings them onto the manifold.
pub(super) fn read_links(initial: &Reader<'_>, count: usize) -> Result<Vec<Link<f64>>, SpecError> {
    let project = initial.boolean_or("project", false)?;
    let make = if project { projected_links } else { links };
    let read = |reader: &Reader<'_>, count: usize| {
        let q =
            if project { reader.vectors("q", count)? } else { reader.unit_vectors("q", count)? };
        let omega = reader.vectors("omega", count)?;
        make(&q, &omega).map_err(|error| match error {
            SystemError::NoDirection { .. } => at(reader, "q", error),
            error => at(reader, "omega", error),
        })
    };
    let mut list = read(initial, count)?;
    for change in initial.subs("overrides")? {
        let index = change.integer("index")?;
        let link = usize::try_from(index).ok().and_then(|i| list.get_mut(i.checked_sub(1)?));
        let Some(link) = link else {
            return Err(change.refuse("index", &format!("a number from 1 to {count}")));
        };
        // What is not replaced stays.
        let q = match (change.has("q"), project) {
            (false, _) => link.q,
            (true, true) => change.vector("q")?,
            (true, false) => change.unit_vector("q")?,
        };
        let omega = change.optional_vector("omega")?.unwrap_or(link.omega);
        let key = if change.has("omega") { "omega" } else { "q" };
        let made = make(&[q], &[omega]);
        *link = made.map_err(|error| {
            let key = if matches!(error, SystemError::NoDirection { .. }) { "q" } else { key };
            at(&change, key, error.numbered(index as usize))
        })?[0];
        change.finish()?;
    }
    Ok(list)
}
