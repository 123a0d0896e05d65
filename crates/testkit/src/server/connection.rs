//! Taking connections, one thread each, and ending them all with the server.

use std::collections::HashMap;
use std::io::{self, BufReader};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use super::delivery::{Ending, Outgoing, deliver};
use super::http::{self, Incoming};
use super::record::Exchange;
use super::state::{Meter, Shared};
use super::{control, routes};

/// The thread that takes connections, and those that serve them.
pub(super) struct Listener {
    pub(super) address: SocketAddr,
    open: Arc<Mutex<Open>>,
    thread: Option<JoinHandle<()>>,
}

/// The connections that are there.
#[derive(Default)]
struct Open {
    is_ending: bool,
    streams: HashMap<u64, TcpStream>,
}

impl Listener {
    pub(super) fn start(port: u16, shared: Arc<Shared>) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        let address = listener.local_addr()?;
        let open = Arc::new(Mutex::new(Open::default()));
        let known = Arc::clone(&open);
        let thread = thread::Builder::new()
            .name("test-server".to_owned())
            .spawn(move || accept(&listener, &shared, &known))?;
        Ok(Self {
            address,
            open,
            thread: Some(thread),
        })
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        {
            let mut open = lock(&self.open);
            open.is_ending = true;
            for stream in open.streams.values() {
                // Fails if the client was faster, which comes to the same.
                let _ = stream.shutdown(Shutdown::Both);
            }
        }
        // Wakes the thread that takes connections.
        let _ = TcpStream::connect(self.address);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn lock(open: &Mutex<Open>) -> std::sync::MutexGuard<'_, Open> {
    open.lock().unwrap_or_else(PoisonError::into_inner)
}

fn accept(listener: &TcpListener, shared: &Arc<Shared>, open: &Arc<Mutex<Open>>) {
    let mut threads: Vec<JoinHandle<()>> = Vec::new();
    for (number, stream) in (0..).zip(listener.incoming()) {
        threads.retain(|thread| !thread.is_finished());
        let Ok(stream) = stream else { continue };
        {
            // Under the lock, so that no connection slips in while the others are ended.
            let mut open = lock(open);
            if open.is_ending {
                break;
            }
            if let Ok(copy) = stream.try_clone() {
                open.streams.insert(number, copy);
            }
        }
        let (shared, known) = (Arc::clone(shared), Arc::clone(open));
        let spawned = thread::Builder::new()
            .name(format!("test-server-{number}"))
            .spawn(move || {
                // An error here is a client that left or spoke no HTTP.
                let _ = serve(&shared, stream, || {
                    lock(&known).streams.remove(&number);
                });
            });
        threads.extend(spawned);
    }
    for thread in threads {
        let _ = thread.join();
    }
}

fn serve(shared: &Shared, mut stream: TcpStream, forget: impl FnOnce()) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let mut reader = BufReader::new(stream.try_clone()?);
    let result = loop {
        match http::read(&mut reader) {
            Ok(Some(incoming)) => {
                let ending = exchange(shared, &incoming, &mut stream);
                let closes = incoming
                    .header("connection")
                    .is_some_and(|value| value.eq_ignore_ascii_case("close"));
                if ending != Ending::Whole || closes {
                    break Ok(());
                }
            }
            Ok(None) => break Ok(()),
            Err(error) => break Err(error),
        }
    };
    // The socket is closed with its last handle, and the client must not wait for that.
    forget();
    result
}

fn exchange(shared: &Shared, incoming: &Incoming, stream: &mut TcpStream) -> Ending {
    if incoming.path.starts_with(control::PREFIX) {
        let outgoing = control::answer(shared, incoming);
        return deliver(&outgoing, stream, &mut Unmetered);
    }
    let number = shared.begin(Exchange::new(incoming));
    let outgoing: Outgoing = routes::answer(shared, number, incoming);
    let mut meter = Meter {
        shared,
        number,
        plan: outgoing.plan.as_ref(),
        model: &outgoing.model,
    };
    let ending = deliver(&outgoing, stream, &mut meter);
    shared.finish(number, ending);
    ending
}

/// For answers that cost nothing.
struct Unmetered;

impl super::delivery::Progress for Unmetered {
    fn begins(&mut self) {}
    fn output(&mut self, _tokens: u64) {}
}
