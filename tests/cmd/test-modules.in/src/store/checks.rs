pub async fn prepare() {
    reqwest::get("http://127.0.0.1:8080/prepare").await.unwrap();
}
