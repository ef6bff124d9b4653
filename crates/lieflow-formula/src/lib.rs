//! Formulas of problem files: typed, differentiated exactly, and run over any numbers.
//!
//! ```
//! use lieflow_formula::body::{self, BodyPotential};
//! use lieflow_formula::Kind;
//! use lieflow_kernel::{Mat3, Real, Lanes, vec3};
//!
//! let names = body::names()?.parameter("m", Kind::Number)?.parameter("a", Kind::Vector)?;
//! let program = body::potential(names, "potential", "m*9.81*dot(e3, R*a)")?;
//! // The inertia J comes first, then m and a.
//! let mut numbers = vec![5.0, 0.0, 0.0, 0.0, 5.0, 0.0, 0.0, 0.0, 1.0];
//! numbers.extend([2.0, 0.0, 0.1, 1.0]);
//! let top = BodyPotential::new(program, numbers)?;
//! let torque = top.torque(0.0, &Mat3::identity());
//! assert!((torque.x - -1.962).abs() < 1e-15 && torque.y == 0.0);
//! // The same over four lanes, or dual numbers, or packs: nothing is compiled again.
//! let lanes = top.lift(Lanes::<4>::lift);
//! assert_eq!(lanes.torque(0.0, &Mat3::identity()).x.0, [torque.x; 4]);
//! // Mistakes have a place.
//! let error = body::potential(body::names()?, "potential", "2*R33 + e3").unwrap_err();
//! assert_eq!(
//!     error.render(),
//!     "potential: column 1: cannot add a number and a vector\n  2*R33 + e3\n  ^^^^^^^^^^"
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # How it works
//! ```text
//! text → tree with places → values on a graph → more values, derived → tapes → Real::evaluate
//! ```
//! [`Names`] say what formulas may use, a [`Sheet`] reads them and derives what follows (gradients,
//! torques, rates of change), [`Sheet::program`] makes a [`Program`] of what is wanted, and a
//! [`Formula`] is a program with numbers. A program is made once for a text; other parameters only
//! run its prologue, which computes what depends neither on state nor time, over the scalar at hand.
//!
//! Nothing is rounded or folded on the way: the graph is rewritten only by identities that hold
//! exactly, so that double-doubles keep their digits, and a lane has the bits of a single run.
//!
//! # The language
//! ```text
//! formula   sum [('<' | '>') sum]                  a comparison stands only first in if
//! sum       product {('+' | '-') product}
//! product   factor {('*' | '/' | '·' | '×') factor}
//! factor    ('-' | '+') factor | power
//! power     postfix ['^' factor]                   -x^2 is -(x^2), a^b^c is a^(b^c), ** is ^
//! postfix   atom {"'" | '[' index {',' index} ']' | '.' name}
//! atom      number | name | name '(' formulas ')' | '[' formulas ']' | '(' formula ')'
//! index     whole numbers and indices with + - *, cyc(index) goes round the list
//! ```
//! **Kinds.** A number, a vector of three, a matrix of three rows, a list of things of one kind, or a
//! record (`X.R`). None turns into another by itself. `[a, b, c]` of numbers is a vector, of vectors a
//! matrix with these rows, otherwise a list.
//!
//! | expression | of | gives |
//! | --- | --- | --- |
//! | `a + b`, `a - b`, `-a` | two of one kind | that kind |
//! | `s*x`, `x*s`, `x/s` | a number and anything | the same thing, scaled |
//! | `A*v`, `A*B`, `A'` | matrices, vectors | vector, matrix, transposed matrix |
//! | `a · b`, `a × b` | vectors; `·` also lists of numbers | `dot(a, b)`, `cross(a, b)` |
//! | `a^b` | numbers | whole `b` by products, halves by a root, else `exp(b*log(a))` |
//! | `v[2]`, `A[3, 1]`, `A[3]`, `x[i]` | vector, matrix, list | component, component, row, item |
//! | `R33`, `w2`, `x4` | the same, where no such name is given | component |
//!
//! **Names.** Parts of the state, the time `t`, parameters, definitions in any order (`x[i]` with
//! indices), `pi`, `e1`, `e2`, `e3`. Letters of all scripts. A name that hides a function, a constant
//! or a component is refused.
//!
//! **Functions.**
//!
//! | | |
//! | --- | --- |
//! | vectors | `dot cross norm square normalise angle` (`square` also of a number; lists of numbers have `dot norm square`) |
//! | matrices | `trace transpose axial hat det inv diag columns angle`; `axial` is `(A32-A23, A13-A31, A21-A12)` |
//! | numbers | `sin cos tan asin acos atan2 sinh cosh tanh exp log sqrt pow abs min max sign floor mod clamp smoothstep` |
//! | choices | `if(a < b, c, d)`, with `c` and `d` of one kind |
//! | indices | `sum(i, first, last, …)`, `prod(i, first, last, …)` |
//! | derivatives | `grad(f, x)` by a part of the state or a parameter, arranged like it; `ddt(f)` by the time that stands in `f` |
//!
//! **Derivatives** are exact. At a kink they are those of the side that is taken, and what an `if`
//! leaves aside is never multiplied by zero. `sqrt` and `norm` have the derivative zero at zero.
//! The derivative of `log` is not a number where `log` is none.
//!
//! **Bounds.** Two hundred brackets in each other, a million operations, a million terms of a sum:
//! beyond them there is an error, and below no text takes longer than its length allows.
pub mod body;
pub mod derive;
mod elaborate;
pub mod error;
mod explain;
mod facts;
mod formula;
pub mod graph;
mod kind;
mod locate;
mod names;
mod program;
mod series;
mod sheet;
mod suggestion;
pub mod syntax;
mod tape;
mod value;

pub use derive::{Change, Rate};
pub use error::{Error, Fault, Place, Source};
pub use facts::{Cost, Kink};
pub use formula::{Formula, WrongCount};
pub use kind::Kind;
pub use locate::Breakdown;
pub use names::{Names, Role};
pub use program::{Program, Variable};
pub use series::SeriesTape;
pub use sheet::Sheet;
pub use value::Value;

/// The functions of the language, each with its arguments.
pub fn functions() -> &'static [(&'static str, &'static str)] {
    elaborate::FUNCTIONS
}
