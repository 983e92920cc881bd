// Written by hand in the shape that tonic's generator gives: @generated, so that the audit leaves it out as it does that.

use tonic::codegen::http::uri::PathAndQuery;
use tonic::codegen::{Body, Bytes, StdError};

#[derive(Clone, PartialEq, ::prost::Message)]
pub struct Item {
    #[prost(string, tag = "1")]
    pub id: ::prost::alloc::string::String,
}

#[derive(Clone, Copy, PartialEq, ::prost::Message)]
pub struct Level {
    #[prost(int32, tag = "1")]
    pub left: i32,
}

#[derive(Debug, Clone)]
pub struct StockClient<T> {
    inner: tonic::client::Grpc<T>,
}

impl StockClient<tonic::transport::Channel> {
    pub async fn connect<D>(dst: D) -> Result<Self, tonic::transport::Error>
    where
        D: TryInto<tonic::transport::Endpoint>,
        D::Error: Into<StdError>,
    {
        let conn = tonic::transport::Endpoint::new(dst)?.connect().await?;
        Ok(Self::new(conn))
    }
}

impl<T> StockClient<T>
where
    T: tonic::client::GrpcService<tonic::body::Body>,
    T::Error: Into<StdError>,
    T::ResponseBody: Body<Data = Bytes> + Send + 'static,
    <T::ResponseBody as Body>::Error: Into<StdError> + Send,
{
    pub fn new(inner: T) -> Self {
        Self { inner: tonic::client::Grpc::new(inner) }
    }

    pub async fn check(&mut self, request: impl tonic::IntoRequest<Item>) -> Result<tonic::Response<Level>, tonic::Status> {
        self.inner.ready().await.map_err(|e| tonic::Status::unknown(format!("Service was not ready: {}", e.into())))?;
        let codec = tonic_prost::ProstCodec::default();
        let path = PathAndQuery::from_static("/stock.Stock/Check");
        self.inner.unary(request.into_request(), path, codec).await
    }
}
