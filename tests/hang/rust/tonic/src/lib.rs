//! The client of a small service.

pub mod stock;
