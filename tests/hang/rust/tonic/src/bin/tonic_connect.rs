//! Connecting is limited, the answer is not.

use std::time::Duration;

use hang_tonic::stock::{Item, StockClient};
use tonic::transport::Endpoint;

async fn call() -> Result<i32, Box<dyn std::error::Error>> {
    let channel = Endpoint::from_shared(outcome::url())?.connect_timeout(Duration::from_millis(300)).connect_lazy();
    let mut client = StockClient::new(channel);
    let level = client.check(Item::default()).await?; //~ partial 300ms by client [tonic] connect
    Ok(level.into_inner().left)
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    outcome::tell(call().await);
}
