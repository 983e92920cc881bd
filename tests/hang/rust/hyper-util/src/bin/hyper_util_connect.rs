//! Connecting is limited, the answer is not.

use std::time::Duration;

use bytes::Bytes;
use http_body_util::{BodyExt, Empty};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;

async fn call() -> Result<Bytes, Box<dyn std::error::Error>> {
    let mut connector = HttpConnector::new();
    connector.set_connect_timeout(Some(Duration::from_millis(300)));
    let client: Client<_, Empty<Bytes>> = Client::builder(TokioExecutor::new()).build(connector);
    let response = client.get(outcome::url().parse()?).await?; //~ partial 300ms by client [hyper] connect
    Ok(response.into_body().collect().await?.to_bytes())
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    outcome::tell(call().await);
}
