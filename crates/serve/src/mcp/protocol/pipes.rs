//! Standard input and output as the protocol's way to the client. Two threads of our own do the reading and the writing,
//! so that a client which neither reads nor writes holds up nothing else; and no more calls are taken in than are answered.

use std::io::{self, Read as _, Write as _};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rmcp::RoleServer;
use rmcp::model::{ClientNotification, ClientRequest, ErrorCode, ErrorData, JsonRpcMessage};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use rustix::event::{PollFd, PollFlags, poll};
use tokio::sync::{mpsc, watch};

use super::calls::Calls;
use super::lines::{Line, Lines, MAX_LINE};
use super::words::misunderstood;

/// So many answers wait for the writer.
const QUEUE: usize = 16;
const CHUNK: usize = 64 * 1024;
/// For so long the last answers are still written to a client that closed its end.
const LAST_WORDS: Duration = Duration::from_secs(5);

type Incoming = RxJsonRpcMessage<RoleServer>;
type Outgoing = TxJsonRpcMessage<RoleServer>;

/// The way to the client, which several may hold.
#[derive(Clone)]
pub(super) struct Pipes {
    incoming: Arc<tokio::sync::Mutex<mpsc::Receiver<Line>>>,
    outgoing: Arc<Mutex<Option<mpsc::Sender<Vec<u8>>>>>,
    calls: Arc<Calls>,
    /// Whether the writer has ended: everything is written, or nobody reads.
    ended: watch::Receiver<bool>,
    /// What is said about something that was not understood, until the writer takes it.
    owed: Option<Vec<u8>>,
}

impl Pipes {
    /// Takes over standard input and output.
    pub(super) fn open() -> io::Result<Self> {
        let (sender, incoming) = mpsc::channel(1);
        let (outgoing, receiver) = mpsc::channel(QUEUE);
        let (end, ended) = watch::channel(false);
        let thread = |name: &str| std::thread::Builder::new().name(name.to_owned());
        thread("reader").spawn(move || read(&sender))?;
        thread("writer").spawn(move || {
            write(receiver);
            let _ = end.send(true);
        })?;
        Ok(Self {
            incoming: Arc::new(tokio::sync::Mutex::new(incoming)),
            outgoing: Arc::new(Mutex::new(Some(outgoing))),
            calls: Arc::default(),
            ended,
            owed: None,
        })
    }

    /// What is under way for this client.
    pub(super) fn calls(&self) -> Arc<Calls> {
        Arc::clone(&self.calls)
    }

    /// Waits until the last answers are written, if anybody reads them.
    pub(super) async fn finish(&self) {
        drop(self.take_outgoing());
        let mut ended = self.ended.clone();
        let _ = tokio::time::timeout(LAST_WORDS, ended.wait_for(|ended| *ended)).await;
    }

    fn outgoing(&self) -> Option<mpsc::Sender<Vec<u8>>> {
        let outgoing = self.outgoing.lock();
        outgoing.unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn take_outgoing(&self) -> Option<mpsc::Sender<Vec<u8>>> {
        let outgoing = self.outgoing.lock();
        outgoing.unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Puts a message into the writer's hands. An answer counts as given once it is there.
    fn put(&self, message: Outgoing) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let outgoing = self.outgoing();
        let calls = Arc::clone(&self.calls);
        async move {
            let answered = match &message {
                JsonRpcMessage::Response(response) => Some(response.id.clone()),
                JsonRpcMessage::Error(error) => error.id.clone(),
                _ => None,
            };
            let line = line_of(&message)?;
            let gone = || io::Error::from(io::ErrorKind::BrokenPipe);
            let sent = outgoing.ok_or_else(gone)?.send(line).await;
            if let Some(id) = answered {
                calls.remove(&id);
            }
            sent.map_err(|_| gone())
        }
    }

    /// The next line, as soon as there is room for what it may ask; none when the client is gone.
    async fn line(&self) -> Option<Line> {
        let mut ended = self.ended.clone();
        let next = async {
            self.calls.has_room().await;
            self.incoming.lock().await.recv().await
        };
        tokio::select! {
            line = next => line,
            _ = ended.wait_for(|ended| *ended) => None,
        }
    }

    /// Hands over what is owed. Where this is interrupted, it is still owed.
    async fn pay(&mut self) {
        if self.owed.is_some()
            && let Some(outgoing) = self.outgoing()
            && let Ok(place) = outgoing.reserve().await
            && let Some(line) = self.owed.take()
        {
            place.send(line);
        }
        self.owed = None;
    }

    fn owe(&mut self, answer: &Outgoing) {
        self.owed = line_of(answer).ok();
    }

    /// What a line is; none where it wants an answer of another kind, or none. It does not wait, so that nothing that was
    /// taken in is lost when somebody else has to be served first.
    fn message(&mut self, line: Line) -> Option<Incoming> {
        let refused = |words: String| {
            let error = ErrorData::new(ErrorCode::INVALID_REQUEST, words, None);
            Outgoing::error(error, None)
        };
        let bytes = match line {
            Line::Whole(bytes) => bytes,
            Line::TooLong => {
                let words =
                    format!("the message is longer than {MAX_LINE} bytes and was passed over");
                self.owe(&refused(words));
                return None;
            }
        };
        let message = match serde_json::from_slice::<Incoming>(&bytes) {
            Ok(message) => message,
            Err(error) => {
                if let Some(answer) = misunderstood(&bytes, &error) {
                    self.owe(&answer);
                }
                return None;
            }
        };
        match &message {
            JsonRpcMessage::Request(request) => {
                // A subscription is answered when it ends; how many there may be is its own matter.
                let lasts = matches!(
                    request.request,
                    ClientRequest::SubscriptionsListenRequest(_)
                );
                if !lasts && !self.calls.add(&request.id) {
                    let words = "this id is in use by a call that is not answered yet";
                    self.owe(&refused(words.to_owned()));
                    return None;
                }
            }
            // What is cancelled is not answered any more; its work is done with when it ends.
            JsonRpcMessage::Notification(notification) => {
                if let ClientNotification::CancelledNotification(cancelled) =
                    &notification.notification
                    && let Some(id) = &cancelled.params.request_id
                {
                    self.calls.remove(id);
                }
            }
            _ => {}
        }
        Some(message)
    }
}

impl Transport<RoleServer> for Pipes {
    type Error = io::Error;

    fn send(&mut self, message: Outgoing) -> impl Future<Output = io::Result<()>> + Send + 'static {
        self.put(message)
    }

    async fn receive(&mut self) -> Option<Incoming> {
        loop {
            self.pay().await;
            let line = self.line().await?;
            if let Some(message) = self.message(line) {
                return Some(message);
            }
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn line_of(message: &Outgoing) -> io::Result<Vec<u8>> {
    let mut line = serde_json::to_vec(message)?;
    line.push(b'\n');
    Ok(line)
}

/// Reads until the client closes its end, or stops reading what we write.
fn read(lines: &mpsc::Sender<Line>) {
    let (stdin, stdout) = (io::stdin(), io::stdout());
    let mut cut = Lines::default();
    let mut chunk = vec![0; CHUNK];
    loop {
        let mut ends = [
            PollFd::new(&stdin, PollFlags::IN),
            PollFd::new(&stdout, PollFlags::empty()),
        ];
        match poll(&mut ends, None) {
            Ok(_) => {}
            Err(rustix::io::Errno::INTR) => continue,
            Err(_) => return,
        }
        let [_, output] = &ends;
        if output
            .revents()
            .intersects(PollFlags::ERR | PollFlags::NVAL)
        {
            return;
        }
        let read = match stdin.lock().read(&mut chunk) {
            Ok(0) => return,
            Ok(read) => read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) => return,
        };
        let mut gone = false;
        cut.take(chunk.get(..read).unwrap_or_default(), |line| {
            gone |= lines.blocking_send(line).is_err();
        });
        if gone {
            return;
        }
    }
}

/// Writes what it is given until there is no more, or nobody reads it.
fn write(mut lines: mpsc::Receiver<Vec<u8>>) {
    let mut stdout = io::stdout().lock();
    while let Some(line) = lines.blocking_recv() {
        if stdout
            .write_all(&line)
            .and_then(|()| stdout.flush())
            .is_err()
        {
            return;
        }
    }
}
