//! The page of certificates: the structure of one-step maps.
use crate::Subject;
use lieflow_certify::Certificate;
use lieflow_report::page::{Chip, Page};
use lieflow_report::table::{Table, Verdict};

/// The whole page: verdicts first, then the numbers behind them.
pub fn page(subject: &Subject<'_>, certificates: &[Certificate]) -> Page {
    let (title, chips) = match certificates {
        [one] => (format!("Certificate of {}", one.method), single(one)),
        many => (format!("Certificates of {} methods", many.len()), counts(many)),
    };
    Page { chips, tables: vec![verdicts(certificates)], ..subject.page(title) }
}

fn answer(yes: Option<bool>) -> String {
    match yes {
        Some(true) => "✓ yes",
        Some(false) => "✗ no",
        None => "○ not measured",
    }
    .into()
}

/// What was found of one method.
fn single(c: &Certificate) -> Vec<Chip> {
    let chip = |what: &str, yes: Option<bool>| {
        let (text, verdict) = match yes {
            Some(true) => (format!("✓ {what}"), Verdict::Good),
            Some(false) => (format!("✗ not {what}"), Verdict::Bad),
            None => (format!("○ {what}: not measured"), Verdict::Plain),
        };
        Chip { text, verdict }
    };
    let order = c.order.map_or("order not seen".into(), |order| format!("order {order:.2}"));
    vec![
        chip("symplectic", c.symplectic()),
        chip("symmetric", c.symmetric()),
        chip("momentum kept", c.keeps_momentum()),
        Chip { text: order, verdict: Verdict::Plain },
    ]
}

/// How many methods have what.
fn counts(all: &[Certificate]) -> Vec<Chip> {
    let chip = |what: &str, has: &dyn Fn(&Certificate) -> bool| Chip {
        text: format!("{} {what}", all.iter().filter(|c| has(c)).count()),
        verdict: Verdict::Plain,
    };
    vec![
        chip("symplectic", &|c| c.symplectic() == Some(true)),
        chip("symmetric", &|c| c.symmetric() == Some(true)),
        chip("keep momentum", &|c| c.keeps_momentum() == Some(true)),
    ]
}

/// The table of the page: answers, then defects, then where they were measured.
fn verdicts(certificates: &[Certificate]) -> Table {
    let heads = [
        "method",
        "symplectic",
        "symmetric",
        "keeps momentum",
        ">order",
        ">form defect",
        ">symmetry defect",
        ">momentum defect",
        ">manifold defect",
        "problem",
        "form",
        "orders of the parts",
    ];
    let plain = table(certificates);
    let mut table = Table::new(heads).titled(plain.title, plain.note);
    for c in certificates {
        // As in the row for terminals: method, problem, order, parts, symplectic, form, symmetric, …
        let [method, problem, order, parts, symplectic, form, symmetric, momentum, manifold, _] =
            row(c);
        let [a, b, d] = [c.symplectic(), c.symmetric(), c.keeps_momentum()].map(answer);
        table.row([
            method, a, b, d, order, symplectic, symmetric, momentum, manifold, problem, form, parts,
        ]);
    }
    table
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

fn row(c: &Certificate) -> [String; 10] {
    let defect = |d: Option<f64>| d.map_or("–".into(), |d| format!("{d:.1e}"));
    let order = |o: Option<f64>| o.map_or("–".into(), |o| format!("{o:.2}"));
    let parts: Vec<String> = c.orders.iter().map(|(n, o)| format!("{n} {}", order(*o))).collect();
    [
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
