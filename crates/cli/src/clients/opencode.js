// memdir's plugin for opencode. `memdir setup opencode` writes this file, `memdir uninstall opencode` removes it.
//
// It tells memdir what happens, one JSON object on its standard input for each event, and puts what memdir answers where the
// model sees it. Whatever goes wrong here stays here: a conversation never waits for more than a few seconds, and never fails.

import { spawn } from "node:child_process"

const program = "PROGRAM"
const patience = 10_000
const most = 1_000_000

/** Asks memdir, without a shell in between; an empty answer when there is none. */
function tell(event) {
  return new Promise((resolve) => {
    let child
    try {
      child = spawn(program, ["hook", "opencode"], { stdio: ["pipe", "pipe", "ignore"], timeout: patience })
    } catch {
      return resolve({})
    }
    let said = ""
    child.on("error", () => resolve({}))
    child.stdin.on("error", () => {})
    child.stdout.on("data", (data) => {
      if (said.length < most) said += data
    })
    child.on("close", () => {
      try {
        resolve(JSON.parse(said || "{}"))
      } catch {
        resolve({})
      }
    })
    child.stdin.end(JSON.stringify(event))
  })
}

/** What memdir wants the model to know. */
const context = (answer) => answer?.hookSpecificOutput?.additionalContext || ""

export const Memdir = async ({ client, directory }) => {
  // Conversations that were told about memory by this process.
  const opened = new Set()
  // Conversations of sub-agents: not the user's words.
  const children = new Map()

  const isChild = async (session) => {
    if (!children.has(session)) {
      const found = await client.session.get({ path: { id: session } }).catch(() => undefined)
      children.set(session, Boolean(found?.data?.parentID))
    }
    return children.get(session)
  }

  /** What memdir wants the user to know: shown where there is a screen, and in opencode's own log. Nothing waits for it. */
  const inform = (answer) => {
    const message = answer?.systemMessage
    if (typeof message !== "string" || !message) return
    const shown = async () => client.tui.showToast({ body: { title: "memdir", message, variant: "info", duration: 10_000 } })
    const logged = async () => client.app.log({ body: { service: "memdir", level: "info", message } })
    shown().catch(() => {})
    logged().catch(() => {})
  }

  /** Asks memdir, shows the user what is for the user, and hands on the rest. */
  const ask = async (event) => {
    const answer = await tell(event)
    inform(answer)
    return answer
  }

  const base = (name, session) => ({ hook_event_name: name, session_id: session, cwd: directory })

  /** The conversation so far, as plain messages: opencode keeps no file that others can read. */
  const messages = async (session) => {
    const found = await client.session.messages({ path: { id: session } }).catch(() => undefined)
    return (found?.data ?? []).map(({ info, parts }) => ({
      id: info.id,
      role: info.role,
      time: info.time?.created,
      parts: parts
        .filter((part) => (part.type === "text" && !part.synthetic && !part.ignored) || part.type === "tool")
        .map((part) =>
          part.type === "text"
            ? { type: "text", text: part.text }
            : {
                type: "tool",
                id: part.callID,
                name: part.tool,
                input: part.state?.input ?? {},
                output: part.state?.output ?? part.state?.error,
                failed: part.state?.status === "error",
              },
        ),
    }))
  }

  /** What the conversation should know about its memory, when it begins and after a compaction. */
  const opening = async (session, source) => {
    opened.add(session)
    return context(await ask({ ...base("SessionStart", session), source }))
  }

  const start = async (session) => {
    if (opened.has(session)) return ""
    const earlier = await messages(session)
    return opening(session, earlier.some((message) => message.role === "assistant") ? "resume" : "startup")
  }

  return {
    "chat.message": async (input, output) => {
      const session = input.sessionID
      if (!session || (await isChild(session))) return
      const typed = output.parts.filter((part) => part.type === "text" && !part.synthetic)
      const prompt = typed.map((part) => part.text).join("\n")
      const texts = [await start(session)]
      if (prompt.trim()) texts.push(context(await ask({ ...base("UserPromptSubmit", session), prompt })))
      for (const text of texts.filter(Boolean)) {
        // Behind what the user wrote, as a part that is not theirs: what was sent before stays as it was.
        const id = `prt_${Date.now().toString(16)}${Math.random().toString(36).slice(2, 14)}`
        output.parts.push({ id, sessionID: session, messageID: output.message.id, type: "text", text, synthetic: true })
      }
    },

    "tool.execute.before": async (input, output) => {
      // Shells and tools of other servers write as well; these only look.
      if (["read", "grep", "glob", "list", "webfetch", "todoread", "todowrite"].includes(input.tool)) return
      const answer = await ask({
        ...base("PreToolUse", input.sessionID),
        tool_name: input.tool,
        tool_input: output.args,
        tool_use_id: input.callID,
      })
      const decision = answer?.hookSpecificOutput
      if (decision?.permissionDecision === "deny") throw new Error(decision.permissionDecisionReason || "refused by memdir")
    },

    "tool.execute.after": async (input, output) => {
      const answer = await ask({
        ...base("PostToolUse", input.sessionID),
        tool_name: input.tool,
        tool_input: input.args ?? {},
        tool_use_id: input.callID,
        tool_response: { output: output.output },
      })
      const text = context(answer)
      if (text) output.output = `${output.output}\n\n${text}`
    },

    "experimental.session.compacting": async (input, output) => {
      const session = input.sessionID
      if (!session || (await isChild(session))) return
      const words = context(await ask({ ...base("PreCompact", session), trigger: "auto" }))
      if (words) output.context?.push(words)
    },

    event: async ({ event }) => {
      const session = event.properties?.sessionID
      if (!session) return
      if (event.type === "session.idle" && !(await isChild(session))) {
        await ask({ ...base("Stop", session), stop_hook_active: false, messages: await messages(session) })
      }
      // What was said at the beginning is gone: the next message is told again.
      if (event.type === "session.compacted") opened.delete(session)
    },
  }
}
