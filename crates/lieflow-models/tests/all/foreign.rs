//! Laws that are functions of another language.
use lieflow::{Dual, Lanes, Real};
use lieflow_models::foreign::{CFunction, Call, Foreign, Function};
use lieflow_models::problem_file::{Document, Kind, Node, Setting};
use lieflow_models::run::NullSink;
use std::any::Any;

/// A top with friction: attitude by rows, velocity and momentum; strength and friction.
unsafe extern "C" fn torque(_: f64, y: *const f64, p: *const f64, out: *mut f64) {
    // SAFETY: called with fifteen numbers of a state, two parameters and room for three numbers.
    let (y, p, out) = unsafe {
        (
            std::slice::from_raw_parts(y, 15),
            std::slice::from_raw_parts(p, 2),
            std::slice::from_raw_parts_mut(out, 3),
        )
    };
    out[0] = p[0] * y[7] - p[1] * y[9];
    out[1] = -p[0] * y[6] - p[1] * y[10];
    out[2] = -p[1] * y[11];
}

fn compiled() -> Function {
    // SAFETY: the code of this program stays, and does what is said above.
    let function = unsafe { CFunction::new(torque as *const () as usize, "torque", Box::new(())) };
    Function::new(function.unwrap())
}

/// `x²` of each number, until the time is up.
struct Squares;
impl Foreign for Squares {
    fn call(&self, t: f64, state: &[f64], parameters: &[f64], out: &mut [f64]) -> bool {
        for (out, x) in out.iter_mut().zip(state) {
            *out = parameters[0] * x * x;
        }
        t < 1.0
    }
    fn name(&self) -> String {
        "squares".into()
    }
    fn fault(&self) -> Option<String> {
        Some("the time is up".into())
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
}

const TOP: &str = "system = \"rigid-body\"\n[parameters]\ninertia = [5.0, 5.0, 1.0]\n\
    [initial]\nrotation = { vector = [0.3, 0.0, 0.0] }\nomega = [0.2, 0.0, 5.0]\n\
    [solve]\nmethod = \"rkmk4\"\nstep = 0.01\nuntil = 0.2\n";

/// The problem with a function at a key.
fn with(text: &str, key: &str, function: Function) -> Result<Document, String> {
    let place = lieflow_models::problem_file::Place::whole(key);
    let node = Node { place, kind: Kind::Function(function) };
    let setting = Setting::node(key, key, node).unwrap();
    Document::parse(text, "file", &[setting]).map_err(|e| e.to_string())
}

fn last(document: &Document) -> Result<Vec<f64>, String> {
    let model = document.build().map_err(|e| e.to_string())?;
    let record = model.run(&document.plan().unwrap(), &mut NullSink);
    Ok(record.map_err(|e| e.to_string())?.state.numbers(true))
}

#[test]
fn a_torque_by_address_is_that_of_the_formula() {
    for method in ["rkmk4", "rkmk-gl4", "cf4"] {
        let law = "[parameters.torque]\nk = 20.0\nc = 0.1\n";
        let text = TOP.replace("rkmk4", method);
        let called = with(&format!("{text}{law}"), "parameters.torque.function", compiled());
        let called = last(&called.unwrap()).unwrap();
        let formulas = "[parameters.potential]\nformula = \"20*R33\"\n\
                        [parameters.torque]\nformula = \"-0.1*w\"\n";
        let formula = Document::parse(&format!("{text}{formulas}"), "file", &[]).unwrap();
        for (a, b) in called.iter().zip(last(&formula).unwrap()) {
            assert!((a - b).abs() < 1e-12, "{method}: {a} and {b}");
        }
    }
}

#[test]
fn files_have_no_functions() {
    let text = format!("{TOP}[parameters.torque]\nfunction = \"f\"\n");
    let error = Document::parse(&text, "file", &[]).unwrap().build().err().unwrap().to_string();
    assert!(error.contains("no file can hold one"), "{error}");
    let document = with(TOP, "parameters.torque.function", compiled()).unwrap();
    let again = Document::parse(&document.to_toml(), "file", &[]).unwrap();
    assert!(again.build().err().unwrap().to_string().contains("the text \"torque\""));
}

#[test]
fn a_field_that_breaks_off_says_why() {
    let text = "system = \"custom\"\n[state]\nx = \"R2\"\n[parameters]\na = -1.0\n\
                [initial]\nx = [1.0, 2.0]\n[solve]\nmethod = \"rkmk4\"\nstep = 0.125\nuntil = 0.5\n";
    let document = with(text, "motion.function", Function::new(Squares)).unwrap();
    let found = last(&document).unwrap();
    // x' = -x².
    assert!((found[0] - 1.0 / 1.5).abs() < 1e-4 && (found[1] - 1.0).abs() < 1e-3, "{found:?}");
    let longer = text.replace("until = 0.5", "until = 2.0");
    let error = last(&with(&longer, "motion.function", Function::new(Squares)).unwrap());
    assert!(error.as_ref().is_err_and(|e| e.contains("the time is up")), "{error:?}");
    let taylor = text.replace("rkmk4", "taylor");
    let refused = last(&with(&taylor, "motion.function", Function::new(Squares)).unwrap());
    assert!(refused.as_ref().is_err_and(|e| e.contains("a function has none")), "{refused:?}");
}

#[test]
fn lanes_and_slopes() {
    let call = Call::new(Function::new(Squares), &[3.0]);
    let mut out = [Lanes::<4>::zero(); 1];
    call.evaluate(0.0, &[Lanes([1.0, 2.0, 3.0, 4.0])], &mut out);
    assert_eq!(out[0].0, [3.0, 12.0, 27.0, 48.0]);
    let mut out = [Dual::<f64, 3>::zero(); 2];
    let state = [Dual { re: 2.0, eps: [1.0, 0.0, -0.5] }, Dual { re: -1.0, eps: [0.0, 0.0, 1e6] }];
    call.evaluate(0.0, &state, &mut out);
    let wanted = [(12.0, [12.0, 0.0, -6.0]), (3.0, [0.0, 0.0, -6e6])];
    for (out, (re, eps)) in out.iter().zip(wanted) {
        assert_eq!(out.re, re);
        for (found, wanted) in out.eps.iter().zip(eps) {
            assert!((found - wanted).abs() <= 1e-8 * (1.0 + 1e6), "{found} and {wanted}");
        }
    }
    // Of numbers that are neither, nothing can be said.
    let mut out = [Dual::<Dual<f64, 1>, 1>::zero()];
    call.evaluate(0.0, &out.clone(), &mut out);
    assert!(out[0].magnitude().is_nan());
}
