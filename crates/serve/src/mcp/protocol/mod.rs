//! The protocol, both its eras, as the crate `rmcp` speaks it. No other module knows that crate.

mod calls;
mod handler;
mod lines;
mod notices;
mod pipes;
mod words;

use std::io;
use std::sync::Arc;

use rmcp::ServiceExt as _;
use rmcp::service::ServerInitializeError;

use super::desk::Desk;
use handler::Handler;
use pipes::Pipes;

/// How many calls work at the same time; further ones wait.
const WORKERS: usize = 8;

/// Answers a client until it goes away.
pub(super) fn serve(desk: Arc<Desk>) -> io::Result<()> {
    // Made here and nowhere else: no other command waits for a runtime.
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .max_blocking_threads(WORKERS)
        .build()?;
    let pipes = Pipes::open()?;
    runtime.block_on(async {
        loop {
            let handler = Handler::new(Arc::clone(&desk), pipes.calls());
            match handler.serve(pipes.clone()).await {
                Ok(running) => {
                    // How it ended is of no matter: the client is gone.
                    let _ = running.waiting().await;
                    break;
                }
                // A client that begins in the middle was told so, or said nothing that wants an answer; it may begin anew.
                Err(
                    ServerInitializeError::ExpectedInitializeRequest(Some(_))
                    | ServerInitializeError::InitializeFailed(_),
                ) => {}
                Err(_) => break,
            }
        }
        pipes.finish().await;
    });
    // Changes that are being made are made to their end; what waits for its turn is not begun.
    drop(runtime);
    Ok(())
}
