//! Telling a client that memories changed: in the older era what it subscribed to, in the newer one what it listens for.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rmcp::model::{ResourceUpdatedNotificationParam, SubscriptionFilter};
use rmcp::service::{Peer, SubscriptionContext};
use rmcp::{ErrorData, RoleServer};
use tokio::sync::watch;

use crate::mcp::desk::Desk;
use crate::mcp::room::Room;
use crate::mcp::watch::{Changes, Look, Watch, look_at};

/// How far apart looks at the files are.
const PACE: Duration = Duration::from_secs(1);
/// So many addresses may be subscribed to; and so many listen at once.
const MOST: usize = 1_000;
const LISTENERS: usize = 16;

/// Who wants to be told what.
pub(super) struct Notices {
    desk: Arc<Desk>,
    /// What was subscribed to in the older era, and what it looked like then.
    addresses: Mutex<BTreeMap<String, Look>>,
    /// What there was when the client greeted us.
    begun: Mutex<Watch>,
    /// Counts changes of our own, so that they are told without waiting.
    poked: watch::Sender<u64>,
    listeners: tokio::sync::Semaphore,
}

impl Notices {
    pub(super) fn new(desk: Arc<Desk>) -> Self {
        Self {
            desk,
            addresses: Mutex::default(),
            begun: Mutex::default(),
            poked: watch::Sender::new(0),
            listeners: tokio::sync::Semaphore::new(LISTENERS),
        }
    }

    /// Something may have changed by us.
    pub(super) fn poke(&self) {
        self.poked
            .send_modify(|count| *count = count.wrapping_add(1));
    }

    fn addresses(&self) -> MutexGuard<'_, BTreeMap<String, Look>> {
        locked(&self.addresses)
    }

    /// Takes in what there is now; what changes from now on is told.
    pub(super) async fn begin(&self) {
        let mut rounds = Rounds::new(self, Watch::default());
        rounds.look(Vec::new()).await;
        *locked(&self.begun) = rounds.watch;
    }

    /// Takes in what an address leads to now; false where there are too many.
    pub(super) fn subscribe(&self, room: &Room, address: String) -> bool {
        let look = look_at(room, &address);
        let mut addresses = self.addresses();
        let fits = addresses.len() < MOST || addresses.contains_key(&address);
        if fits {
            addresses.insert(address, look);
        }
        fits
    }

    pub(super) fn unsubscribe(&self, address: &str) {
        self.addresses().remove(address);
    }

    /// Tells a client of the older era until it is gone.
    pub(super) async fn tell(self: Arc<Self>, peer: Peer<RoleServer>) {
        let begun = std::mem::take(&mut *locked(&self.begun));
        let mut rounds = Rounds::new(&self, begun);
        loop {
            let addresses = self.addresses().clone();
            let changes = rounds.look(addresses.into_iter().collect()).await;
            if peer.is_transport_closed() {
                return;
            }
            let mut told = Ok(());
            if changes.tools {
                told = peer.notify_tool_list_changed().await;
            }
            if changes.list {
                told = told.and(peer.notify_resource_list_changed().await);
            }
            for address in changes.updated {
                let updated = ResourceUpdatedNotificationParam::new(address);
                told = told.and(peer.notify_resource_updated(updated).await);
            }
            if told.is_err() {
                return;
            }
            rounds.wait().await;
        }
    }

    /// Tells a client of the newer era until it no longer listens.
    pub(super) async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        let Ok(_place) = self.listeners.try_acquire() else {
            let words = format!("{LISTENERS} subscriptions are open; close one first");
            return Err(ErrorData::invalid_request(words, None));
        };
        let SubscriptionFilter {
            tools_list_changed,
            resources_list_changed,
            resource_subscriptions,
            ..
        } = context.accepted().clone();
        let mut rounds = Rounds::new(self, Watch::default());
        let addresses = rounds
            .subscribed(resource_subscriptions.unwrap_or_default())
            .await;
        loop {
            let changes = rounds.look(addresses.clone()).await;
            let sink = context.sink();
            let mut told = Ok(());
            if changes.tools && tools_list_changed == Some(true) {
                told = sink.notify_tool_list_changed().await;
            }
            if changes.list && resources_list_changed == Some(true) {
                told = told.and(sink.notify_resource_list_changed().await);
            }
            for address in changes.updated {
                told = told.and(sink.notify_resource_updated(address).await);
            }
            if told.is_err() {
                return Ok(());
            }
            tokio::select! {
                () = rounds.wait() => {}
                () = context.cancelled() => return Ok(()),
            }
        }
    }

    /// The part of what a client wants to listen for that there is.
    pub(super) fn accepted(requested: &SubscriptionFilter) -> SubscriptionFilter {
        let mut accepted = requested.clone();
        accepted.prompts_list_changed = None;
        if let Some(addresses) = &mut accepted.resource_subscriptions {
            addresses.truncate(MOST);
        }
        accepted
    }
}

/// Looks, one after the other.
struct Rounds {
    desk: Arc<Desk>,
    /// Whether memory was on at the last look; unknown before the first.
    was_on: Option<bool>,
    watch: Watch,
    poked: watch::Receiver<u64>,
}

impl Rounds {
    fn new(notices: &Notices, watch: Watch) -> Self {
        Self {
            desk: Arc::clone(&notices.desk),
            was_on: None,
            watch,
            poked: notices.poked.subscribe(),
        }
    }

    /// Addresses with what they lead to now.
    async fn subscribed(&self, addresses: Vec<String>) -> Vec<(String, Look)> {
        let desk = Arc::clone(&self.desk);
        let looked = tokio::task::spawn_blocking(move || {
            let room = desk.open_room().ok();
            let with_look = addresses.into_iter().map(|address| {
                let look = room.as_ref().and_then(|room| look_at(room, &address));
                (address, look)
            });
            with_look.collect()
        });
        looked.await.unwrap_or_default()
    }

    /// What changed since the last look. Where memory is off nothing is looked at; that it was switched is told, and with it
    /// that all memories went or came.
    async fn look(&mut self, addresses: Vec<(String, Look)>) -> Changes {
        let desk = Arc::clone(&self.desk);
        let mut watch = std::mem::take(&mut self.watch);
        let looked = tokio::task::spawn_blocking(move || {
            let (is_on, changes) = match desk.open_room() {
                Ok(room) => (true, watch.look(&room, addresses)),
                Err(_) => (false, Changes::default()),
            };
            (watch, is_on, changes)
        });
        let Ok((watch, is_on, mut changes)) = looked.await else {
            return Changes::default();
        };
        self.watch = watch;
        if self.was_on.replace(is_on).is_some_and(|was| was != is_on) {
            changes.tools = true;
            changes.list = true;
        }
        changes
    }

    /// Until it is time for the next look.
    async fn wait(&mut self) {
        let _ = tokio::time::timeout(PACE, self.poked.changed()).await;
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
