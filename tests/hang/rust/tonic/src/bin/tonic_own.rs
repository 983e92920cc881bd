//! The request says its deadline, which ends with the head as well.

use std::time::Duration;

use hang_tonic::stock::{Item, StockClient};
use tonic::Request;
use tonic::transport::Endpoint;

async fn call() -> Result<i32, Box<dyn std::error::Error>> {
    let channel = Endpoint::from_shared(outcome::url())?.connect_lazy();
    let mut client = StockClient::new(channel);
    let mut request = Request::new(Item::default());
    request.set_timeout(Duration::from_millis(300));
    let level = client.check(request).await?; //~ partial 300ms by own [tonic] headers
    Ok(level.into_inner().left)
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    outcome::tell(call().await);
}
