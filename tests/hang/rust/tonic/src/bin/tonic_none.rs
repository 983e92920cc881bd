//! No limit anywhere.

use hang_tonic::stock::{Item, StockClient};
use tonic::transport::Endpoint;

async fn call() -> Result<i32, Box<dyn std::error::Error>> {
    let channel = Endpoint::from_shared(outcome::url())?.connect_lazy();
    let mut client = StockClient::new(channel);
    let level = client.check(Item::default()).await?; //~ uncovered [tonic]
    Ok(level.into_inner().left)
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    outcome::tell(call().await);
}
