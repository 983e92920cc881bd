pub async fn listen() {
    let _ = amqprs::connection::Connection::open(&amqprs::connection::OpenConnectionArguments::default()).await;
}

pub async fn again() -> acme_sdk::Answer {
    super::client().ask().await
}
