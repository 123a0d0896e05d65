//! The doors for other programs: hooks of other agents, and MCP. Adapters only: what they do is done by the crates below.

pub mod hook;
pub mod mcp;
