//! Every table against what it claims: orders, structure, continuous extensions.
use lieflow::tableau::{self, CommutatorFree, Move, Tableau, conditions, planar};

fn all() -> [&'static Tableau; 12] {
    [
        &tableau::EULER,
        &tableau::HEUN2,
        &tableau::MIDPOINT2,
        &tableau::KUTTA3,
        &tableau::RK4,
        &tableau::BS32,
        &tableau::RKF45,
        &tableau::DP54,
        &tableau::DOP853,
        &tableau::GAUSS2,
        &tableau::GAUSS4,
        &tableau::GAUSS6,
    ]
}

pub fn products() -> [&'static CommutatorFree; 16] {
    [
        &tableau::CF2_HEUN,
        &tableau::CF2_MIDPOINT,
        &tableau::CF3_A,
        &tableau::CF3_B,
        &tableau::CF4,
        &tableau::CF32_A,
        &tableau::CF32_B,
        &tableau::CF43_EQ34,
        &tableau::CF43_FSAL,
        &tableau::CG3,
        &tableau::CG4,
        &tableau::CF2N3,
        &tableau::CF2N4,
        &tableau::CF2N4_6,
        &tableau::EES25,
        &tableau::EES27,
    ]
}

/// The compiler has seen that the order is not lower; here that it is not higher either.
#[test]
fn classical_orders_are_exact() {
    for table in all() {
        let claim = usize::from(table.order);
        assert_eq!(conditions::order(table, table.b, claim + 1), claim, "{}", table.name);
        for (weights, order) in table.embedded {
            let claim = usize::from(*order);
            assert_eq!(conditions::order(table, weights, claim + 1), claim, "{}", table.name);
        }
    }
}

#[test]
fn only_gauss_is_symplectic_and_symmetric() {
    for table in all() {
        let gauss = table.name.starts_with("gauss");
        assert_eq!(conditions::symplectic(table), gauss, "{}", table.name);
        assert_eq!(conditions::symmetric(table), gauss, "{}", table.name);
        assert_eq!(table.explicit(), !gauss, "{}", table.name);
    }
}

#[test]
fn last_stage_is_the_solution_of_two_tables() {
    let names: Vec<_> = all().iter().filter(|t| t.first_same_as_last()).map(|t| t.name).collect();
    assert_eq!(names, ["bs32", "dp54"]);
    let names: Vec<_> =
        products().iter().filter(|t| t.first_same_as_last()).map(|t| t.name).collect();
    assert_eq!(names, ["cf43-fsal"]);
}

/// The powers of section 5: one more than the order of the comparison solution, and eight for
/// DOP853, whose estimate divides the square of one of power six by one of power four.
#[test]
fn estimates_scale_as_they_should() {
    assert_eq!(tableau::BS32.estimate_power(), Some(3));
    assert_eq!(tableau::RKF45.estimate_power(), Some(5));
    assert_eq!(tableau::DP54.estimate_power(), Some(5));
    assert_eq!(tableau::DOP853.estimate_power(), Some(8));
    assert_eq!(tableau::RK4.estimate_power(), None);
    assert_eq!(tableau::CF32_A.estimate_power(), Some(3));
    assert_eq!(tableau::CF43_FSAL.estimate_power(), Some(4));
}

/// All conditions on words of ordered trees: the non-commutative ones that the compiler does not
/// see.
#[test]
fn products_of_exponentials_have_their_order() {
    for table in products() {
        let claim = usize::from(table.order);
        assert_eq!(planar::order(table, table.end, claim + 1), claim, "{}", table.name);
        if let Some((point, order)) = table.embedded {
            let claim = usize::from(order);
            assert_eq!(planar::order(table, point, claim + 1), claim, "{} pair", table.name);
        }
    }
}

/// `step(-h)` undoes `step(h)` up to these orders; a method that is nothing special is undone up to one
/// more than its own if that is even, and to its own if it is odd.
#[test]
fn nearly_symmetric_tables_are_undone() {
    assert_eq!(planar::undone(&tableau::EES25, 6), 5);
    assert_eq!(planar::undone(&tableau::EES27, 7), 7);
    for (table, order) in
        [(&tableau::CF2_HEUN, 3), (&tableau::CF3_A, 3), (&tableau::CF2N3, 3), (&tableau::CF4, 5)]
    {
        assert_eq!(planar::undone(table, 6), order, "{}", table.name);
    }
}

/// Williamson's form: each exponential moves the point before it, and its weights of earlier fields are
/// those of the exponential before times one number.
#[test]
fn two_storage_tables_store_two() {
    use lieflow::method::two_storage::MEMBERS;
    for (card, table) in &MEMBERS {
        for (i, pair) in table.moves.windows(2).enumerate() {
            let (old, new) = (pair[0].weights, pair[1].weights);
            assert_eq!((pair[1].from, old.len(), new.len()), (i + 1, i + 1, i + 2), "{}", card.id);
            for j in 0..=i {
                let off = new[j] * old[0] - new[0] * old[j];
                assert!(off.abs() < 1e-15, "{} {i} {j}", card.id);
            }
        }
    }
}

lieflow::tableaux! {
    /// RK4 with its stages joined by single exponentials, as one would write it at first.
    NAIVE: CommutatorFree = CommutatorFree {
        name: "naive",
        order: 4,
        moves: &[
            Move::exp(0, &[0.5]),
            Move::exp(0, &[0.0, 0.5]),
            Move::exp(0, &[0.0, 0.0, 1.0]),
            Move::exp(0, &[1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0]),
        ],
        at: &[0, 1, 2, 3],
        c: &[0.0, 0.5, 0.5, 1.0],
        end: 4,
        embedded: None,
        cite: "kutta1901",
    };
}

/// Where fields commute the naive table has order four, so it compiles; the ordered trees see that
/// it only has order two on a group.
#[test]
fn ordered_trees_see_what_does_not_commute() {
    assert_eq!(planar::order(&NAIVE, NAIVE.end, 6), 2);
}

/// The condition of Crouch and Grossman that has no classical counterpart:
/// `sum b_i² c_i + 2 sum_{i<j} b_i c_i b_j = 1/3`.
#[test]
fn crouch_grossman_condition_of_order_three() {
    for table in [&tableau::CG3, &tableau::CG4] {
        let s = table.c.len();
        let b: Vec<f64> = table.moves[table.moves.len() - s..]
            .iter()
            .map(|m| *m.weights.last().unwrap())
            .collect();
        let mut sum = 0.0;
        for i in 0..s {
            sum += b[i] * b[i] * table.c[i];
            for j in i + 1..s {
                sum += 2.0 * b[i] * table.c[i] * b[j];
            }
        }
        assert!((sum - 1.0 / 3.0).abs() < 1e-15, "{}: {sum}", table.name);
    }
}

/// The weights `b_i(theta)` of the continuous extension satisfy the eight conditions up to order
/// four, scaled by `theta` to the number of nodes, at every point; not those of order five.
#[test]
fn extension_of_dormand_prince_has_order_four_everywhere() {
    let table = &tableau::DP54;
    let (c, dense) = (table.c, table.dense.unwrap());
    let times_a = |x: &[f64]| -> Vec<f64> {
        table.a.iter().map(|row| row.iter().zip(x).map(|(a, x)| a * x).sum()).collect()
    };
    let power = |n: i32| c.iter().map(|c| c.powi(n)).collect::<Vec<_>>();
    let ac = times_a(c);
    let c_ac: Vec<f64> = c.iter().zip(&ac).map(|(c, x)| c * x).collect();
    let trees = [
        (power(0), 1, 1.0),
        (power(1), 2, 2.0),
        (power(2), 3, 3.0),
        (ac.clone(), 3, 6.0),
        (power(3), 4, 4.0),
        (c_ac, 4, 8.0),
        (times_a(&power(2)), 4, 12.0),
        (times_a(&ac), 4, 24.0),
    ];
    for theta in [0.1, 0.3, 0.5, 0.75, 0.9] {
        let m = theta * theta * (theta - 1.0) * (theta - 1.0);
        let defect = |phi: &[f64], nodes: i32, gamma: f64| {
            let mut sum = 0.0;
            for i in 0..7 {
                let hermite = theta * theta * (3.0 - 2.0 * theta) * table.b[i]
                    + if i == 0 { theta * (theta - 1.0) * (theta - 1.0) } else { 0.0 }
                    + if i == 6 { theta * theta * (theta - 1.0) } else { 0.0 };
                sum += (hermite + m * (dense[i].0 + dense[i].1 * theta)) * phi[i];
            }
            (sum - f64::powi(theta, nodes) / gamma).abs()
        };
        for (phi, nodes, gamma) in &trees {
            assert!(defect(phi, *nodes, *gamma) < 4e-15, "theta = {theta}, gamma = {gamma}");
        }
        assert!(defect(&power(4), 5, 5.0) > 1e-7, "theta = {theta}");
    }
}

/// A change of 1e-9 in any weight, or of one entry at the expense of another in the same row, so
/// that its sum stays right, is noticed: no number of a table is unchecked.
#[test]
fn every_entry_matters() {
    for table in all() {
        let claim = usize::from(table.order);
        for i in 0..table.stages() {
            let mut b = table.b.to_vec();
            b[i] += 1e-9;
            assert!(conditions::order(table, &b, claim) < claim, "{} b{i}", table.name);
            for j in 1..table.a[i].len() {
                let mut row = table.a[i].to_vec();
                row[j] += 1e-9;
                row[j - 1] -= 1e-9;
                let mut rows = table.a.to_vec();
                rows[i] = row.leak();
                let changed = Tableau { a: rows.leak(), dense: None, ..copy(table) };
                let lower = conditions::order(&changed, changed.b, claim) < claim;
                let split = table.first_same_as_last() && !changed.first_same_as_last();
                assert!(lower || split, "{} a{i}{j}", table.name);
            }
        }
    }
}

fn copy(t: &'static Tableau) -> Tableau {
    Tableau {
        name: t.name,
        order: t.order,
        a: t.a,
        b: t.b,
        embedded: t.embedded,
        dense: t.dense,
        c: t.c,
        cite: t.cite,
    }
}
