pub async fn user(client: &reqwest::Client) -> reqwest::Result<reqwest::Response> {
    client.get("https://users.example/1").send().await
}
