//! Systems and methods on products of two-spheres. One program, because every file here uses the
//! same engines, which take time to compile.
mod chain;
mod compositions;
mod costs;
mod data;
mod dipole_oracle;
mod dipoles;
mod experiments;
mod flows;
mod long;
mod memory;
mod problem_file;
mod random;
mod slopes;
mod solvers;
mod states;
mod stereographic;
mod structure;
