pub mod se3;
pub mod so3;
