//! Formulas as functions of a GPU have the bits of the CPU.
use super::machine::Machine;
use lieflow::kernel::tape::{Code, Instruction};
use lieflow::problem::TorqueField;
use lieflow::{Mat3, Real, vec3};
use lieflow_device::catalogue::{self, Pair};
use lieflow_device::kernel::TILE;
use lieflow_device::ptx::{self, formula::Formulas};
use lieflow_models::problem_file::Document;
use lieflow_models::run::Model;
use lieflow_models::system::macrospin::Macrospin;
use lieflow_models::system::rigid_body::RigidBody;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Numbers that are the same in every run.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        self.0 >> 24
    }
    fn below(&mut self, count: usize) -> usize {
        self.next() as usize % count
    }
    /// Of all kinds: mostly such as attitudes have.
    fn number(&mut self) -> f64 {
        let special = [
            0.0,
            -0.0,
            f64::NAN,
            f64::INFINITY,
            f64::NEG_INFINITY,
            5e-324,
            -3e-310,
            f64::MAX,
            1.0,
            -1.0,
            0.5,
            1e7,
            -745.5,
            709.9,
        ];
        match self.below(40) {
            k if k < special.len() => special[k],
            _ => (self.next() as f64 / (1u64 << 39) as f64 - 1.0) * 2.5,
        }
    }
    fn list<const N: usize>(&mut self) -> [f64; N] {
        [(); N].map(|()| self.number())
    }
}

/// The same bits; of what is not a number nobody asks for more.
fn assert_same(found: [f64; 3], expected: [f64; 3], what: &str) {
    for (found, expected) in found.into_iter().zip(expected) {
        let same = found.to_bits() == expected.to_bits() || found.is_nan() && expected.is_nan();
        assert!(same, "found {found:?}, expected {expected:?}: {what}");
    }
}

/// The machine with a function of formulas, and the address of their constants.
struct Loaded {
    machine: Machine,
    name: &'static str,
    constants: u64,
}

impl Loaded {
    /// With constants as literals, or in memory.
    fn new(name: &'static str, program: &[u128], parameters: &[f64], literal: bool) -> Self {
        let same: Vec<_> = parameters.iter().map(|x| literal.then_some(*x)).collect();
        let formulas = Formulas::new(program.into(), &same);
        let text = ptx::entry_with(name, &formulas).unwrap_or_else(|| panic!("{name} is refused"));
        let called = text.matches("call.uni").count();
        assert_eq!(
            called,
            text.matches("call.uni (retval0),n0").count() + text.matches("call.uni n0").count()
        );
        let mut machine = Machine::new(&text);
        // In tiles, of which a thread sees one lane.
        let tile: Vec<f64> =
            parameters.iter().flat_map(|x| [&[*x][..], &[f64::NAN; TILE - 1]].concat()).collect();
        let constants = machine.put(&tile);
        Self { machine, name, constants }
    }

    fn call(&mut self, inputs: &[f64]) -> [f64; 3] {
        let mut arguments: Vec<u64> = inputs.iter().map(|x| x.to_bits()).collect();
        arguments.push(self.constants);
        let results = self.machine.call(self.name, &arguments);
        [0, 8, 16].map(|place| f64::from_bits(results[&place]))
    }
}

/// The words of a program with one tape, as `kernel::formula` describes them.
fn program(registers: usize, reads: &[usize], constants: usize, code: &[Instruction]) -> Vec<u128> {
    let results = (registers - 1) | (registers - 2) << 16 | (registers - 3) << 32;
    let mut words: Vec<u128> = vec![3, 0, 0];
    words.extend([registers, reads.len(), constants, code.len(), results, 0].map(|x| x as u128));
    words.extend(reads.iter().map(|k| *k as u128));
    words.extend(code.iter().map(|Instruction { code, to, from }| {
        let operands = from.iter().rev().fold(0, |all, k| all << 16 | u128::from(*k));
        operands << 32 | u128::from(*to) << 16 | u128::from(*code as u8)
    }));
    words
}

#[test]
fn random_tapes_have_the_bits_of_the_interpreter() {
    random_tapes(&mut Numbers(1), 12);
}

#[test]
#[ignore = "slow: ten thousand evaluations"]
fn many_random_tapes_have_the_bits_of_the_interpreter() {
    random_tapes(&mut Numbers(4), 400);
}

/// Whatever the instructions are, also in rows.
fn random_tapes(numbers: &mut Numbers, rounds: usize) {
    let (registers, reads, constants) = (32, [9, 0, 4, 3, 8, 1], 4);
    for round in 0..rounds {
        let mut code = Vec::new();
        // Every code once, in some order, and some of them more often; the results come last.
        let mut codes: Vec<Code> = Code::ALL.iter().map(|code| code.single()).collect();
        (1..codes.len()).rev().for_each(|k| codes.swap(k, numbers.below(k + 1)));
        let rest = registers - reads.len() - constants;
        for (k, code_) in codes.into_iter().enumerate() {
            let to = (reads.len() + constants + (k * 7 + round) % rest) as u16;
            let from = [(); 6].map(|()| numbers.below(registers) as u16);
            code.push(Instruction { code: code_, to, from });
        }
        // Rows of equal codes, as the writer of tapes makes them.
        let row = [Code::TwoAdd, Code::Add, Code::ThreeDot3, Code::Dot3, Code::Dot3];
        for (k, code_) in row.into_iter().enumerate() {
            let from = [(); 6].map(|()| numbers.below(registers) as u16);
            code.push(Instruction { code: code_, to: (registers - 1 - k % 3) as u16, from });
        }
        let fixed: [f64; 4] = numbers.list();
        let words = program(registers, &reads, constants, &code);
        let mut loaded = Loaded::new("lieflow_formula_potential", &words, &fixed, round % 2 == 0);
        for _ in 0..25 {
            let inputs: [f64; 10] = numbers.list();
            let mut file = [0.0; 32];
            reads.iter().enumerate().for_each(|(k, from)| file[k] = inputs[*from]);
            file[reads.len()..reads.len() + 4].copy_from_slice(&fixed);
            f64::interpret(&code, &mut file);
            let found = loaded.call(&inputs);
            assert_same(found, [file[31], file[30], file[29]], &format!("{code:?} of {inputs:?}"));
        }
    }
}

/// Potentials and torques with all that formulas have.
const POTENTIALS: &[&str] = &[
    "20*R[3,3]",
    "k*R[3,3]^2 + 3*sin(R[3,3])",
    "k*R[1,1] + exp(R[1,2])",
    "k*R[3,3] + atan2(R[1,2], 2 + R[2,2])*exp(-t) + cosh(R[1,1])/3",
    "log(3 + R[2,1])*tanh(k*R[2,2]) + sinh(R[2,3])",
    "sqrt(2 + R[1,1]) + abs(R[3,1]) + floor(3*R[2,3])",
    "max(R[1,1], R[2,2])*min(R[3,3], k) + tan(R[1,2])",
    "(2 + R[1,1])^k + (3 + R[2,2])^0.5 + asin(R[3,3]/2) + acos(R[3,2]/3)",
    "cos(40000*R[1,1]*k)*cos(1e7*R[2,2])",
    "J[1,1]*R[1,1]^3/(4 + R[2,2])",
    "t*R[3,1] - k/(R[3,2] + 2)",
];
const TORQUES: &[&str] = &[
    "[sin(R[1,1]), k*R[2,3], abs(R[3,2])]",
    "-k*w + P*R[3,3]*0.01",
    "cross(P, w)*k + [0, 0, sin(3*t)]",
    "[20*R[3,2] + 0.1*R[1,2]*R[2,3] - 0.2*R[1,1], -20*R[3,1] + 0.3*R[2,2]*R[1,1] + 0.05*R[3,3]^2, 0.1*R[1,3] - 0.2*R[2,1]*R[3,2] + 0.3*R[3,3]] + [0.01, 0, 0]",
    "[norm(w), sign(P[1]), exp(-norm(P))]",
];

fn body(
    potential: Option<&str>,
    torque: Option<&str>,
    method: &str,
) -> (Box<dyn Model>, &'static Pair) {
    let law = |name: &str, text: Option<&str>| {
        let constant = |text: &str| if text.contains('k') { ", k = 1.7" } else { "" };
        text.map_or(String::new(), |text| {
            format!("{name} = {{ formula = \"{text}\"{} }}\n", constant(text))
        })
    };
    build(&format!(
        "system = \"rigid-body\"\n[parameters]\ninertia = [4.0, 5.0, 3.0]\n{}{}\
         [initial]\nomega = [0.0, 0.0, 5.0]\n[solve]\nmethod = \"{method}\"\nstep = 0.125\nuntil = 1.0\n",
        law("potential", potential),
        law("torque", torque),
    ))
}

fn build(text: &str) -> (Box<dyn Model>, &'static Pair) {
    let document = Document::parse(text, "test", &[]).unwrap_or_else(|e| panic!("{text}: {e}"));
    let model = document.build().unwrap_or_else(|e| panic!("{text}: {e}"));
    let plan = document.plan().unwrap_or_else(|e| panic!("{text}: {e}"));
    let pair = catalogue::find(model.as_ref(), &plan).unwrap_or_else(|e| panic!("{text}: {e}"));
    (model, pair)
}

/// The program and the constants of a model, which follow so many other parameters.
fn formulas_of(model: &dyn Model, pair: &Pair, others: usize) -> (Vec<u128>, Vec<f64>) {
    let mut parameters = Vec::new();
    assert!((pair.parameters)(model.as_any(), &mut parameters));
    ((pair.program)(model.as_any()), parameters.split_off(others))
}

/// All torques of a body against those that its law has.
fn same_torques(potential: Option<&str>, torque: Option<&str>, numbers: &mut Numbers) {
    let (model, pair) = body(potential, torque, "rkmk4");
    let system: &RigidBody<f64> = model.as_any().downcast_ref().unwrap();
    let (program, constants) = formulas_of(model.as_ref(), pair, 3);
    let what = format!("{potential:?} {torque:?}");
    for literal in [true, false] {
        let load = |name| Loaded::new(name, &program, &constants, literal);
        let mut own = load("lieflow_formula_potential");
        let mut whole = load("lieflow_formula_whole");
        for _ in 0..12 {
            let [a, b, c, d, e, f, g, h, i]: [f64; 9] = numbers.list();
            let r = Mat3::from_rows(vec3(a, b, c), vec3(d, e, f), vec3(g, h, i));
            let ([u, v, w], [p, q, s], [t]) = (numbers.list(), numbers.list(), numbers.list());
            let found = own.call(&[a, b, c, d, e, f, g, h, i, t]);
            assert_same(found, system.potential.torque(t, &r).to_array(), &what);
            let found = whole.call(&[a, b, c, d, e, f, g, h, i, u, v, w, p, q, s, t]);
            let (velocity, momentum) = (vec3(u, v, w), vec3(p, q, s));
            let expected = system.potential.torque_in_motion(t, &r, velocity, momentum);
            assert_same(found, expected.to_array(), &what);
        }
    }
}

#[test]
fn formulas_of_bodies_have_the_bits_of_the_cpu() {
    let mut numbers = Numbers(2);
    for potential in POTENTIALS {
        same_torques(Some(potential), None, &mut numbers);
    }
    for torque in TORQUES {
        same_torques(None, Some(torque), &mut numbers);
        same_torques(Some(POTENTIALS[1]), Some(torque), &mut numbers);
    }
}

const SPIN: &str = r#"
    system = "macrospin"
    [parameters]
    gamma = 20.0
    alpha = 0.05
    b = [0.3, 0.0, 1.0]
    field = { formula = "[c*cos(3*t), c*sin(3*t)*m[1], tanh(m[3]) + 0.1*m[1]*m[2]]", c = 0.4 }
    [initial]
    m = [0.6, 0.0, 0.8]
    [solve]
    method = "rkmk4"
    step = 0.125
    until = 1.0
"#;

#[test]
fn fields_on_spins_have_the_bits_of_the_cpu() {
    let (model, pair) = build(SPIN);
    let spin: &Macrospin<f64> = model.as_any().downcast_ref().unwrap();
    let (program, constants) = formulas_of(model.as_ref(), pair, 8);
    let formula = spin.law.as_ref().unwrap().formula();
    let mut numbers = Numbers(3);
    for literal in [true, false] {
        let mut field = Loaded::new("lieflow_formula_field", &program, &constants, literal);
        for _ in 0..50 {
            let inputs: [f64; 4] = numbers.list();
            assert_same(field.call(&inputs), formula.call(0, &inputs), &format!("{inputs:?}"));
        }
    }
}

/// One row of the attitude is a short cut, of which entries are told.
#[test]
fn the_row_of_a_potential_is_a_number_of_the_text() {
    for (potential, row) in [("20*R[3,3]", 3), ("R[1,2]^2", 1), ("R[1,1]*R[2,2]", 0)] {
        let (model, pair) = body(Some(potential), None, "rkmk4");
        let (program, constants) = formulas_of(model.as_ref(), pair, 3);
        let mut loaded = Loaded::new("lieflow_formula_row", &program, &constants, true);
        assert_eq!(loaded.machine.call(loaded.name, &[0])[&0], row, "{potential}");
    }
}

/// Programs that are none are refused.
#[test]
fn words_that_are_no_tape_are_refused() {
    let code = [Instruction { code: Code::Add, to: 7, from: [0, 1, 0, 0, 0, 0] }];
    let good = program(8, &[0, 3], 1, &code);
    let text = |words: Vec<u128>, same: &[Option<f64>]| {
        ptx::entry_with("formula_rkmk4", &Formulas::new(words.into(), same))
    };
    assert!(text(good.clone(), &[Some(1.0)]).is_some());
    assert!(text(Vec::new(), &[]).is_none());
    for (at, word) in [(0, 1000), (1, 4), (3, 2), (6, 2), (6, u128::MAX), (9, 10), (11, 255)] {
        let mut bad = good.clone();
        bad[at] = word;
        assert!(text(bad, &[Some(1.0)]).is_none(), "word {at} may not be {word}");
    }
    assert!(text(good, &[]).is_none(), "a constant is missing");
}

/// Entries have everything in their place: no function of formulas is left, and nothing is fused.
#[test]
fn entries_with_formulas_are_complete() {
    let (model, pair) = body(Some(POTENTIALS[3]), Some(TORQUES[0]), "rkmk4");
    let (program, constants) = formulas_of(model.as_ref(), pair, 3);
    let same: Vec<_> = constants.iter().map(|x| Some(*x)).collect();
    let bodies = Formulas::new(program.into(), &same);
    let (model, pair) = build(SPIN);
    let (program, constants) = formulas_of(model.as_ref(), pair, 8);
    let spins = Formulas::new(program.into(), &vec![None; constants.len()]);
    let mut assembled = 0;
    for pair in catalogue::PAIRS.iter().filter(|pair| pair.entry.contains("formula_")) {
        let formulas = if pair.entry.starts_with("spin") { &spins } else { &bodies };
        for name in [pair.entry.to_string(), format!("{}_patient", pair.entry)] {
            let text = ptx::entry_with(&name, formulas).unwrap_or_else(|| panic!("{name}"));
            for word in ["lieflow_", ".extern", "fma."] {
                assert!(!text.contains(word), "{name} has {word}");
            }
            assert!(text.len() < 2_000_000, "{name}: {} bytes", text.len());
            // One of each kind is enough: an assembler takes most of a second.
            if ["formula_liemid_ea", "formula_lift_rkmk4", "spin_formula_spherical"]
                .contains(&&*name)
            {
                assembled += usize::from(assemble(&name, &text));
            }
        }
    }
    println!("{assembled} entries were assembled");
}

/// Assembles a text, if there is an assembler; `tools/gpu/check` says where it comes from.
fn assemble(name: &str, text: &str) -> bool {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let installed = root.join("target/gpu-tools/nvidia/cu13/bin/ptxas");
    let given = std::env::var_os("PTXAS").map(PathBuf::from);
    let Some(ptxas) = given.or(installed.exists().then_some(installed)) else { return false };
    let file = std::env::temp_dir().join(format!("lieflow-{name}-{}.ptx", std::process::id()));
    std::fs::write(&file, text).unwrap();
    let done = Command::new(ptxas).args(["-arch=sm_75", "-o", "/dev/null"]).arg(&file).output();
    let done = done.unwrap();
    assert!(done.status.success(), "{name}: {}", String::from_utf8_lossy(&done.stderr));
    std::fs::remove_file(&file).unwrap();
    true
}
