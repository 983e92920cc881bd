use tiberius::{Client, Config};

pub async fn ships(stream: Stream) -> tiberius::Result<()> {
    let mut client = Client::connect(Config::new(), stream).await?;
    client.simple_query("select name from ship").await?;
    Ok(())
}
