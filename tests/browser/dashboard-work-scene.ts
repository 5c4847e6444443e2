/** What the tests of the dashboard's work in the background share: a node with a scripted model, and people who look. */

import type { Browser, BrowserContextOptions } from 'playwright-core'
import type { Role } from '../../src/base/api/roles.ts'
import { type AgentScene, openAgentScene } from '../kit/agent.ts'
import { answersWith, type ScriptedAnswer, startModelServer } from '../kit/model-server.ts'
import { look, type MemberLooking } from './dashboard-look.ts'

export interface WorkScene extends AsyncDisposable {
  agent: AgentScene
  projectId: string
  /** An address of the project's pages. */
  at(path: string): string
  look(browser: Browser, role: Role, options?: BrowserContextOptions): Promise<MemberLooking>
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
    look: (browser, role, options) => look(browser, octavo, role, options),
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  }
}
