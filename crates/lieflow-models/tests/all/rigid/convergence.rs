//! The errors that the specification lists for every method, problem and step size.
use super::support::{errors, id, model, reference, reference_state, run};

/// Runs of more steps than this are left to `every_entry`.
const FEW: f64 = 1300.0;

/// Two digits, where the listed error is neither rounding nor of the size of the solution. The
/// listed errors of the slow top contain rounding of up to 2e-9 themselves.
fn agrees(got: f64, listed: f64, rounding: f64) -> bool {
    let comparable = listed > 1e-10 && listed < 0.3;
    !comparable || (got - listed).abs() < 0.01 * listed + rounding
}

fn check(most_steps: f64) -> usize {
    let data = reference();
    let mut compared = 0;
    for (problem, entry) in data["problems"].as_object().unwrap() {
        let Some(table) = entry.get("convergence") else { continue };
        let until = table["T"].as_f64().unwrap();
        let body = model(problem);
        let want = reference_state(&data, problem, until);
        let rounding = if problem == "slow_top" { 2e-9 } else { 3e-12 };
        for (name, points) in table["methods"].as_object().unwrap() {
            for point in points.as_array().unwrap() {
                let h = point["h"].as_f64().unwrap();
                let (Some(r), Some(p)) = (point["errR"].as_f64(), point["errPi"].as_f64()) else {
                    continue; // diverges
                };
                if until / h > most_steps || r.max(p) > 1.0 {
                    continue;
                }
                let got = run(body.as_ref(), &id(name), h, until).unwrap();
                let (er, ep) = errors(&got, &want);
                assert!(
                    agrees(er, r, rounding) && agrees(ep, p, rounding),
                    "{problem} {name} h = {h}: {er:e} {ep:e}, listed {r:e} {p:e}"
                );
                compared += 1;
            }
        }
    }
    compared
}

#[test]
fn listed_errors() {
    assert!(check(FEW) > 1500);
}

#[test]
#[ignore = "twenty seconds"]
fn every_entry() {
    assert!(check(f64::INFINITY) > 3000);
}

/// Slope of the error between the two finest comparable steps of the listed table, from our own
/// runs: what the cards claim.
#[test]
fn observed_orders_are_those_of_the_cards() {
    let data = reference();
    let body = model("ortolan");
    let want = reference_state(&data, "ortolan", 5.0);
    for card in body.methods().iter().filter(|card| card.family == "rigid body") {
        if card.id == "liemid" {
            continue;
        }
        let (a, b) = if card.order > 4 { (0.125, 0.0625) } else { (1.0 / 16.0, 1.0 / 32.0) };
        let first = run(body.as_ref(), card.id, a, 5.0).unwrap();
        let second = run(body.as_ref(), card.id, b, 5.0).unwrap();
        let (r1, p1) = errors(&first, &want);
        let (r2, p2) = errors(&second, &want);
        let order = (r1.max(p1) / r2.max(p2)).log2();
        let claimed = f64::from(card.order);
        let slack = if card.order > 2 { 0.15 } else { 0.05 };
        let at_floor = r1.max(p1) < 1e-11;
        assert!(at_floor || (order - claimed).abs() < slack, "{}: {order}", card.id);
    }
}
