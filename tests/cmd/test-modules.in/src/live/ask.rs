pub async fn ask() -> reqwest::Result<reqwest::Response> {
    reqwest::get("http://127.0.0.1:8080/").await
}
