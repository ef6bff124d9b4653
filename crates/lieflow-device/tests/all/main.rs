//! Texts for GPUs without a GPU.
mod formulas;
mod machine;
mod operands;
