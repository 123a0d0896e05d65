//! Talking to language models without losing a byte, a cent or a key.
//!
//! A [`Model`] makes the bytes of a [`Request`] and sends them; what comes back is an [`Answer`], an iterator over events that
//! ends with the whole [`Reply`] and what it cost. [`Anthropic`] speaks the Messages API, [`OpenAi`] Chat Completions,
//! [`Command`] asks the user's own agent. What a provider sends is kept as the bytes that came and goes back as the same.
//!
//! Nothing is loaded, started or asked before something is sent. Names, addresses and keys are handed in: nothing here reads
//! the environment. Nothing prints a key or what was said: errors and `Debug` show sizes.

mod answer;
mod anthropic;
mod cancel;
mod command;
mod error;
mod facts;
mod followed;
mod http;
mod json;
mod key;
mod model;
mod openai;
mod price;
mod reply;
mod request;
mod runtime;
mod sse;
#[cfg(test)]
mod tests;

pub use answer::Answer;
pub use anthropic::{ADDRESS as ANTHROPIC_ADDRESS, Anthropic};
pub use cancel::Cancel;
pub use command::{Agent, Command, Handed};
pub use error::{Cost, Error, ProviderText, Wait};
pub use facts::{Catalogue, CatalogueError, Facts, Thinks};
pub use http::{Times, is_local_address};
pub use key::{Key, KeyError, KeySource};
pub use model::{Identity, Model, Pong};
pub use openai::{ADDRESS as OPENAI_ADDRESS, OpenAi};
pub use price::{Billed, NanoUsd, Price};
pub use reply::{Event, Piece, RateLimits, Raw, Reply, Stop, What};
pub use request::{Body, Effort, Format, Request, Thinking};
