//! stub
/// stub
#[derive(Debug)]
pub struct RustModules;
