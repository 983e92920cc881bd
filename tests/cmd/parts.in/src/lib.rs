pub mod http;
pub mod orders;
pub mod other;
pub mod tools;
