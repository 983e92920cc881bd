use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::{Request, Response};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use redis::AsyncCommands;
use sqlx::PgPool;
use tonic::transport::Endpoint;

pub async fn rows(pool: &PgPool) -> sqlx::Result<()> {
    let mut work = pool.begin().await?;
    sqlx::query("select 1").fetch_one(&mut *work).await?;
    sqlx::query("delete from carts").execute(&mut *work).await?;
    work.commit().await
}

pub async fn cached(client: &redis::Client) -> redis::RedisResult<()> {
    let mut connection = client.get_connection_manager().await?;
    let _: Option<String> = connection.brpop("jobs", 0.0).await?;
    let _: Option<String> = connection.get("a").await?;
    client.get_async_pubsub().await?.subscribe("orders").await
}

pub async fn books() -> Result<(), tonic::Status> {
    let channel = Endpoint::from_static("http://books.internal.example").connect_lazy();
    let mut client = proto::library_client::LibraryClient::new(channel);
    let mut found: tonic::Streaming<Book> = client.search(Query::default()).await?.into_inner();
    while let Some(book) = found.message().await? {
        println!("{book:?}");
    }
    client.count(Query::default()).await.map(|_| ())
}

struct Http(Client<HttpConnector, Full<Bytes>>);

impl Http {
    async fn send(&self, request: Request<Full<Bytes>>) -> Response<Incoming> {
        self.0.request(request).await.unwrap()
    }
}

pub async fn text(client: &Http) -> Bytes {
    let answer = client.send(Request::get("http://orders.internal.example/").body(Full::default()).unwrap()).await;
    answer.into_body().collect().await.unwrap().to_bytes()
}

pub async fn tried_for_room() {
    let producer: rdkafka::producer::FutureProducer = rdkafka::ClientConfig::new().create().unwrap();
    for _ in 0..3 {
        match producer.send_result(rdkafka::producer::FutureRecord::<(), _>::to("orders").payload("x")) {
            Ok(delivery) => {
                let _ = delivery.await;
                break;
            }
            Err(_) => continue,
        }
    }
}

pub async fn handed_on(client: &Client<HttpConnector, Full<Bytes>>) -> Result<Response<Incoming>, hyper_util::client::legacy::Error> {
    Ok(client.request(Request::get("http://carts.internal.example/").body(Full::default()).unwrap()).await?)
}

pub async fn read_here(client: &Client<HttpConnector, Full<Bytes>>) -> Bytes {
    let answer = client.request(Request::get("http://carts.internal.example/").body(Full::default()).unwrap()).await.unwrap();
    answer.into_body().collect().await.unwrap().to_bytes()
}
