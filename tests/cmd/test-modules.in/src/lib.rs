pub mod store;

#[cfg(all(test, feature = "live"))]
mod live;
