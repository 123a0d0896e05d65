//! Requests of a client, each to the function that answers it, on a thread where it may take its time.

use std::sync::Arc;
use std::time::Duration;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, GetPromptRequestParams,
    GetPromptResponse, GetPromptResult, Implementation, InitializeRequestParams, InitializeResult,
    JsonObject, ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult,
    ListToolsResult, MetaObject, PaginatedRequestParams, ProgressNotificationParam, ProgressToken,
    Prompt, PromptArgument, PromptMessage, ReadResourceRequestParams, ReadResourceResponse,
    ReadResourceResult, Resource, ResourceContents, ResourceTemplate, Role, ServerCapabilities,
    ServerConfig, SubscribeRequestParams, SubscriptionFilter, Tool, ToolAnnotations,
    UnsubscribeRequestParams,
};
use rmcp::service::{NotificationContext, Peer, RequestContext, SubscriptionContext};
use rmcp::{ErrorData, RoleServer, ServerHandler};
use serde_json::{Value, json};
use tokio::sync::watch;

use super::calls::Calls;
use super::notices::Notices;
use crate::mcp::desk::Desk;
use crate::mcp::prompts::{self, PROMPTS};
use crate::mcp::refusal::Refusal;
use crate::mcp::resources;
use crate::mcp::room::Room;
use crate::mcp::tools::{self, Definition, TOOLS};

/// What a client tells its model about us.
const INSTRUCTIONS: &str = include_str!("instructions.md");
/// A mark that Claude Code honours: the tool is there from the first request on.
const ALWAYS_LOAD: &str = "anthropic/alwaysLoad";
const MARKDOWN: &str = "text/markdown";
/// For so long a client is waited for that was asked for its folders.
const PATIENCE: Duration = Duration::from_secs(2);
/// How far apart notices of progress are.
const PACE: Duration = Duration::from_millis(500);

/// Answers one client.
pub(super) struct Handler {
    desk: Arc<Desk>,
    calls: Arc<Calls>,
    notices: Arc<Notices>,
    /// Whether it is known in which folders the client works.
    settled: watch::Sender<bool>,
}

impl Handler {
    pub(super) fn new(desk: Arc<Desk>, calls: Arc<Calls>) -> Self {
        Self {
            notices: Arc::new(Notices::new(Arc::clone(&desk))),
            desk,
            calls,
            settled: watch::Sender::new(true),
        }
    }

    /// Until it is known where the client works; one that does not say so works where it started us.
    async fn settle(&self) {
        let mut settled = self.settled.subscribe();
        if tokio::time::timeout(PATIENCE, settled.wait_for(|settled| *settled))
            .await
            .is_err()
        {
            self.settled.send_replace(true);
        }
    }

    /// Asks a client where it works, and follows it there.
    // The newer era has no such question, and marks it as going.
    #[allow(deprecated)]
    async fn follow(&self, peer: Peer<RoleServer>) {
        let asked = tokio::time::timeout(PATIENCE, peer.list_roots()).await;
        if let Ok(Ok(answer)) = asked {
            let roots: Vec<String> = answer.roots.into_iter().map(|root| root.uri).collect();
            let desk = Arc::clone(&self.desk);
            let followed = tokio::task::spawn_blocking(move || desk.follow(&roots));
            if followed.await.unwrap_or(false) {
                // Whoever is gone by now is not told.
                let _ = peer.notify_tool_list_changed().await;
                let _ = peer.notify_resource_list_changed().await;
                self.notices.poke();
            }
        }
        self.settled.send_replace(true);
    }

    fn asks_where(&self, peer: &Peer<RoleServer>) -> bool {
        let client = peer.peer_info();
        self.desk.follows_client()
            && client.is_some_and(|client| client.capabilities.roots.is_some())
    }

    /// Does something with the memories, on a thread of its own, where memory is on. What was cancelled before its turn came is
    /// not done, and all is once the client is gone.
    async fn work<T: Send + 'static>(
        &self,
        context: &RequestContext<RoleServer>,
        work: impl FnOnce(&Room) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        let working = self.calls.work();
        self.settle().await;
        let desk = Arc::clone(&self.desk);
        let cancelled = context.ct.clone();
        let done = tokio::task::spawn_blocking(move || {
            let _working = working;
            if cancelled.is_cancelled() {
                return Err(Refusal::new("The call was cancelled", "Call it again"));
            }
            work(&*desk.open_room()?)
        });
        done.await.unwrap_or_else(|_| {
            Err(Refusal::new(
                "Something went wrong inside of memdir",
                "Tell the user: `memdir doctor` says more",
            ))
        })
    }

    /// The same, telling the client now and then that it goes on, where it wants to be told.
    async fn work_noticed<T: Send + 'static>(
        &self,
        context: &RequestContext<RoleServer>,
        work: impl FnOnce(&Room) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        let done = self.work(context, work);
        let Some(token) = context.meta.get_progress_token() else {
            return done.await;
        };
        tokio::select! {
            done = done => done,
            never = keep_telling(&context.peer, token) => never,
        }
    }
}

/// Notices of progress, for as long as it takes.
async fn keep_telling<T>(peer: &Peer<RoleServer>, token: ProgressToken) -> T {
    let mut halves = 0.0_f64;
    loop {
        tokio::time::sleep(PACE).await;
        halves += 1.0;
        let progress = ProgressNotificationParam::new(token.clone(), halves / 2.0)
            .with_message(format!("at work for {} s", halves / 2.0));
        // A client that does not listen is answered all the same.
        let _ = peer.notify_progress(progress).await;
    }
}

impl ServerHandler for Handler {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_tool_list_changed()
            .enable_prompts()
            .enable_resources()
            .enable_resources_list_changed()
            .enable_resources_subscribe()
            .build();
        let server = Implementation::new("memdir", env!("CARGO_PKG_VERSION"))
            .with_title("memdir")
            .with_description("The memory of your coding agents, in plain Markdown files");
        let info = ServerConfig::new(capabilities).with_server_info(server);
        // Where memory is off nothing is said about it.
        match self.desk.open_room() {
            Ok(_) => info.with_instructions(INSTRUCTIONS.trim_end()),
            Err(_) => info,
        }
    }

    async fn initialize(
        &self,
        request: InitializeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<InitializeResult, ErrorData> {
        context.peer.set_peer_info(request.clone());
        if self.asks_where(&context.peer) {
            self.settled.send_replace(false);
        }
        self.notices.begin().await;
        self.negotiate_initialize(&request)
    }

    async fn on_initialized(&self, context: NotificationContext<RoleServer>) {
        tokio::spawn(Arc::clone(&self.notices).tell(context.peer.clone()));
        if self.asks_where(&context.peer) {
            self.follow(context.peer).await;
        }
    }

    async fn on_roots_list_changed(&self, context: NotificationContext<RoleServer>) {
        if self.asks_where(&context.peer) {
            self.settled.send_replace(false);
            self.follow(context.peer).await;
        }
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let is_on = self.work(&context, |_| Ok(())).await.is_ok();
        let tools = TOOLS.iter().filter(|_| is_on).map(tool);
        Ok(ListToolsResult::with_all_items(tools.collect()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(tool) = tools::named(&request.name) else {
            let words = format!("there is no tool {}", request.name.escape_debug());
            return Err(ErrorData::invalid_params(words, None));
        };
        let arguments = request.arguments;
        let done = self
            .work_noticed(&context, move |room| tool.call(room, arguments))
            .await;
        if !tool.reads {
            self.notices.poke();
        }
        let result = match done {
            Ok(told) => CallToolResult::success(vec![ContentBlock::text(told)]),
            Err(refusal) => CallToolResult::error(vec![ContentBlock::text(refusal.to_string())]),
        };
        Ok(result.into())
    }

    async fn list_resources(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let cursor = request.and_then(|request| request.cursor);
        let is_first = cursor.is_none();
        let page = self
            .work(&context, move |room| {
                resources::page(room, cursor.as_deref())
            })
            .await;
        let (listed, next) = match page {
            Ok(page) => page,
            // Where memory is off there is nothing.
            Err(_) if is_first => Default::default(),
            Err(refusal) => return Err(invalid(&refusal)),
        };
        let mut result =
            ListResourcesResult::with_all_items(listed.into_iter().map(resource).collect());
        result.next_cursor = next;
        Ok(result)
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        let template = ResourceTemplate::new(resources::TEMPLATE, "memory")
            .with_title("A memory")
            .with_description("A memory of this project, by its path")
            .with_mime_type(MARKDOWN);
        Ok(ListResourceTemplatesResult::with_all_items(vec![template]))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let address = request.uri.clone();
        let text = self
            .work_noticed(&context, move |room| resources::text(room, &address))
            .await;
        let text =
            text.map_err(|refusal| ErrorData::resource_not_found(refusal.to_string(), None))?;
        let contents = ResourceContents::TextResourceContents {
            uri: request.uri,
            mime_type: Some(MARKDOWN.to_owned()),
            text,
            meta: None,
        };
        Ok(ReadResourceResult::new(vec![contents]).into())
    }

    // Of the older era, and marked as going.
    #[allow(deprecated)]
    async fn subscribe(
        &self,
        request: SubscribeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        let known = resources::target(&request.uri).is_some();
        if !known {
            let unknown = resources::unknown(&request.uri);
            return Err(ErrorData::resource_not_found(unknown.to_string(), None));
        }
        let notices = Arc::clone(&self.notices);
        let subscribed = self.work(&context, move |room| {
            Ok(notices.subscribe(room, request.uri))
        });
        match subscribed.await.map_err(|refusal| invalid(&refusal))? {
            true => Ok(()),
            false => Err(ErrorData::invalid_request(
                "too many subscriptions; unsubscribe first",
                None,
            )),
        }
    }

    #[allow(deprecated)]
    async fn unsubscribe(
        &self,
        request: UnsubscribeRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.notices.unsubscribe(&request.uri);
        Ok(())
    }

    fn accepted_subscription_filter(
        &self,
        requested: &SubscriptionFilter,
    ) -> Option<SubscriptionFilter> {
        Some(Notices::accepted(requested))
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        self.notices.listen(context).await
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        let is_on = self.work(&context, |_| Ok(())).await.is_ok();
        let prompts = PROMPTS.iter().filter(|_| is_on).map(prompt);
        Ok(ListPromptsResult::with_all_items(prompts.collect()))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        let Some(prompt) = prompts::named(&request.name) else {
            let words = format!("there is no prompt {}", request.name.escape_debug());
            return Err(ErrorData::invalid_params(words, None));
        };
        let said = self
            .work(&context, move |_| prompt.said(request.arguments.as_ref()))
            .await;
        let said = said.map_err(|refusal| invalid(&refusal))?;
        let message = PromptMessage::new_text(Role::User, said);
        Ok(GetPromptResult::new(vec![message])
            .with_description(prompt.description)
            .into())
    }
}

fn invalid(refusal: &Refusal) -> ErrorData {
    ErrorData::invalid_params(refusal.to_string(), None)
}

fn tool(tool: &Definition) -> Tool {
    let annotations = ToolAnnotations::with_title(tool.title)
        .read_only(tool.reads)
        .destructive(tool.destroys)
        .idempotent(tool.once)
        .open_world(false);
    Tool::new(tool.name, tool.description, object((tool.schema)()))
        .with_title(tool.title)
        .with_annotations(annotations)
        .with_meta(MetaObject(object(json!({ALWAYS_LOAD: true}))))
}

fn object(value: Value) -> JsonObject {
    match value {
        Value::Object(object) => object,
        _ => JsonObject::new(),
    }
}

fn resource(listed: resources::Listed) -> Resource {
    let resource = Resource::new(listed.address, listed.name)
        .with_mime_type(MARKDOWN)
        .with_size(listed.size);
    match listed.description {
        Some(description) => resource.with_description(description),
        None => resource,
    }
}

fn prompt(prompt: &prompts::Prompt) -> Prompt {
    let arguments = prompt.argument.as_ref().map(|argument| {
        let argument = PromptArgument::new(argument.name)
            .with_description(argument.description)
            .with_required(true);
        vec![argument]
    });
    Prompt::new(prompt.name, Some(prompt.description), arguments).with_title(prompt.title)
}
