//! What is wrong in a file is named, with its place.
use super::error;

const SPIN: &str = "system = 'custom'\n[state]\nm = 'S2'\n[parameters]\nh = [0.0, 0.0, 1.0]\n\
     [motion]\nm = { turn = 'h + 0.1*m × h' }\n[initial]\nm = [0.6, 0.0, 0.8]\n";
const TOP: &str = "system = 'custom'\n[state]\nR = 'SO(3)'\nP = { momentum = 'R' }\n\
     [motion]\nhamiltonian = '0.5*P·P + R33'\n[initial]\nR = { vector = [0.1, 0.0, 0.0] }\n\
     P = [0.0, 0.0, 1.0]\n";
const MASS: &str = "system = 'custom'\n[state]\nq = { space = 'S2', count = 2 }\n\
     [motion]\nmass = [[2.0, 0.5], [0.5, 1.0]]\npotential = 'q[1][3]'\n[initial]\n\
     q = [[0.6, 0.0, 0.8], [0.0, 0.0, 1.0]]\ndq = [[0.0, 1.0, 0.0], [0.0, 1.0, 0.0]]\n";
const PLANE: &str = "system = 'custom'\n[state]\nx = 'R2'\nv = { velocity = 'x' }\n\
     [motion]\nkinetic = '0.5*v·v'\n[initial]\nx = [0.0, 1.0]\nv = [1.0, 0.0]\n";

/// Replaces something in a good file, and looks for words in the message.
#[track_caller]
fn refused(good: &str, from: &str, to: &str, words: &[&str]) {
    assert!(good.contains(from), "{from}");
    let message = error(&good.replacen(from, to, 1)).to_string();
    for word in words {
        assert!(message.contains(word), "no '{word}' in: {message}");
    }
}

#[test]
fn states() {
    refused(SPIN, "'S2'", "'S3'", &["test:3", "state.m", "no space is called 'S3'", "'S2'"]);
    refused(SPIN, "'S2'", "{ space = 'S2', cuont = 3 }", &["test:3", "unknown key", "'count'"]);
    refused(SPIN, "'S2'", "{ space = 'S2', count = 0 }", &["count", "from 1 to 10000"]);
    refused(SPIN, "'S2'", "{ space = 'R3', unit = true }", &["state.m.unit", "no effect"]);
    refused(SPIN, "'S2'", "7", &["state.m", "found the integer 7", "a space such as"]);
    refused(SPIN, "m = 'S2'", "", &["test:2", "'q' is missing", "part of the state"]);
    refused(SPIN, "m = 'S2'", "m = 'S2'\nforce = 'R1'", &["'force'", "a word of [motion]"]);
    refused(SPIN, "m = 'S2'", "m = 'S2'\nsin = 'R1'", &["sin"]);
    refused(
        TOP,
        "momentum = 'R'",
        "momentum = 'Q'",
        &["test:4", "no part of the state is called 'Q'"],
    );
    refused(TOP, "P = { momentum = 'R' }", "P = { momentum = 'R', velocity = 'R' }", &["state.P"]);
    refused(TOP, "'SO(3)'", "'S2'", &["state.P.momentum", "'R' in S2", "SO(3), SE(3) or R^n"]);
    refused(TOP, "momentum = 'R'", "advected = 'R'", &["'R' in SO(3)", "so(3)* or se(3)*"]);
    refused(TOP, "momentum = 'R'", "velocity = 'R'", &["state.P", "a velocity", "momenta"]);
    refused(
        TOP,
        "P = { momentum = 'R' }",
        "P = 'R3'",
        &["state.R", "without a momentum", "momentum = \"R\""],
    );
    refused(
        TOP,
        "R = 'SO(3)'",
        "R = 'SO(3)'\nQ = { momentum = 'R' }",
        &["a second momentum of 'R'"],
    );
}

#[test]
fn laws() {
    refused(SPIN, "m = { turn", "n = { turn", &["motion.n", "unknown key", "'m'"]);
    refused(
        SPIN,
        "m = { turn = 'h + 0.1*m × h' }",
        "",
        &["test:6:1: motion", "'m' is missing", "turn"],
    );
    refused(SPIN, "{ turn = 'h + 0.1*m × h' }", "'m × h'", &["motion.m", "a formula", "{ turn"]);
    refused(SPIN, "{ turn = 'h + 0.1*m × h' }", "{ body = 'h' }", &["motion.m", "body", "turn"]);
    refused(SPIN, " }", ", sign = 2 }", &["motion.m.sign", "1 or -1"]);
    refused(TOP, "'0.5*P·P + R33'", "'0.5*P·P'\nkinetic = '1'", &["'hamiltonian' and 'kinetic'"]);
    refused(TOP, "'0.5*P·P + R33'", "'0.5*P·P'\nR = { body = 'P' }", &["'hamiltonian' and 'R'"]);
    refused(TOP, "hamiltonian = '0.5*P·P + R33'", "potential = 'R33'", &["'kinetic' is missing"]);
    refused(TOP, "hamiltonian = '0.5*P·P + R33'", "", &["'R' is missing", "body"]);
    let force = "R33'\nforce = { Q = 'e1' }";
    refused(TOP, "R33'", force, &["motion.force.Q", "no part of the state is called 'Q'"]);
    refused(TOP, "R33'", "R33'\nforce = { P = 'e1' }", &["motion.force.P", "has a momentum"]);
    refused(TOP, "R33'", "R33'\nforce = { R = 'R33' }", &["motion.force.R", "must give a vector"]);
    refused(TOP, "R33'", "R33'\nforce = { R = 'e1', frame = 'bdy' }", &["frame", "'body'"]);
    refused(PLANE, "0.5*v·v", "(v·v)^2", &["motion.kinetic", "degree two"]);
    refused(PLANE, "0.5*v·v", "0.5*v1^2", &["motion.kinetic", "pivot 0", "positive"]);
    refused(PLANE, "0.5*v·v", "-v·v", &["pivot -2"]);
    refused(
        MASS,
        "[[2.0, 0.5], [0.5, 1.0]]",
        "[[2.0, 0.5], [0.4, 1.0]]",
        &["motion.mass", "symmetric"],
    );
    refused(
        MASS,
        "[[2.0, 0.5], [0.5, 1.0]]",
        "[1.0, 2.0, 3.0]",
        &["motion.mass", "3 numbers", "2 of them"],
    );
    refused(
        MASS,
        "[[2.0, 0.5], [0.5, 1.0]]",
        "[[2.0, 3.0], [3.0, 1.0]]",
        &["motion.mass", "pivot"],
    );
    refused(
        MASS,
        "mass = [[2.0, 0.5], [0.5, 1.0]]",
        "kinetic = '1'",
        &["state.q", "S2 has `mass`"],
    );
}

#[test]
fn formulas() {
    refused(
        SPIN,
        "h + 0.1",
        "hh + 0.1",
        &["test:7:15", "motion.m.turn", "unknown name 'hh'", "'h'"],
    );
    refused(SPIN, "0.1*m × h", "0.1", &["motion.m.turn", "cannot add a vector and a number"]);
    refused(SPIN, "'h + 0.1*m × h'", "'m·h'", &["must give a vector, and this is a number"]);
    refused(TOP, "0.5*P·P + R33", "P + R33*e1", &["motion.hamiltonian", "must give a number"]);
    refused(TOP, "[motion]", "[definitions]\nE = 'E + 1'\n[motion]", &["definitions.E", "E"]);
    refused(TOP, "[motion]", "[parameters]\nR = 1.0\n[motion]", &["'R' is given twice"]);
}

#[test]
fn initial_values() {
    refused(SPIN, "[0.6, 0.0, 0.8]", "[0.6, 0.0, 0.7]", &["initial.m", "found length"]);
    refused(SPIN, "[initial]\nm", "[initial]\nn", &["'m' is missing", "is it meant by 'n'?"]);
    refused(SPIN, "[initial]", "[initial]\nw = 1.0", &["initial.w", "unknown key"]);
    refused(
        SPIN,
        "[0.6, 0.0, 0.8]",
        "{ formula = 'h + m' }",
        &["initial.m", "the state or the time"],
    );
    refused(
        SPIN,
        "[0.6, 0.0, 0.8]",
        "{ formula = 'i*h' }",
        &["initial.m.formula", "unknown name 'i'"],
    );
    refused(SPIN, "[0.6, 0.0, 0.8]", "{ formula = 'h/0' }", &["initial.m", "finite"]);
    refused(TOP, "{ vector = [0.1, 0.0, 0.0] }", "[0.1, 0.0, 0.0]", &["initial.R", "a table"]);
    refused(TOP, "P = [0.0, 0.0, 1.0]", "P = [0.0, 1.0]", &["initial.P", "three numbers"]);
    refused(
        MASS,
        "q = [[0.6, 0.0, 0.8], [0.0, 0.0, 1.0]]",
        "q = [[0.6, 0.0, 0.8]]",
        &["a list of 2"],
    );
    refused(MASS, "dq = ", "qd = ", &["'dq' is missing", "is it meant by 'qd'?"]);
    refused(PLANE, "x = [0.0, 1.0]", "x = [0.0, 1.0, 2.0]", &["initial.x", "a list of 2 numbers"]);
}

#[test]
fn parameters_without_use_are_told() {
    let text = SPIN.replace("[motion]", "k = 2.0\n[motion]");
    let document = lieflow_models::problem_file::Document::parse(&text, "test", &[]).unwrap();
    document.build().unwrap();
    let warnings: Vec<String> = document.warnings().iter().map(|w| w.to_string()).collect();
    assert_eq!(warnings, ["test:6:5: parameters.k: nothing depends on the parameter 'k'"]);
}

#[test]
fn invariants_that_are_none() {
    let text =
        |formula: &str| format!("{TOP}[[invariants]]\nname = 'mine'\nformula = '{formula}'\n");
    for formula in ["P1^2", "(R*P)[1]", "energy + P1"] {
        let message = error(&text(formula)).to_string();
        assert!(message.contains("it is no invariant of this motion"), "{message}");
    }
    for formula in ["energy", "(R*P)[3]", "P3", "energy^2 - P3"] {
        lieflow_models::problem_file::parse(&format!(
            "{}[solve]\nmethod='rkmk4'\nstep=0.1\nuntil=1.0\n",
            text(formula)
        ))
        .unwrap_or_else(|e| panic!("{formula}: {e}"));
    }
}
