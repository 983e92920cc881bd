pub fn name() -> &'static str { "of this repository: it is read" }
