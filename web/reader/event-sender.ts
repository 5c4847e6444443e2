/**
 * Sends events of a page to the platform: in a batch after a short delay, and the rest when the page is left. A
 * failed batch is resent with the same id while the page is open. Everything is stored in memory only.
 *
 *   waiting ──delay, or the page is left──▶ batch in flight ──delivered, or rejected permanently──▶ done
 *                                                └──unreachable──▶ same batch, after an increasing delay
 */
import type { PageEvent, RecordEventsBody } from '../../src/features/analytics/operations/analytics-events.ts'
import { MAX_EVENT_AGE_MS, MAX_EVENTS } from '../../src/features/analytics/operations/event-lengths.ts'

export interface EventSender {
  add(event: Omit<PageEvent, 'ago'>): void
  flush(): void
  /** Sends everything when the page is left; responses are ignored. */
  flushOnLeave(): void
}

interface Waiting {
  event: Omit<PageEvent, 'ago'>
  /** Time of the event on the page's clock, in ms. */
  at: number
}

interface Batch {
  id: string
  events: Waiting[]
}

const BATCH_DELAY_MS = 1500
const MAX_RETRY_DELAY_MS = 300_000
const TIMEOUT_MS = 20_000
const MAX_WAITING_EVENTS = 200

/**
 * `find` resolves with the URL for events, or null while it is unknown. It is called immediately, so that short
 * visits are counted too.
 */
export function createEventSender(find: () => Promise<string | null>): EventSender {
  let address: string | null = null
  const waiting: Waiting[] = []
  let batch: Batch | null = null
  let delayMs = BATCH_DELAY_MS
  let timer = 0
  let isSending = false

  const scheduleSend = () => {
    clearTimeout(timer)
    timer = setTimeout(() => void send(), delayMs)
  }
  const resolveAddress = async () => {
    address ??= await find()
    return address
  }

  async function send(): Promise<void> {
    if (isSending || !navigator.onLine || (batch === null && waiting.length === 0)) return
    isSending = true
    const to = await resolveAddress()
    const hasFailed = to === null || !(await deliver(to))
    isSending = false
    delayMs = hasFailed ? Math.min(MAX_RETRY_DELAY_MS, delayMs * 4) : BATCH_DELAY_MS
    if (!hasFailed) batch = null
    if (batch !== null || waiting.length > 0) scheduleSend()
  }

  /** Sends a batch. Returns false if the batch should be retried; a permanently rejected batch should not. */
  async function deliver(to: string): Promise<boolean> {
    batch ??= { id: createId(), events: waiting.splice(0, MAX_EVENTS) }
    const response = await post(to, batch, AbortSignal.timeout(TIMEOUT_MS)).catch(() => null)
    return response !== null && response.status < 500 && response.status !== 429
  }

  void resolveAddress()
  return {
    add(event) {
      if (waiting.length < MAX_WAITING_EVENTS) waiting.push({ event, at: performance.now() })
      scheduleSend()
    },
    flush: () => void send(),
    flushOnLeave() {
      if (address === null) return
      // A batch in flight is resent with the same id and counts once.
      const last = batch === null ? [] : [batch]
      while (waiting.length > 0) last.push({ id: createId(), events: waiting.splice(0, MAX_EVENTS) })
      for (const left of last) void post(address, left, null).catch(() => {})
    },
  }
}

function post(address: string, { id, events }: Batch, signal: AbortSignal | null): Promise<Response> {
  const now = performance.now()
  const elapsedMs = (at: number) => Math.min(MAX_EVENT_AGE_MS, Math.max(0, Math.round(now - at)))
  const body: RecordEventsBody = {
    id,
    events: events.map(({ event, at }) => ({ ...event, ago: elapsedMs(at) })),
  }
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

/** Creates an id; `crypto.randomUUID` is not available without https. */
function createId(): string {
  const parts = crypto.getRandomValues(new Uint32Array(4))
  return Array.from(parts, (part) => part.toString(36).padStart(7, '0')).join('')
}
