//! The two options for a whole list of methods.
use super::conserve::{Conservable, Conserving};
use super::generator::{ChoosableGenerator, ChosenGenerator, Part};
use crate::chart::Chart;
use crate::method::{Entry, Method, OnField, OptionError, Options};
use crate::problem::{AnyFieldOf, Problem};

/// A list of methods for a system, with the choice of the generator. `chosen` is the same list for
/// any field on the same space; methods that are missing there, because they choose for themselves or
/// take derivatives, refuse the choice.
pub fn with_isotropy_choice<P, const D: usize>(
    plain: Vec<Entry<P>>,
    chosen: Vec<Entry<AnyFieldOf<P, D>>>,
) -> Vec<Entry<P>>
where
    P: ChoosableGenerator<D, Lifted: 'static> + 'static,
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
                if options.chart == Chart::Stereographic {
                    return Err(OptionError::IsotropyOfChart { option: "isotropy" });
                }
                let system = ChosenGenerator::of(p.clone(), options.isotropy);
                let inner = Options { isotropy: Part::Given, ..*options };
                let method = OnField::choosing(system, |field| (twin.make)(field, &inner))?;
                Ok(Box::new(method) as Box<dyn Method<P>>)
            }),
        }
    });
    represented.collect()
}

/// A list of methods that choose for themselves, and have no such option.
pub fn without_isotropy_choice<P: Problem + 'static>(entries: Vec<Entry<P>>) -> Vec<Entry<P>> {
    let refusing = entries.into_iter().map(|Entry { card, make }| {
        let id = card.id;
        let make = move |p: &P, options: &Options| match options.isotropy {
            Part::Given => make(p, options),
            _ => Err(OptionError::NoIsotropy { method: id }),
        };
        Entry { card, make: Box::new(make) }
    });
    refusing.collect()
}

/// A list of methods for a system, with both options.
pub fn with_isotropy_options<P, const D: usize>(
    plain: Vec<Entry<P>>,
    chosen: Vec<Entry<AnyFieldOf<P, D>>>,
) -> Vec<Entry<P>>
where
    P: ChoosableGenerator<D, Scalar = f64, Lifted: 'static> + Conservable + 'static,
{
    with_conservation(with_isotropy_choice(plain, chosen))
}

/// A list of methods for a system, with the conservation of integrals.
pub fn with_conservation<P: Conservable + 'static>(plain: Vec<Entry<P>>) -> Vec<Entry<P>> {
    let with = plain.into_iter().map(|Entry { card, make }| Entry {
        card,
        make: Box::new(move |p: &P, options: &Options| {
            if options.conserve.is_some() && options.chart == Chart::Stereographic {
                return Err(OptionError::IsotropyOfChart { option: "conserve" });
            }
            let method = make(p, &Options { conserve: None, ..*options })?;
            Ok(match options.conserve {
                Some(wanted) => Box::new(Conserving::new(p, method, wanted)?),
                None => method,
            })
        }),
    });
    with.collect()
}
