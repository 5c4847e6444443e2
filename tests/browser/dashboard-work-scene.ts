/** Shared setup for tests of background work in the dashboard: a node with a scripted model, and signed-in members. */

import type { Browser, BrowserContextOptions } from 'playwright-core'
import type { Role } from '../../src/base/api/roles.ts'
import { type AgentScene, openAgentScene } from '../kit/agent.ts'
import { answersWith, type ScriptedAnswer, startModelServer } from '../kit/model-server.ts'
import { look, type MemberLooking } from './dashboard-look.ts'

export interface WorkScene extends AsyncDisposable {
  agent: AgentScene
  projectId: string
  /** Returns the URL of a project page. */
  at(path: string): string
  look(browser: Browser, role: Role, options?: BrowserContextOptions): Promise<MemberLooking>
  /** Makes the model wait before each response until the returned function is called. */
  hold(): () => void
}

export async function openWorkScene(options: {
  files?: Record<string, string>
  /** Keyed by a word in the prompt. */
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
  // The first request builds the dashboard if there is no build of the current sources.
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
