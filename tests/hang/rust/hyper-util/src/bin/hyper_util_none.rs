//! No limit, and no place for one.

use bytes::Bytes;
use http_body_util::{BodyExt, Empty};
use hyper_util::client::legacy::Client;
use hyper_util::rt::TokioExecutor;

async fn call() -> Result<Bytes, Box<dyn std::error::Error>> {
    let client: Client<_, Empty<Bytes>> = Client::builder(TokioExecutor::new()).build_http();
    let response = client.get(outcome::url().parse()?).await?; //~ uncovered [hyper]
    Ok(response.into_body().collect().await?.to_bytes())
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    outcome::tell(call().await);
}
