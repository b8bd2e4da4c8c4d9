//! Request bodies that arrive a byte at a time: half of them say how long they will be, half do not.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::AsyncWriteExt;
use tokio::task::JoinSet;

use super::answers::Answers;
use super::{Target, repeat};

pub(super) const COUNT: usize = 200;

/// Time from byte to byte.
const DRIP: Duration = Duration::from_millis(20);

/// A length that the API accepts.
const LENGTH: usize = 4_000;

pub(super) fn start(target: &Target, answers: &Arc<Answers>, attackers: &mut JoinSet<()>) {
    let (target, answers) = (target.clone(), Arc::clone(answers));
    repeat(attackers, COUNT, DRIP, move |number, _| {
        let (target, answers) = (target.clone(), Arc::clone(&answers));
        async move {
            let status = drip(&target, number % 2 == 0).await;
            answers.count(status.unwrap_or_else(|_| "closed".to_owned()));
        }
    });
}

/// Sends a body until the server has had enough; the status it answers.
async fn drip(target: &Target, has_length: bool) -> io::Result<String> {
    let mut stream = target.connect().await?;
    stream.set_nodelay(true)?;
    let framing = match has_length {
        true => format!("content-length: {LENGTH}"),
        false => "transfer-encoding: chunked".to_owned(),
    };
    let host = &target.host;
    let head = format!(
        "POST /agents/register HTTP/1.1\r\nhost: {host}\r\n\
         content-type: application/json\r\n{framing}\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).await?;
    let byte: &[u8] = if has_length { b" " } else { b"1\r\n \r\n" };
    let mut answer = [0; 12];
    loop {
        tokio::time::sleep(DRIP).await;
        match stream.try_read(&mut answer) {
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            // "HTTP/1.1 408": nobody splits a status line.
            Ok(length) => {
                let line = String::from_utf8_lossy(&answer[..length]);
                return Ok(line.rsplit(' ').next().unwrap_or_default().to_owned());
            }
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
            Err(error) => return Err(error),
        }
        stream.write_all(byte).await?;
    }
}
