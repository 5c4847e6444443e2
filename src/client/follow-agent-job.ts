/** Follows the events of an agent job, across broken connections and server restarts. */
import { pause } from '../base/net/retry.ts'
import type { AgentEvent } from '../features/agent/operations/agent.ts'
import { ApiError } from './call.ts'
import type { OctavoClient } from './client.ts'
import { readEvents } from './server-sent-events.ts'

export interface FollowedEvent {
  /** Id of the event; pass it as `after` to resume. */
  id: number
  event: AgentEvent
}

export interface FollowOptions {
  /** Resumes after this event. Defaults to 0, the start. */
  after?: number
  signal?: AbortSignal
  /** Maximum number of consecutive connections that fail without an event. Defaults to 8, about a minute. */
  tries?: number
  /** Delay before the second attempt in milliseconds, doubled for each further attempt. Defaults to 250. */
  pauseMs?: number
}

type Followed = Pick<OctavoClient, 'streamAgentEvents' | 'getAgentJob'>

/** Yields each event once, in order, until the job is no longer active. Throws ApiError for error responses. */
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
      for await (const { id: eventId, type, data } of readEvents(chunks)) {
        if (eventId === null) continue
        seen = Number(eventId)
        failures = 0
        yield { id: seen, event: { type, data: JSON.parse(data) } as AgentEvent }
      }
      // A stream ends when the job ends or the server stops; only the job itself shows which. Events between the
      // end of the stream and that check are in the next stream.
      if (isOver && seen === before) return
      isOver = (await client.getAgentJob(projectId, id, signal)).status !== 'active'
      if (!isOver) await pause(pauseMs, signal)
    } catch (error) {
      if (signal?.aborted === true || !isConnected || !isRetryable(error) || ++failures >= tries) throw error
      await pause(waitMs(error, pauseMs * 2 ** failures), signal)
    }
  }
}

function isRetryable(error: unknown): boolean {
  return !(error instanceof ApiError) || error.status >= 500 || error.retryAfterSeconds !== null
}

function waitMs(error: unknown, otherwiseMs: number): number {
  const seconds = error instanceof ApiError ? error.retryAfterSeconds : null
  return seconds === null ? otherwiseMs : seconds * 1000
}
