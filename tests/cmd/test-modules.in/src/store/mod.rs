#[cfg(test)]
#[path = "checks.rs"]
mod tests;

pub async fn list() -> reqwest::Result<String> {
    reqwest::get("https://store.internal.example/").await?.text().await
}
