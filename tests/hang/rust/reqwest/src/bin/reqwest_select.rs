//! The branch that sleeps wins.

use std::time::Duration;

use tokio::time::sleep;

async fn call() -> Result<String, Box<dyn std::error::Error>> {
    let client = reqwest::Client::new();
    tokio::select! {
        response = client.get(outcome::url()).send() => Ok(response?.status().to_string()), //~ covered 300ms by scope [reqwest]
        () = sleep(Duration::from_millis(300)) => Err("late".into()),
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    outcome::tell(call().await);
}
