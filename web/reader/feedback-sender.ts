/**
 * Sends queued feedback to the platform, now or on a later page. Failures are not shown to the reader: an entry is
 * retried after a delay that doubles up to one hour, and immediately when the network is back.
 */
import type { PlatformFacts } from '../../src/base/api/widgets.ts'
import type { FeedbackQueue, QueueEntry, QueueState } from './feedback-queue.ts'
import { type Challenge, readChallenge, solveChallenge } from './proof-of-work.ts'

export interface FeedbackSender {
  /** Sends all due entries; other entries are sent when due, if the page is still open. */
  flush(): void
}

const MIN_RETRY_DELAY_MS = 4000
const MAX_RETRY_DELAY_MS = 3_600_000
const TIMEOUT_MS = 20_000
/** Maximum delay of browser timers. */
const MAX_TIMER_MS = 2 ** 31 - 1
/** Maximum bytes that browsers send for a closed page (`keepalive`). */
const KEEPALIVE_BYTES = 60_000
/** Maximum challenges solved for an entry before it has to wait. */
const MAX_PROOFS_PER_ENTRY = 3

type Outcome = { kind: 'arrived' | 'refused' } | { kind: 'later'; waitMs: number } | { kind: 'away' }

/** `facts.load` resolves to null while the facts cannot be loaded. */
export function createSender(
  queue: FeedbackQueue,
  facts: { load(): Promise<PlatformFacts | null>; known(): PlatformFacts | null },
): FeedbackSender {
  let isSending = false
  let timer = 0

  async function sendDueEntries(): Promise<void> {
    for (;;) {
      clearTimeout(timer)
      const state = queue.read()
      const entry = findFirstDue(state)
      if (!entry || !navigator.onLine) return
      const waitMs = dueTime(state, entry) - Date.now()
      if (waitMs > 0) {
        timer = setTimeout(flush, Math.min(waitMs, MAX_TIMER_MS))
        return
      }
      const platform = await facts.load()
      if (platform?.feedback === null) return
      const outcome: Outcome = platform ? await deliver(platform.feedback, entry) : { kind: 'away' }
      recordOutcome(queue, state, entry, outcome)
    }
  }

  function flush(): void {
    if (isSending) return
    isSending = true
    // Only one tab sends at a time, if the browser supports locks.
    const run = navigator.locks
      ? navigator.locks.request('octavo-feedback', sendDueEntries)
      : sendDueEntries()
    Promise.resolve(run)
      .catch((error: unknown) => console.debug('feedback was not sent', error))
      .finally(() => {
        isSending = false
      })
  }

  addEventListener('online', () => {
    queue.pause({ tries: 0, after: 0 })
    flush()
  })
  addEventListener('pageshow', (event) => {
    if (event.persisted) flush()
  })
  // Sends entries still in their undo period instead of waiting for another page. They stay in the queue and are sent
  // again from the next page, because the response is lost.
  addEventListener('pagehide', () => {
    const held = queue.release()
    const address = facts.known()?.feedback
    if (!address || !navigator.onLine) return
    for (const entry of held) void post(address, entry).catch(() => {})
  })
  return { flush }
}

function findFirstDue(state: QueueState): QueueEntry | undefined {
  return [...state.entries].sort((a, b) => a.after - b.after)[0]
}

function dueTime(state: QueueState, entry: QueueEntry): number {
  return Math.max(state.after, entry.after)
}

function recordOutcome(queue: FeedbackQueue, state: QueueState, entry: QueueEntry, outcome: Outcome): void {
  switch (outcome.kind) {
    case 'arrived':
    case 'refused':
      queue.remove(entry)
      if (state.tries > 0) queue.pause({ tries: 0, after: 0 })
      return
    case 'later':
      queue.pause({ tries: state.tries, after: Date.now() + outcome.waitMs })
      return
    case 'away': {
      const maxDelayMs = Math.min(MAX_RETRY_DELAY_MS, MIN_RETRY_DELAY_MS * 2 ** Math.min(state.tries, 20))
      const after = Date.now() + maxDelayMs * (0.5 + Math.random() / 2)
      queue.pause({ tries: state.tries + 1, after })
    }
  }
}

async function deliver(address: string, entry: QueueEntry): Promise<Outcome> {
  let proof: { challenge: string; nonce: string } | undefined
  for (let proofs = 0; ; proofs++) {
    let response: Response
    try {
      response = await post(address, entry, proof)
    } catch {
      return { kind: 'away' }
    }
    if (response.ok) return { kind: 'arrived' }
    if (response.status >= 500 || response.status === 408) return { kind: 'away' }
    if (response.status !== 429) {
      console.debug('feedback was refused', response.status, await response.text().catch(() => ''))
      return { kind: 'refused' }
    }
    const challenge = readChallenge(response.headers.get('Octavo-Challenge'))
    if (!challenge || proofs === MAX_PROOFS_PER_ENTRY)
      return { kind: 'later', waitMs: readRetryDelay(response) }
    proof = await solveProof(challenge)
  }
}

async function solveProof(challenge: Challenge): Promise<{ challenge: string; nonce: string }> {
  return { challenge: challenge.challenge, nonce: await solveChallenge(challenge) }
}

/** Returns the retry delay in ms; one minute when the platform does not specify it. */
function readRetryDelay(response: Response): number {
  const seconds = Number(response.headers.get('Retry-After') ?? Number.NaN)
  return seconds > 0 ? Math.min(seconds, 86_400) * 1000 : 60_000
}

function post(address: string, { body, isWithdrawn }: QueueEntry, proof?: object): Promise<Response> {
  const sent = JSON.stringify(isWithdrawn ? { id: body.id } : { ...body, ...(proof ? { proof } : {}) })
  return fetch(address, {
    method: isWithdrawn ? 'DELETE' : 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: sent,
    credentials: 'omit',
    keepalive: new TextEncoder().encode(sent).length < KEEPALIVE_BYTES,
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
}
