pub async fn listen() {
    let _ = pulsar::Pulsar::builder("pulsar://bus.internal.example", pulsar::TokioExecutor).build().await;
}

pub async fn again() -> acme_sdk::Answer {
    super::client().ask().await
}
