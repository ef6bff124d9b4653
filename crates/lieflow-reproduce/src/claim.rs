//! Whether claims hold.
use crate::experiment::{Claim, Expect};
use crate::measure::Measured;

/// What became of a claim.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// The sentence.
    pub text: String,
    /// What was measured.
    pub measured: f64,
    /// What it should be, in words.
    pub expected: String,
    /// Whether it holds.
    pub holds: bool,
    /// What the paper says, where measurement contradicts it.
    pub paper_says: Option<String>,
    /// Whether it is about time, which never fails.
    pub timing: bool,
}

impl Verdict {
    /// A sign for whether it holds; times that do not are only noted.
    pub fn mark(&self) -> &'static str {
        match (self.holds, self.timing) {
            (true, _) => "✓",
            (false, true) => "○",
            (false, false) => "✗",
        }
    }
}

/// Holds a claim against the measurements.
pub(crate) fn judge(claim: &Claim, measured: &Measured) -> Result<Verdict, String> {
    let value = measured.evaluate(&claim.measure).map_err(|e| e.to_string())?;
    let (expected, holds) = match &claim.expect {
        Expect::Near { value: target, distance } => (
            format!("{} ± {}", short(*target), short(*distance)),
            (value - target).abs() <= *distance,
        ),
        Expect::Between { min, max } => {
            let bound = |formula: &Option<String>| {
                formula
                    .as_ref()
                    .map(|f| measured.evaluate(f).map_err(|e| e.to_string()))
                    .transpose()
            };
            match (bound(min)?, bound(max)?) {
                (Some(a), Some(b)) => {
                    (format!("{} to {}", short(a), short(b)), a <= value && value <= b)
                }
                (Some(a), None) => (format!("at least {}", short(a)), a <= value),
                (None, Some(b)) => (format!("at most {}", short(b)), value <= b),
                (None, None) => ("anything".into(), true),
            }
        }
    };
    Ok(Verdict {
        text: claim.text.clone(),
        measured: value,
        expected,
        holds,
        paper_says: claim.paper_says.clone(),
        timing: claim.timing,
    })
}

/// A number for people: four significant digits.
pub fn short(x: f64) -> String {
    let size = x.abs();
    if x == 0.0 || (1e-3..1e5).contains(&size) {
        let text =
            format!("{:.*}", (3 - size.max(1e-3).log10().floor() as i32).clamp(0, 6) as usize, x);
        if text.contains('.') {
            return text.trim_end_matches('0').trim_end_matches('.').to_string();
        }
        return text;
    }
    format!("{x:.3e}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        for (x, text) in
            [(0.0, "0"), (2.0, "2"), (0.12345, "0.1235"), (1234.5, "1234"), (-3e-7, "-3.000e-7")]
        {
            assert_eq!(short(x), text);
        }
    }

    #[test]
    fn a_claim_that_does_not_hold_is_seen() {
        let mut measured = Measured::default();
        measured.put("a", 2.5);
        let claim = |expect| Claim {
            text: String::new(),
            measure: "[a]".into(),
            expect,
            paper_says: None,
            quick: true,
            timing: false,
        };
        let holds = |e| judge(&claim(e), &measured).map(|v| v.holds);
        assert_eq!(holds(Expect::Near { value: 2.4, distance: 0.2 }), Ok(true));
        assert_eq!(holds(Expect::Near { value: 2.0, distance: 0.2 }), Ok(false));
        assert_eq!(
            holds(Expect::Between { min: Some("1".into()), max: Some("[a] * 2".into()) }),
            Ok(true)
        );
        assert_eq!(holds(Expect::Between { min: Some("3".into()), max: None }), Ok(false));
        measured.put("a", f64::NAN);
        assert_eq!(
            judge(&claim(Expect::Near { value: 2.4, distance: 0.2 }), &measured).map(|v| v.holds),
            Ok(false)
        );
    }
}
