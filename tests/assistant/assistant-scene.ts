/** Shared setup of the assistant tests. */
import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import type { Passage } from '../../src/base/api/passages.ts'
import type { Database } from '../../src/database/database.ts'
import type { AskAssistantBody, AssistantEvent } from '../../src/features/assistant/operations/assistant.ts'
import { storePassages } from '../../src/features/assistant/store-passages.ts'
import type { Limits } from '../../src/features/limits.ts'
import { responseLimits } from '../../src/model/bounded-fetch.ts'
import { openModel } from '../../src/model/open-model.ts'
import type { Site } from '../feedback/feedback-scene.ts'
import { type ApiUnderTest, startApi } from '../http/api-under-test.ts'
import { listedGuard } from '../kit/git.ts'
import { type Behaviour, type ModelServer, replies, startModelServer } from '../kit/model-server.ts'

export const KEY = 'a-key-of-the-model-server-0123456789'

export interface AssistantScene extends AsyncDisposable {
  api: ApiUnderTest
  server: ModelServer
  /** Sets the behaviour of the model from now on. */
  behave(behaviour: Behaviour): void
  /** Makes the model write these lines from now on. */
  say(...lines: (object | string)[]): void
}

export async function startAssistant(
  options: { limits?: Partial<Limits>; monthly?: { questions: number; tokens: number } } = {},
): Promise<AssistantScene> {
  await using opening = new AsyncDisposableStack()
  let behaviour: Behaviour = replies({ text: '{"covered": false}' })
  const server = opening.use(await startModelServer(() => (exchange) => behaviour(exchange)))
  const model = openModel(
    { name: 'openai-compatible:stand-in', url: server.url, replayFile: null, recordFile: null },
    { compatible: KEY },
    listedGuard,
    responseLimits(5000),
  )
  const monthly = options.monthly ?? { questions: 10_000, tokens: 1_000_000_000 }
  const limits = {
    questions: { count: 10_000, seconds: 600 },
    siteQuestions: { count: 10_000, seconds: 600 },
    ...options.limits,
  }
  const api = opening.use(await startApi({ limits, assistant: { model, monthly }, trustedProxies: 1 }))
  const open = opening.move()
  return {
    api,
    server,
    behave(wanted) {
      behaviour = wanted
    },
    say(...lines) {
      const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n')
      behaviour = replies({ text })
    },
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  }
}

export function passage(given: Partial<Passage> & Pick<Passage, 'path' | 'text'>): Passage {
  return { anchor: null, title: given.path, heading: '', language: 'en', version: null, words: '', ...given }
}

let started = 0

export async function putPassages(
  database: Database,
  projectId: string,
  passages: readonly Passage[],
  place: 'hosted' | 'bundle' = 'bundle',
  instructions: string | null = null,
): Promise<void> {
  const lines = passages.map((one) => `${JSON.stringify(one)}\n`).join('')
  const startedAt = new Date(Date.now() + started++)
  await database.transaction((tx) =>
    storePassages(tx, { projectId, place, startedAt, instructions }, Readable.from([gzipSync(lines)])),
  )
}

export function bodyOf(question: string, more: Partial<AskAssistantBody> = {}): AskAssistantBody {
  return { messages: [{ role: 'user', parts: [{ type: 'text', text: question }] }], ...more }
}

/** Sends a question like a page of a client-hosted site. */
export function ask(
  api: ApiUnderTest,
  site: Site,
  body: unknown,
  init: { headers?: Record<string, string>; signal?: AbortSignal } = {},
): Promise<Response> {
  return api.fetch(`/_octavo/sites/${site.siteId}/assistant`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': '203.0.113.7', ...init.headers },
    body: typeof body === 'string' ? JSON.stringify(bodyOf(body)) : JSON.stringify(body),
    ...(init.signal && { signal: init.signal }),
  })
}

export function eventsIn(text: string): AssistantEvent[] {
  return text.split('\n\n').flatMap((block) => {
    const event = /^event: (.*)$/m.exec(block)?.[1]
    const data = /^data: (.*)$/m.exec(block)?.[1]
    return event === undefined || data === undefined
      ? []
      : [{ event, data: JSON.parse(data) } as AssistantEvent]
  })
}

export async function answerTo(api: ApiUnderTest, site: Site, body: unknown): Promise<AssistantEvent[]> {
  const response = await ask(api, site, body)
  if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`)
  return eventsIn(await response.text())
}

export function claimsOf(events: readonly AssistantEvent[]) {
  return events.flatMap((one) => (one.event === 'claim' ? [one.data] : []))
}

export function endOf(events: readonly AssistantEvent[]) {
  const last = events.at(-1)
  if (last?.event !== 'end') throw new Error(`no end, but ${JSON.stringify(last)}`)
  return last.data
}
