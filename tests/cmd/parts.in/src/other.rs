pub async fn elsewhere() {
    let _ = reqwest::get("https://moon.example/elsewhere").await;
}
