/**
 * Brings what happened on a page to the platform: after a moment in one batch, and the rest when the page is left. A
 * batch that did not arrive is sent again under the same id while the page is open. All of it is in memory alone.
 *
 *   waiting ──a moment, or the page is left──▶ a batch under way ──arrived, or refused for good──▶ gone
 *                                                   └──away──▶ the same batch, after a pause that grows
 */
import type { PageEvent, RecordEventsBody } from '../../src/features/analytics/operations/analytics-events.ts'
import { MAX_EVENT_AGE, MAX_EVENTS } from '../../src/features/analytics/operations/event-lengths.ts'

export interface EventSender {
  add(event: Omit<PageEvent, 'ago'>): void
  /** Sends what waits, if the network is there. */
  flush(): void
  /** The page is left: the answer is nobody's any more. */
  leave(): void
}

interface Waiting {
  event: Omit<PageEvent, 'ago'>
  /** Milliseconds, of the clock of the page. */
  at: number
}

interface Batch {
  id: string
  events: Waiting[]
}

/** Milliseconds. */
const GATHER = 1500
const LONGEST_PAUSE = 300_000
const TIMEOUT = 20_000
const MOST_WAITING = 200

/** `find` resolves with null while nobody knows where events go. It is asked at once: who leaves soon is counted too. */
export function createEventSender(find: () => Promise<string | null>): EventSender {
  let address: string | null = null
  const waiting: Waiting[] = []
  let batch: Batch | null = null
  let pause = GATHER
  let timer = 0
  let isAtWork = false

  const later = () => {
    clearTimeout(timer)
    timer = setTimeout(() => void send(), pause)
  }
  const locate = async () => {
    address ??= await find()
    return address
  }

  async function send(): Promise<void> {
    if (isAtWork || !navigator.onLine || (batch === null && waiting.length === 0)) return
    isAtWork = true
    const to = await locate()
    const isAway = to === null || !(await deliver(to))
    isAtWork = false
    pause = isAway ? Math.min(LONGEST_PAUSE, pause * 4) : GATHER
    if (!isAway) batch = null
    if (batch !== null || waiting.length > 0) later()
  }

  /** False for what is worth another try: what is refused for good would be refused again. */
  async function deliver(to: string): Promise<boolean> {
    batch ??= { id: newId(), events: waiting.splice(0, MAX_EVENTS) }
    const response = await post(to, batch, AbortSignal.timeout(TIMEOUT)).catch(() => null)
    return response !== null && response.status < 500 && response.status !== 429
  }

  void locate()
  return {
    add(event) {
      if (waiting.length < MOST_WAITING) waiting.push({ event, at: performance.now() })
      later()
    },
    flush: () => void send(),
    leave() {
      if (address === null) return
      // A batch that is under way is sent again under its id, and counts once.
      const last = batch === null ? [] : [batch]
      while (waiting.length > 0) last.push({ id: newId(), events: waiting.splice(0, MAX_EVENTS) })
      for (const left of last) void post(address, left, null).catch(() => {})
    },
  }
}

function post(address: string, { id, events }: Batch, signal: AbortSignal | null): Promise<Response> {
  const now = performance.now()
  const agoOf = (at: number) => Math.min(MAX_EVENT_AGE, Math.max(0, Math.round(now - at)))
  const body: RecordEventsBody = { id, events: events.map(({ event, at }) => ({ ...event, ago: agoOf(at) })) }
  return fetch(address, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
    credentials: 'omit',
    referrerPolicy: 'no-referrer',
    keepalive: true,
    signal,
  })
}

/** Also on pages without https, where browsers make no UUIDs. */
function newId(): string {
  const parts = crypto.getRandomValues(new Uint32Array(4))
  return Array.from(parts, (part) => part.toString(36).padStart(7, '0')).join('')
}
