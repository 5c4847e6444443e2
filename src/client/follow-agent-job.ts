/** The steps of an agent job as they happen, over connections that break and servers that stop. */
import { pause } from '../base/net/retry.ts'
import type { AgentEvent } from '../features/agent/operations/agent.ts'
import { ApiError } from './call.ts'
import type { OctavoClient } from './client.ts'
import { readEvents } from './server-sent-events.ts'

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
      for await (const { id: eventId, type, data } of readEvents(chunks)) {
        if (eventId === null) continue
        seen = Number(eventId)
        failures = 0
        yield { id: seen, event: { type, data: JSON.parse(data) } as AgentEvent }
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
