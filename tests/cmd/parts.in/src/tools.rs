use crate::http::fetch;

pub async fn load(url: &str) -> Option<String> {
    fetch(url).await.ok()?.text().await.ok()
}
