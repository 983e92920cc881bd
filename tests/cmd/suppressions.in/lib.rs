use reqwest::Client;

pub async fn load(client: &Client) -> reqwest::Result<String> {
    let client = Client::new();
    // untimed: allow(uncovered-call) behind the mesh
    client.get("http://a/b").send().await?.text().await
}

pub async fn poll() -> reqwest::Result<String> {
    let client = Client::new();
    client
        .get("http://a/b")
        .send() // untimed: allow(uncovered-call) a long poll
        .await?
        .text()
        .await
}
