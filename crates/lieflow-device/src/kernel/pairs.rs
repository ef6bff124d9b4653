//! What is compiled for GPUs: the one list that entries, host and documentation are made of.
//!
//! A pair of system and method joins by one line: the name of its entry, the kind of the system, the
//! method by its name, and its engine. Then `tools/gpu/build` writes the PTX anew.
pub use super::bodies::{Body, Formula, Lifted, Symmetric, Tilted, TiltedFormula};
pub use super::fields::{Attractor, Free, Linear, SoftWall, Top};
pub use super::vectors::{Reduced, Spin, SpinFormula};
pub use lieflow::kernel::rigid::{Exact, Halves, LieMidpoint, MoserVeselov, VerletCayley};
pub use lieflow::method::casas_owren::CasasOwren;
pub use lieflow::method::rigid_body::{BM4, KickFreeKick, RKN4, RKN6, RKN6A, Splitting};
pub use lieflow::method::rkmk::Classical;
pub use lieflow::method::spherical::{Midpoint, SphericalMidpoint};

/// Calls a macro with all pairs.
macro_rules! for_all_pairs {
    ($make:ident) => {
        $make! {
            free_liemid_ea: Body<Free>, "liemid-ea", KickFreeKick::new(Halves(LieMidpoint));
            free_mcg: Body<Free>, "mcg", KickFreeKick::new(LieMidpoint);
            free_vlv: Body<Free>, "vlv", KickFreeKick::new(VerletCayley);
            free_rattle: Body<Free>, "rattle" | "dmv" | "ls" | "lgvi", KickFreeKick::new(MoserVeselov);
            free_exs: Symmetric<Free>, "exs", KickFreeKick::new(Exact);
            free_rkmk4: Body<Free>, "rkmk4", Classical::default();
            free_casas_owren: Body<Free>, "rkmk4-casas-owren", CasasOwren::default();
            free_lift_rkmk4: Lifted<Body<Free>>, "rkmk4", Classical::default();
            free_lift_casas_owren: Lifted<Body<Free>>, "rkmk4-casas-owren", CasasOwren::default();

            top_liemid_ea: Body<Top>, "liemid-ea", KickFreeKick::new(Halves(LieMidpoint));
            top_mcg: Body<Top>, "mcg", KickFreeKick::new(LieMidpoint);
            top_vlv: Body<Top>, "vlv", KickFreeKick::new(VerletCayley);
            top_rattle: Body<Top>, "rattle" | "dmv" | "ls" | "lgvi", KickFreeKick::new(MoserVeselov);
            top_exs: Symmetric<Top>, "exs", KickFreeKick::new(Exact);
            top_exs_bm4: Symmetric<Top>, "exs@bm4", Splitting::new(Exact, &BM4);
            top_exs_rkn4: Symmetric<Top>, "exs@rkn4", Splitting::new(Exact, &RKN4);
            top_exs_rkn6: Symmetric<Top>, "exs@rkn6", Splitting::new(Exact, &RKN6);
            top_exs_rkn6a: Symmetric<Top>, "exs@rkn6a", Splitting::new(Exact, &RKN6A);
            top_rkmk4: Body<Top>, "rkmk4", Classical::default();
            top_casas_owren: Body<Top>, "rkmk4-casas-owren", CasasOwren::default();
            top_lift_rkmk4: Lifted<Body<Top>>, "rkmk4", Classical::default();
            top_lift_casas_owren: Lifted<Body<Top>>, "rkmk4-casas-owren", CasasOwren::default();

            linear_liemid_ea: Body<Linear>, "liemid-ea", KickFreeKick::new(Halves(LieMidpoint));
            linear_mcg: Body<Linear>, "mcg", KickFreeKick::new(LieMidpoint);
            linear_vlv: Body<Linear>, "vlv", KickFreeKick::new(VerletCayley);
            linear_rattle: Body<Linear>, "rattle" | "dmv" | "ls" | "lgvi", KickFreeKick::new(MoserVeselov);
            linear_exs: Symmetric<Linear>, "exs", KickFreeKick::new(Exact);
            linear_exs_bm4: Symmetric<Linear>, "exs@bm4", Splitting::new(Exact, &BM4);
            linear_exs_rkn4: Symmetric<Linear>, "exs@rkn4", Splitting::new(Exact, &RKN4);
            linear_exs_rkn6: Symmetric<Linear>, "exs@rkn6", Splitting::new(Exact, &RKN6);
            linear_exs_rkn6a: Symmetric<Linear>, "exs@rkn6a", Splitting::new(Exact, &RKN6A);
            linear_rkmk4: Body<Linear>, "rkmk4", Classical::default();
            linear_casas_owren: Body<Linear>, "rkmk4-casas-owren", CasasOwren::default();
            linear_lift_rkmk4: Lifted<Body<Linear>>, "rkmk4", Classical::default();
            linear_lift_casas_owren: Lifted<Body<Linear>>, "rkmk4-casas-owren", CasasOwren::default();

            wall_liemid_ea: Body<SoftWall>, "liemid-ea", KickFreeKick::new(Halves(LieMidpoint));
            wall_mcg: Body<SoftWall>, "mcg", KickFreeKick::new(LieMidpoint);
            wall_vlv: Body<SoftWall>, "vlv", KickFreeKick::new(VerletCayley);
            wall_rattle: Body<SoftWall>, "rattle" | "dmv" | "ls" | "lgvi", KickFreeKick::new(MoserVeselov);
            wall_exs: Symmetric<SoftWall>, "exs", KickFreeKick::new(Exact);
            wall_exs_bm4: Symmetric<SoftWall>, "exs@bm4", Splitting::new(Exact, &BM4);
            wall_exs_rkn4: Symmetric<SoftWall>, "exs@rkn4", Splitting::new(Exact, &RKN4);
            wall_exs_rkn6: Symmetric<SoftWall>, "exs@rkn6", Splitting::new(Exact, &RKN6);
            wall_exs_rkn6a: Symmetric<SoftWall>, "exs@rkn6a", Splitting::new(Exact, &RKN6A);
            wall_rkmk4: Body<SoftWall>, "rkmk4", Classical::default();
            wall_casas_owren: Body<SoftWall>, "rkmk4-casas-owren", CasasOwren::default();
            wall_lift_rkmk4: Lifted<Body<SoftWall>>, "rkmk4", Classical::default();
            wall_lift_casas_owren: Lifted<Body<SoftWall>>, "rkmk4-casas-owren", CasasOwren::default();

            attractor_liemid_ea: Body<Attractor>, "liemid-ea", KickFreeKick::new(Halves(LieMidpoint));
            attractor_mcg: Body<Attractor>, "mcg", KickFreeKick::new(LieMidpoint);
            attractor_vlv: Body<Attractor>, "vlv", KickFreeKick::new(VerletCayley);
            attractor_rattle: Body<Attractor>, "rattle" | "dmv" | "ls" | "lgvi", KickFreeKick::new(MoserVeselov);
            attractor_rkmk4: Body<Attractor>, "rkmk4", Classical::default();
            attractor_casas_owren: Body<Attractor>, "rkmk4-casas-owren", CasasOwren::default();
            attractor_lift_rkmk4: Lifted<Body<Attractor>>, "rkmk4", Classical::default();
            attractor_lift_casas_owren: Lifted<Body<Attractor>>, "rkmk4-casas-owren", CasasOwren::default();

            tilted_liemid_ea: Tilted, "liemid-ea", KickFreeKick::new(Halves(LieMidpoint));
            tilted_mcg: Tilted, "mcg", KickFreeKick::new(LieMidpoint);
            tilted_vlv: Tilted, "vlv", KickFreeKick::new(VerletCayley);
            tilted_rattle: Tilted, "rattle" | "dmv" | "ls" | "lgvi", KickFreeKick::new(MoserVeselov);
            tilted_rkmk4: Tilted, "rkmk4", Classical::default();
            tilted_casas_owren: Tilted, "rkmk4-casas-owren", CasasOwren::default();
            tilted_lift_rkmk4: Lifted<Tilted>, "rkmk4", Classical::default();
            tilted_lift_casas_owren: Lifted<Tilted>, "rkmk4-casas-owren", CasasOwren::default();

            formula_liemid_ea: Formula, "liemid-ea", KickFreeKick::new(Halves(LieMidpoint));
            formula_mcg: Formula, "mcg", KickFreeKick::new(LieMidpoint);
            formula_vlv: Formula, "vlv", KickFreeKick::new(VerletCayley);
            formula_rattle: Formula, "rattle" | "dmv" | "ls" | "lgvi", KickFreeKick::new(MoserVeselov);
            formula_rkmk4: Formula, "rkmk4", Classical::default();
            formula_casas_owren: Formula, "rkmk4-casas-owren", CasasOwren::default();
            formula_lift_rkmk4: Lifted<Formula>, "rkmk4", Classical::default();
            formula_lift_casas_owren: Lifted<Formula>, "rkmk4-casas-owren", CasasOwren::default();

            tilted_formula_liemid_ea: TiltedFormula, "liemid-ea", KickFreeKick::new(Halves(LieMidpoint));
            tilted_formula_mcg: TiltedFormula, "mcg", KickFreeKick::new(LieMidpoint);
            tilted_formula_vlv: TiltedFormula, "vlv", KickFreeKick::new(VerletCayley);
            tilted_formula_rattle: TiltedFormula, "rattle" | "dmv" | "ls" | "lgvi", KickFreeKick::new(MoserVeselov);
            tilted_formula_rkmk4: TiltedFormula, "rkmk4", Classical::default();
            tilted_formula_casas_owren: TiltedFormula, "rkmk4-casas-owren", CasasOwren::default();
            tilted_formula_lift_rkmk4: Lifted<TiltedFormula>, "rkmk4", Classical::default();
            tilted_formula_lift_casas_owren: Lifted<TiltedFormula>, "rkmk4-casas-owren", CasasOwren::default();

            reduced_rkmk4: Reduced, "rkmk4", Classical::default();
            reduced_casas_owren: Reduced, "rkmk4-casas-owren", CasasOwren::default();
            reduced_spherical: Reduced, "spherical-midpoint", SphericalMidpoint::new(Midpoint::Spherical, None);

            spin_rkmk4: Spin, "rkmk4", Classical::default();
            spin_casas_owren: Spin, "rkmk4-casas-owren", CasasOwren::default();
            spin_spherical: Spin, "spherical-midpoint", SphericalMidpoint::new(Midpoint::Spherical, None);

            spin_formula_rkmk4: SpinFormula, "rkmk4", Classical::default();
            spin_formula_casas_owren: SpinFormula, "rkmk4-casas-owren", CasasOwren::default();
            spin_formula_spherical: SpinFormula, "spherical-midpoint", SphericalMidpoint::new(Midpoint::Spherical, None);
        }
    };
}
pub(crate) use for_all_pairs;
