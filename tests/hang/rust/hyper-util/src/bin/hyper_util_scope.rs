//! A scope around the whole exchange.

use std::time::Duration;

use bytes::Bytes;
use http_body_util::{BodyExt, Empty};
use hyper_util::client::legacy::Client;
use hyper_util::rt::TokioExecutor;
use tokio::time::timeout;

async fn call() -> Result<Bytes, Box<dyn std::error::Error>> {
    let client: Client<_, Empty<Bytes>> = Client::builder(TokioExecutor::new()).build_http();
    let url = outcome::url().parse()?;
    let exchange = async {
        let response = client.get(url).await?; //~ covered 300ms by scope [hyper] total
        Ok::<_, Box<dyn std::error::Error>>(response.into_body().collect().await?.to_bytes())
    };
    timeout(Duration::from_millis(300), exchange).await?
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    outcome::tell(call().await);
}
