//! The page of certificates: the structure of one-step maps.
use crate::Subject;
use lieflow_certify::Certificate;
use lieflow_report::page::Page;
use lieflow_report::table::{Table, Verdict};

/// The whole page.
pub fn page(subject: &Subject<'_>, certificates: &[Certificate]) -> Page {
    subject.page("Certificates".into(), vec![], vec![table(certificates)])
}

/// A row for each certificate.
pub fn table(certificates: &[Certificate]) -> Table {
    let heads = [
        "method",
        "problem",
        ">order",
        "orders of the parts",
        ">symplectic",
        "form",
        ">symmetric",
        ">momentum",
        ">manifold",
        "verdict",
    ];
    let mut table = Table::new(heads).titled(
        "Structure of the one-step maps",
        "Defects: |JᵀΩJ − Ω| of the form, or |DBDᵀ − B| of the Poisson tensor, by dual numbers; \
         |Φ₋ₕΦₕ − id|, largest relative change of momenta that symmetries conserve, largest distance \
         from the manifold.",
    );
    for c in certificates {
        let verdict = if c.symplectic() == Some(true) { Verdict::Good } else { Verdict::Plain };
        table.judged(row(c), verdict);
    }
    table
}

fn row(c: &Certificate) -> Vec<String> {
    let defect = |d: Option<f64>| d.map_or("–".into(), |d| format!("{d:.1e}"));
    let order = |o: Option<f64>| o.map_or("–".into(), |o| format!("{o:.2}"));
    let parts: Vec<String> = c.orders.iter().map(|(n, o)| format!("{n} {}", order(*o))).collect();
    vec![
        c.method.clone(),
        c.problem.clone(),
        order(c.order),
        parts.join(", "),
        defect(c.structure.symplectic),
        c.structure.form.unwrap_or("–").into(),
        defect(Some(c.structure.symmetric)),
        defect(c.momentum),
        defect(Some(c.manifold)),
        c.verdict(),
    ]
}
