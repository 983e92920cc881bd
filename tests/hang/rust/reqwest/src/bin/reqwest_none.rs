//! No limit anywhere.

async fn call() -> reqwest::Result<String> {
    reqwest::get(outcome::url()).await?.text().await //~ uncovered [reqwest]
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    outcome::tell(call().await);
}
