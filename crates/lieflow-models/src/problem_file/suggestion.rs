//! The known name that is nearest to what was typed.

/// The name with the fewest edits from `typed`, if so few that it was probably meant; else the first one
/// of which `typed` is a word, as `chain` is of `pendulum-chain`.
pub fn suggestion<'a>(typed: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let typed = typed.to_lowercase();
    let names: Vec<&str> = names.into_iter().collect();
    let (best, name) = names
        .iter()
        .map(|name| (distance(&typed, &name.to_lowercase()), *name))
        .min_by_key(|(edits, _)| *edits)?;
    // A third of the letters, but at least one.
    if best <= (name.chars().count() / 3).max(1) {
        return Some(name);
    }
    let word = |name: &&str| {
        let name = format!("-{}-", name.to_lowercase().replace('_', "-"));
        name.contains(&format!("-{}-", typed.replace('_', "-")))
    };
    let begins = |name: &&str| name.to_lowercase().starts_with(&typed);
    let whole = names.iter().copied().find(word);
    whole.or_else(|| names.iter().copied().find(begins)).filter(|_| typed.chars().count() > 2)
}

/// The number of letters to insert, remove, replace or swap with their neighbour.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().take(64).collect(), b.chars().collect());
    let width = b.len() + 1;
    let mut cost = vec![0; (a.len() + 1) * width];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            let at = i * width + j;
            cost[at] = if i == 0 || j == 0 {
                i + j
            } else {
                let replace = cost[at - width - 1] + usize::from(a[i - 1] != b[j - 1]);
                let swap = if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                    cost[at - 2 * width - 2] + 1
                } else {
                    usize::MAX
                };
                replace.min(swap).min(cost[at - 1] + 1).min(cost[at - width] + 1)
            };
        }
    }
    cost[a.len() * width + b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_edits() {
        assert_eq!(distance("rkmk5", "rkmk4"), 1);
        assert_eq!(distance("inertai", "inertia"), 1);
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("kitten", "sitting"), 3);
    }

    #[test]
    fn suggests_only_what_is_near() {
        let names = ["inertia", "potential", "omega"];
        assert_eq!(suggestion("Inertai", names), Some("inertia"));
        assert_eq!(suggestion("omga", names), Some("omega"));
        assert_eq!(suggestion("velocity", names), None);
        let systems = ["rigid-body", "pendulum-chain", "dipoles"];
        assert_eq!(suggestion("chain", systems), Some("pendulum-chain"));
        assert_eq!(suggestion("pendulum", systems), Some("pendulum-chain"));
        assert_eq!(suggestion("di", systems), None);
    }
}
