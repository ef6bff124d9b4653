//! The two options for a whole list of methods.
use super::conserve::{Conservable, Conserving};
use super::generator::{AnyField, Choosable, Chosen, Part, Represented};
use crate::method::{Entry, Method, OptionError, Options};
use crate::problem::Lift;

/// A list of methods for a system, with the choice of the generator and the conservation of
/// integrals. `chosen` is the same list for any field on the same space; methods that are missing there,
/// because they choose for themselves, refuse the choice.
pub fn offer<P>(plain: Vec<Entry<P>>, chosen: Vec<Entry<AnyField<P::Space>>>) -> Vec<Entry<P>>
where
    P: Choosable + Lift<Scalar = f64> + Conservable + 'static,
{
    let mut chosen: Vec<_> = chosen.into_iter().map(Some).collect();
    let represented = plain.into_iter().map(|entry| {
        let id = entry.card.id;
        let is_twin = |c: &&mut Option<Entry<_>>| c.as_ref().is_some_and(|c| c.card.id == id);
        let twin = chosen.iter_mut().find(is_twin).and_then(Option::take);
        let make = entry.make;
        Entry {
            card: entry.card,
            make: Box::new(move |p: &P, options: &Options| {
                if options.isotropy == Part::Given {
                    return make(p, options);
                }
                let Some(twin) = &twin else {
                    return Err(OptionError::NoIsotropy { method: id });
                };
                let system = Chosen::new(p.clone(), options.isotropy);
                let inner = Options { isotropy: Part::Given, ..*options };
                let method = Represented::new(system, |field| (twin.make)(field, &inner))?;
                Ok(Box::new(method) as Box<dyn Method<P>>)
            }),
        }
    });
    offer_conservation(represented.collect())
}

/// A list of methods for a system, with the conservation of integrals.
pub fn offer_conservation<P: Conservable + 'static>(plain: Vec<Entry<P>>) -> Vec<Entry<P>> {
    let with = plain.into_iter().map(|Entry { card, make }| Entry {
        card,
        make: Box::new(move |p: &P, options: &Options| {
            let method = make(p, &Options { conserve: None, ..*options })?;
            Ok(match options.conserve {
                Some(wanted) => Box::new(Conserving::new(p, method, wanted)?),
                None => method,
            })
        }),
    });
    with.collect()
}
