mod ask;

#[tokio::test]
async fn answers() {
    assert!(ask::ask().await.is_ok());
}
