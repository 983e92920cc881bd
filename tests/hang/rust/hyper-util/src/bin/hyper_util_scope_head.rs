//! A scope around the head alone; the body is read outside.

use std::time::Duration;

use bytes::Bytes;
use http_body_util::{BodyExt, Empty};
use hyper_util::client::legacy::Client;
use hyper_util::rt::TokioExecutor;
use tokio::time::timeout;

async fn call() -> Result<Bytes, Box<dyn std::error::Error>> {
    let client: Client<_, Empty<Bytes>> = Client::builder(TokioExecutor::new()).build_http();
    let response = timeout(Duration::from_millis(300), client.get(outcome::url().parse()?)).await??; //~ partial 300ms by scope [hyper] headers
    Ok(response.into_body().collect().await?.to_bytes())
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    outcome::tell(call().await);
}
