use std::time::Duration;

pub fn patient() -> reqwest::Client {
    reqwest::Client::builder().timeout(Duration::from_secs(3)).build().unwrap_or_default()
}

pub async fn fetch(url: &str) -> reqwest::Result<reqwest::Response> {
    reqwest::get(url).await
}
