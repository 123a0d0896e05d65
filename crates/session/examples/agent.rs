//! A coding agent with memory: type, and it answers. What it learns today it knows tomorrow.
//!
//! `ANTHROPIC_API_KEY=… cargo run -p memdir-session --example agent`

#![allow(clippy::print_stdout)]

use std::io::{BufRead, Write};
use std::sync::Arc;

use jiff::{Timestamp, tz::TimeZone};
use memdir_model::{Anthropic, Cancel, Catalogue, Error, Key, Reply, Times};
use memdir_session::{Background, Home, Host, Prepared, Session, Setup};
use memdir_store::Environment;

type Problem = Box<dyn std::error::Error>;

fn send(session: &Session, prepared: &Prepared) -> Result<Reply, Error> {
    let answer = session.model().send(&prepared.body, &Cancel::new())?;
    answer.whole()
}

fn main() -> Result<(), Problem> {
    let name = "claude-sonnet-5-5";
    let key = Key::from_variable("ANTHROPIC_API_KEY", &std::env::var("ANTHROPIC_API_KEY")?)?;
    let address = std::env::var("ADDRESS").unwrap_or(memdir_model::ANTHROPIC_ADDRESS.to_owned());
    let facts = Catalogue::built_in().facts(name);
    let model = Anthropic::new(name, &address, Some(&key), facts, Times::default())?;
    let environment = Environment::new(std::env::current_dir()?, std::env::vars_os());
    let (home, zone) = (Home::find(environment)?, TimeZone::system());

    let mut session = Session::start(Setup {
        background: Background {
            // Without it no summary is made when the window is full.
            meter: Some(home.meter(Timestamp::now, &zone)),
            ..Background::default()
        },
        home,
        host: Host::default(),
        model: Arc::new(model),
        // One conversation, resumed each time; a new name begins another.
        name: "5d1c4e3a-0000-4000-8000-000000000001".to_owned(),
        now: Timestamp::now,
        zone,
    })?;
    for line in std::io::stdin().lock().lines() {
        session.user_message(&line?)?;
        let prepared = session.before_request()?;
        let mut reply = send(&session, &prepared);
        if let Err(Error::TooLong { .. }) = reply {
            let shorter = session.after_too_long()?;
            reply = send(&session, &shorter);
        }
        let reply = reply?;
        println!("{}", reply.words());
        session.replied(reply)?;
        for event in session.turn_ended()? {
            println!("· {event}");
        }
        std::io::stdout().flush()?;
    }
    for event in session.close()? {
        println!("· {event}");
    }
    Ok(())
}
