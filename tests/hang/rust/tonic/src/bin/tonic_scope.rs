//! A scope around the whole call.

use std::time::Duration;

use hang_tonic::stock::{Item, StockClient};
use tokio::time::timeout;
use tonic::transport::Endpoint;

async fn call() -> Result<i32, Box<dyn std::error::Error>> {
    let channel = Endpoint::from_shared(outcome::url())?.connect_lazy();
    let mut client = StockClient::new(channel);
    let level = timeout(Duration::from_millis(300), client.check(Item::default())).await??; //~ covered 300ms by scope [tonic] total
    Ok(level.into_inner().left)
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    outcome::tell(call().await);
}
