// Asks Claude Code's own model, behind a turn and on top of the conversation, what is worth keeping: only where the user has
// switched that on. memdir says what to ask, and decides what becomes of the answer.

const PATIENCE_MS = 30_000

const memdir = async ($, folder, step, said) => {
  const words = ["memdir", "fork", step, "--project", folder]
  const ran = await $.process.run(words, { stdin: JSON.stringify(said), timeoutMs: PATIENCE_MS })
  return ran.exitCode === 0 && ran.stdout ? JSON.parse(ran.stdout) : undefined
}

const look = async ($, folder) => {
  const session = await $.session.id()
  const question = await memdir($, folder, "ask", { session })
  if (!question) return
  const answer = await $.model.fork({ prompt: question.prompt, effort: "low" })
  const text = answer.isAnswered ? answer.text : undefined
  await memdir($, folder, "keep", { session, until: question.until, text, usage: answer.usage })
}

export const register = (on) => {
  let folder
  let isInteractive = false
  on("session.start", async ($, e, next) => {
    const kept = await next(e)
    isInteractive = e.isInteractive === true
    // Whatever fails here, the conversation goes on without it.
    const begun = await memdir($, e.cwd, "begin", { session: await $.session.id() }).catch(() => undefined)
    folder = begun ? e.cwd : undefined
    return kept
  })
  on("turn.complete", async ($, e, next) => {
    const kept = await next(e)
    if (folder === undefined || e.agentId !== undefined || e.isAborted) return kept
    const work = look($, folder).catch(() => undefined)
    // Nobody who sits in front of it waits; where nobody does, the program would end first.
    if (!isInteractive) await work
    return kept
  })
}
