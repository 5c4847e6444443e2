/** Records how clients, the load balancer and Prometheus see a server during an outage of one of its dependencies. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type StartedServer, siteRequest } from './started-server.ts'

export interface Callers {
  domain: string
  siteId: string
  jobId: string
}

export interface Seen {
  /** Number of responses per status, by caller. */
  statuses: Record<Caller, Map<number, number>>
  /** Messages from /readyz other than `ok`, by component. */
  parts: Map<string, string>
  /** 503 responses counted by /metrics during the fault. */
  refused: number
  /** Longest response time over all calls. */
  longestMs: number
  recoveredAfterSeconds: number
}

const CALLERS = ['read', 'site', 'write'] as const
export type Caller = (typeof CALLERS)[number]

const EVERY_MS = 200
/** Time limit for the recovery. */
const PATIENCE_MS = 120_000

/**
 * Causes the fault, waits, and repairs anything that does not recover by itself. Recovery is measured from its end, or
 * from the call of `mended` if the steps after that are part of the recovery.
 */
export type Fault = (mended: () => void) => Promise<void>

export async function watchFault(server: StartedServer, callers: Callers, fault: Fault): Promise<Seen> {
  const seen: Seen = {
    statuses: { read: new Map(), site: new Map(), write: new Map() },
    parts: new Map(),
    refused: 0,
    longestMs: 0,
    recoveredAfterSeconds: 0,
  }
  const before = await refusedAnswers(server)
  const over = new AbortController()
  const asking = Promise.all([...askers(server, callers, seen)].map((ask) => keepAsking(ask, over.signal)))
  let mended: number | null = null
  await fault(() => {
    mended = performance.now()
  })
  const since = mended ?? performance.now()
  await untilWell(server, callers, seen)
  seen.recoveredAfterSeconds = (performance.now() - since) / 1000
  over.abort()
  await asking
  seen.refused = (await refusedAnswers(server)) - before
  return seen
}

function* askers(server: StartedServer, callers: Callers, seen: Seen): Generator<() => Promise<void>> {
  for (const caller of CALLERS) yield async () => void (await askAndNote(server, callers, caller, seen))
  yield async () => {
    const { parts } = await readiness(server)
    for (const [name, said] of Object.entries(parts)) if (said !== 'ok') seen.parts.set(name, said)
  }
}

async function askAndNote(
  server: StartedServer,
  callers: Callers,
  caller: Caller,
  seen: Seen,
): Promise<number> {
  const began = performance.now()
  const status = await ask(server, callers, caller)
  seen.longestMs = Math.max(seen.longestMs, performance.now() - began)
  seen.statuses[caller].set(status, (seen.statuses[caller].get(status) ?? 0) + 1)
  return status
}

async function keepAsking(ask: () => Promise<void>, over: AbortSignal): Promise<void> {
  while (!over.aborted) {
    await ask()
    await sleep(EVERY_MS)
  }
}

/** Reads an export, requests a page of the site, or submits feedback. */
async function ask(server: StartedServer, callers: Callers, caller: Caller): Promise<number> {
  if (caller === 'site') return (await siteRequest(server, callers.domain, '/page-1')).status
  const path =
    caller === 'read'
      ? `/v1/static-export/jobs/${callers.jobId}`
      : `/_octavo/sites/${callers.siteId}/feedback`
  const response = await fetch(server.url + path, {
    ...(caller === 'write'
      ? { method: 'POST', body: JSON.stringify({ path: '/page-1', helpful: true }) }
      : {}),
    headers: { authorization: `Bearer ${server.key}`, 'content-type': 'application/json' },
  })
  await response.arrayBuffer()
  return response.status
}

async function untilWell(server: StartedServer, callers: Callers, seen: Seen): Promise<void> {
  const end = performance.now() + PATIENCE_MS
  for (;;) {
    const statuses = await Promise.all(CALLERS.map((caller) => askAndNote(server, callers, caller, seen)))
    const { ok, parts } = await readiness(server)
    if (ok && statuses.every((status) => status < 300)) return
    if (performance.now() > end)
      throw new Error(`not well again: ${statuses.join(', ')}, ${JSON.stringify(parts)}`)
    await sleep(EVERY_MS)
  }
}

async function readiness({ url }: StartedServer): Promise<{ ok: boolean; parts: Record<string, string> }> {
  const response = await fetch(`${url}/readyz`)
  return (await response.json()) as { ok: boolean; parts: Record<string, string> }
}

async function refusedAnswers({ url }: StartedServer): Promise<number> {
  const response = await fetch(`${url}/metrics`)
  if (response.status !== 200) throw new Error(`/metrics answered ${response.status}`)
  const lines = (await response.text()).split('\n')
  return lines
    .filter((line) => /^octavo_http_request_duration_seconds_count\{.*status="503"/.test(line))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0)
}
