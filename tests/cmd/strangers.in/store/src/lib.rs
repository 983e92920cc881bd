mod orders;

use acme_sdk::Client;
use serde::Serialize;

#[derive(Serialize)]
pub struct Order;

pub fn client() -> Client {
    lookalike::name();
    Client::new()
}
