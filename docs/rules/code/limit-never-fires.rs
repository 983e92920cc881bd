use std::time::Duration;

pub async fn user(client: &reqwest::Client) -> Result<String, Box<dyn std::error::Error>> {
    let request = client.get("https://users.example/1").timeout(Duration::from_secs(10));
    let response = tokio::time::timeout(Duration::from_secs(2), async { request.send().await?.text().await }).await??;
    Ok(response)
}
