/**
 * Sends queued feedback to the platform, now or on a later page. Failures are not shown to the reader: an entry is
 * retried after a delay that doubles up to one hour, and immediately when the network is back.
 */
import type { PlatformFacts } from '../../src/base/api/widgets.ts'
import type { FeedbackQueue, QueueEntry, QueueState } from './feedback-queue.ts'
import { type Challenge, readChallenge, solveChallenge } from './proof-of-work.ts'

export interface FeedbackSender {
  /** Sends all due entries; the others are sent when due, if the page is still open. */
  flush(): void
}

/** In ms. */
const FIRST_PAUSE = 4000
const LONGEST_PAUSE = 3_600_000
const TIMEOUT = 20_000
/** Maximum delay of browser timers. */
const LONGEST_TIMER = 2 ** 31 - 1
/** Maximum bytes that browsers send for a closed page (`keepalive`). */
const KEEPALIVE_BYTES = 60_000
/** Maximum challenges solved for an entry before it has to wait. */
const MOST_PROOFS = 3

type Outcome = { kind: 'arrived' | 'refused' } | { kind: 'later'; waitMs: number } | { kind: 'away' }

/** `facts.load` resolves with null while they cannot be loaded. */
export function createSender(
  queue: FeedbackQueue,
  facts: { load(): Promise<PlatformFacts | null>; known(): PlatformFacts | null },
): FeedbackSender {
  let isAtWork = false
  let timer = 0

  async function work(): Promise<void> {
    for (;;) {
      clearTimeout(timer)
      const state = queue.read()
      const entry = firstDue(state)
      if (!entry || !navigator.onLine) return
      const waitMs = dueAt(state, entry) - Date.now()
      if (waitMs > 0) {
        timer = setTimeout(flush, Math.min(waitMs, LONGEST_TIMER))
        return
      }
      const platform = await facts.load()
      if (platform?.feedback === null) return
      const outcome: Outcome = platform ? await deliver(platform.feedback, entry) : { kind: 'away' }
      settle(queue, state, entry, outcome)
    }
  }

  function flush(): void {
    if (isAtWork) return
    isAtWork = true
    // Only one tab sends at a time, if the browser supports locks.
    const run = navigator.locks ? navigator.locks.request('octavo-feedback', work) : work()
    Promise.resolve(run)
      .catch((error: unknown) => console.debug('feedback was not sent', error))
      .finally(() => {
        isAtWork = false
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

function firstDue(state: QueueState): QueueEntry | undefined {
  return [...state.entries].sort((a, b) => a.after - b.after)[0]
}

function dueAt(state: QueueState, entry: QueueEntry): number {
  return Math.max(state.after, entry.after)
}

function settle(queue: FeedbackQueue, state: QueueState, entry: QueueEntry, outcome: Outcome): void {
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
      const longest = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** Math.min(state.tries, 20))
      const after = Date.now() + longest * (0.5 + Math.random() / 2)
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
    if (!challenge || proofs === MOST_PROOFS) return { kind: 'later', waitMs: waitOf(response) }
    proof = await solved(challenge)
  }
}

async function solved(challenge: Challenge): Promise<{ challenge: string; nonce: string }> {
  return { challenge: challenge.challenge, nonce: await solveChallenge(challenge) }
}

/** Returns the retry delay in ms; one minute when the platform does not specify it. */
function waitOf(response: Response): number {
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
    signal: AbortSignal.timeout(TIMEOUT),
  })
}
