/** The steps of an agent job as they happen, over connections that break and servers that stop. */
import { pause } from '../base/retry.ts'
import type { AgentEvent } from '../contract/agent.ts'
import { ApiError, type OctavoClient } from './client.ts'

export interface FollowedEvent {
  /** Of the event; hand it back as `after` to go on behind it. */
  id: number
  event: AgentEvent
}

export interface FollowOptions {
  /** Goes on behind this event. Default 0: from the first. */
  after?: number
  signal?: AbortSignal
  /** Connections that break or fail without an event, in a row. Default 8, which is a minute. */
  tries?: number
  /** Before the second try of a connection, in milliseconds; doubled for each further one. Default 250. */
  pauseMs?: number
}

type Followed = Pick<OctavoClient, 'streamAgentEvents' | 'getAgentJob'>

/** Yields each event once, in order, until the job is no longer active. Throws ApiError when the API refuses. */
export async function* followAgentJob(
  client: Followed,
  projectId: string,
  id: string,
  { after = 0, signal, tries = 8, pauseMs = 250 }: FollowOptions = {},
): AsyncGenerator<FollowedEvent> {
  const cancel = signal === undefined ? {} : { signal }
  let seen = after
  let isConnected = false
  let isOver = false
  for (let failures = 0; ; ) {
    const before = seen
    try {
      const chunks = await client.streamAgentEvents(projectId, id, { lastEventId: seen, ...cancel })
      isConnected = true
      for await (const followed of readEvents(chunks)) {
        seen = followed.id
        failures = 0
        yield followed
      }
      // A stream ends when the job is over, and when the server stops: only the job itself tells which. What came
      // between the end of the one and the look at the other is in a further stream.
      if (isOver && seen === before) return
      isOver = (await client.getAgentJob(projectId, id, signal)).status !== 'active'
      if (!isOver) await pause(pauseMs, signal)
    } catch (error) {
      if (signal?.aborted === true || !isConnected || !mayPass(error) || ++failures >= tries) throw error
      await pause(waitMs(error, pauseMs * 2 ** failures), signal)
    }
  }
}

function mayPass(error: unknown): boolean {
  return !(error instanceof ApiError) || error.status >= 500 || error.retryAfterSeconds !== null
}

function waitMs(error: unknown, otherwiseMs: number): number {
  const seconds = error instanceof ApiError ? error.retryAfterSeconds : null
  return seconds === null ? otherwiseMs : seconds * 1000
}

/** Whole events only: what a broken connection left of the last one is dropped with it. */
async function* readEvents(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<FollowedEvent> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of chunks) {
    const blocks = (rest + decoder.decode(chunk, { stream: true })).split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const event = readEvent(block)
      if (event !== null) yield event
    }
  }
}

/** Null for comments and for the pause that the server asks for. */
function readEvent(block: string): FollowedEvent | null {
  const fields = new Map<string, string>()
  for (const line of block.split('\n')) {
    const colon = line.indexOf(': ')
    if (colon > 0) fields.set(line.slice(0, colon), line.slice(colon + 2))
  }
  const [id, type, data] = [fields.get('id'), fields.get('event'), fields.get('data')]
  if (id === undefined || type === undefined || data === undefined) return null
  return { id: Number(id), event: { type, data: JSON.parse(data) } as AgentEvent }
}
