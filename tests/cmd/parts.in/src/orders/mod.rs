use crate::http::patient;
use crate::tools;

pub async fn list() -> Option<String> {
    patient().get("https://moon.example/orders").send().await.ok()?.text().await.ok()
}

pub async fn one() -> Option<String> {
    tools::load("https://moon.example/orders/1").await
}
