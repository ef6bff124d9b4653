//! Figures and pages, as pure functions of plain data: a record goes in, text comes out.
//!
//! - [`figure`]: axes, curves and legends, rendered to SVG for print;
//! - [`table`]: rows and columns, for pages and for terminals;
//! - [`page`]: one self-contained HTML file with interactive plots and a moving picture.
//!
//! Nothing here reads a clock, a file or the network, so the same record gives the same bytes.
pub mod figure;
mod packed;
pub mod page;
pub mod table;

pub use packed::base64;
