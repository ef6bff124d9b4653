//! The known name that is nearest to what was typed.

/// Longer words are no slips of the pen, and their comparison would take its time.
const LONGEST: usize = 32;

/// The name with the fewest edits from `typed`, if so few that it was probably meant: a third of its
/// letters, and at least one, but never all.
pub fn suggestion<'a>(typed: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let typed: Vec<char> = typed.to_lowercase().chars().take(LONGEST + 1).collect();
    if typed.len() > LONGEST {
        return None;
    }
    let mut best: Option<(usize, &str)> = None;
    for name in names {
        let known: Vec<char> = name.to_lowercase().chars().collect();
        if known.len() > LONGEST {
            continue;
        }
        let edits = distance(&typed, &known);
        let kept = edits < typed.len().max(known.len());
        if kept && edits <= (known.len() / 3).max(1) && best.is_none_or(|(least, _)| edits < least)
        {
            best = Some((edits, name));
        }
    }
    best.map(|(_, name)| name)
}

/// How many letters to insert, remove, replace or swap with their neighbour.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut rows = [vec![0; b.len() + 1], (0..=b.len()).collect(), vec![0; b.len() + 1]];
    for i in 1..=a.len() {
        rows[2][0] = i;
        for j in 1..=b.len() {
            let replace = rows[1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut least = replace.min(rows[1][j] + 1).min(rows[2][j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(rows[0][j - 2] + 1);
            }
            rows[2][j] = least;
        }
        rows.rotate_left(1);
    }
    rows[1][b.len()]
}

#[cfg(test)]
mod tests {
    use super::suggestion;

    #[test]
    fn slips_are_understood_and_other_words_left_alone() {
        let names = ["sqrt", "norm", "k", "inertia"];
        assert_eq!(suggestion("sqr", names), Some("sqrt"));
        assert_eq!(suggestion("nrom", names), Some("norm"));
        assert_eq!(suggestion("Inerta", names), Some("inertia"));
        assert_eq!(suggestion("kk", names), Some("k"));
        assert_eq!(suggestion("velocity", names), None);
        assert_eq!(suggestion("x", names), None);
        assert_eq!(suggestion(&"x".repeat(100_000), names), None);
    }
}
