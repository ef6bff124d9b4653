//! Keeping score of laws.
use crate::chart::Chart;
use core::fmt;

/// What was found about one law.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// The law.
    pub law: &'static str,
    /// How often it was tried.
    pub tried: usize,
    /// The largest error, relative where numbers are large.
    pub worst: f64,
    /// The largest error that is allowed.
    pub bound: f64,
    /// Where a law that fails does so worst.
    pub witness: Option<String>,
}

impl Finding {
    /// Whether the law holds.
    pub fn holds(&self) -> bool {
        self.tried > 0 && self.worst <= self.bound
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.tried == 0 {
            return write!(f, "{}: no sample could be tried", self.law);
        }
        write!(f, "{}: error {:.1e} of {:.1e} allowed", self.law, self.worst, self.bound)?;
        if let Some(witness) = &self.witness {
            write!(f, ", at {witness}")?;
        }
        Ok(())
    }
}

/// All laws hold; how well.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// One finding for each law.
    pub findings: Vec<Finding>,
}

impl Report {
    /// The largest error as a part of what is allowed.
    pub fn worst(&self) -> f64 {
        self.findings.iter().map(|x| x.worst / x.bound).fold(0.0, f64::max)
    }
    /// What was found about a law.
    pub fn of(&self, law: &str) -> Option<&Finding> {
        self.findings.iter().find(|x| x.law == law)
    }
}

/// Laws that do not hold.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{subject} breaks {} of {tried} laws:{}", failures.len(), listed(failures))]
pub struct LawError {
    /// The type that was checked.
    pub subject: &'static str,
    /// The laws that fail.
    pub failures: Vec<Finding>,
    /// How many laws were tried.
    pub tried: usize,
}

fn listed(failures: &[Finding]) -> String {
    failures.iter().map(|x| format!("\n  {x}")).collect()
}

/// The findings so far.
pub(crate) struct Record {
    subject: &'static str,
    findings: Vec<Finding>,
}

impl Record {
    pub(crate) fn new(subject: &'static str) -> Self {
        Self { subject, findings: Vec::new() }
    }
    /// Announces a law, which must then be tried at least once.
    pub(crate) fn expect(&mut self, law: &'static str, bound: f64) -> usize {
        if let Some(i) = self.findings.iter().position(|x| x.law == law) {
            return i;
        }
        self.findings.push(Finding { law, tried: 0, worst: 0.0, bound, witness: None });
        self.findings.len() - 1
    }
    /// One trial of a law.
    pub(crate) fn note(
        &mut self,
        law: &'static str,
        bound: f64,
        error: f64,
        witness: impl FnOnce() -> String,
    ) {
        let i = self.expect(law, bound);
        let finding = &mut self.findings[i];
        finding.tried += 1;
        // A NaN is worse than anything and stays.
        if finding.worst.is_nan() || error <= finding.worst {
            return;
        }
        finding.worst = error;
        if error.is_nan() || error > bound {
            finding.witness = Some(witness());
        }
    }
    /// The report, or the laws that fail.
    pub(crate) fn judge(self) -> Result<Report, LawError> {
        let tried = self.findings.len();
        let failures: Vec<Finding> = self.findings.iter().filter(|x| !x.holds()).cloned().collect();
        if failures.is_empty() {
            return Ok(Report { findings: self.findings });
        }
        Err(LawError { subject: self.subject, failures, tried })
    }
}

/// The charts of a group, with the names of the laws about each.
pub(crate) fn charts_of(cayley: bool) -> Vec<Chart> {
    let mut list = vec![Chart::Exp, Chart::ExpSeries { brackets: usize::MAX }, Chart::SecondKind];
    if cayley {
        list.push(Chart::Cayley);
    }
    list
}
