/** What the tests of the dashboard's work in the background share: a node with a scripted model, and people who look. */
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import type { Role } from '../../src/base/api/roles.ts'
import { createId } from '../../src/base/ids.ts'
import { type AgentScene, openAgentScene } from '../kit/agent.ts'
import { answersWith, type ScriptedAnswer, startModelServer } from '../kit/model-server.ts'
import { addPerson, signedIn } from '../kit/people.ts'

export interface Looking extends AsyncDisposable {
  context: BrowserContext
  page: Page
  /** Of the page: what was thrown, and what the browser complained about. */
  errors: string[]
  /** Asks the API as this person. */
  ask(method: string, path: string, body?: unknown): Promise<Response>
}

export interface WorkScene extends AsyncDisposable {
  agent: AgentScene
  projectId: string
  /** An address of the project's pages. */
  at(path: string): string
  look(browser: Browser, role: Role, options?: BrowserContextOptions): Promise<Looking>
  /** From now on the model waits before each answer; the returned function lets it go on. */
  hold(): () => void
}

export async function openWorkScene(options: {
  files?: Record<string, string>
  /** By a word of the prompt. */
  conversations?: Record<string, readonly ScriptedAnswer[]>
  env?: Record<string, string>
}): Promise<WorkScene> {
  await using opening = new AsyncDisposableStack()
  let gate: Promise<void> = Promise.resolve()
  const model = opening.use(
    await startModelServer((request, number) => async (exchange) => {
      await gate
      if (exchange.gone.aborted) return
      const prompt = request.messages.find(({ role }) => role === 'user')?.content ?? ''
      const found = Object.entries(options.conversations ?? {}).find(([word]) => prompt.includes(word))
      await answersWith(found?.[1] ?? [])(request, number)(exchange)
    }),
  )
  const agent = opening.use(
    await openAgentScene({
      ...(options.files === undefined ? {} : { files: options.files }),
      env: {
        OCTAVO_MODEL: 'openai-compatible:stand-in',
        OCTAVO_MODEL_URL: model.url,
        OCTAVO_MODEL_KEY: 'x',
        OCTAVO_MODEL_PRICES: 'openai-compatible:stand-in=3/15',
        OCTAVO_LIMIT_MEMBERS: '100000/60',
        ...options.env,
      },
    }),
  )
  const { octavo, projectId } = agent
  // Builds the dashboard when there is none of these sources.
  await (await fetch(`${octavo.url}/sign-in`, { headers: { accept: 'text/html' } })).text()
  const { database } = octavo.node.context
  const open = opening.move()
  return {
    agent,
    projectId,
    at: (path) => `${octavo.url}/p/${projectId}${path}`,
    hold() {
      const held = Promise.withResolvers<void>()
      gate = held.promise
      return held.resolve
    },
    async look(browser, role, more = {}) {
      const { organizationId, url } = octavo
      const email = `${createId('usr')}@example.com`
      await addPerson(database, { email, organizationId, role, name: `The ${role}` })
      const person = await signedIn(url, { email, organizationId })
      const context = await browser.newContext({
        reducedMotion: 'reduce',
        viewport: { width: 1440, height: 900 },
        ...more,
      })
      await context.addCookies([...person.cookies].map(([name, value]) => ({ name, value, url })))
      const page = await context.newPage()
      const errors: string[] = []
      page.on('pageerror', (error) => errors.push(String(error.stack ?? error)))
      page.on('console', (message) => {
        if (message.type() === 'error') errors.push(message.text())
      })
      const ask = (method: string, path: string, body?: unknown) => person.ask(path, { method, body })
      return { context, page, errors, ask, [Symbol.asyncDispose]: () => context.close() }
    },
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  }
}
