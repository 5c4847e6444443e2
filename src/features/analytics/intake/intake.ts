/** Receives reading events from pages. The body of `recordEvents` is the list of steps. */

import { type Fault, faultAt } from '../../../base/errors/fault.ts'
import { hashParts } from '../../../base/hash.ts'
import type { PageEvent, RecordEventsBody, RecordedEvents } from '../operations/analytics-events.ts'
import { EVENT_LENGTHS } from '../operations/event-lengths.ts'
import { classifyReader, detectDevice, type Reader } from './bots.ts'
import type { Countries } from './countries.ts'
import type { Batch, StoredEvent } from './inbox.ts'
import type { VisitorHashes } from './visitors.ts'

export interface IntakeDeps {
  visitors: VisitorHashes
  /** Null when the operator has configured no country database. */
  countries: Countries | null
  /** Resolves when the batch is committed. */
  put(batch: Batch): Promise<void>
  /** Returns the time in milliseconds since the epoch. Default: the system clock. */
  now?: () => number
}

export interface RecordCall {
  projectId: string
  body: RecordEventsBody
  sender: Sender
  /** True for a site served here: events of programs are ignored, since the server counts them itself. */
  isServedHere: boolean
  /** Returns the canonical path of a page, or null when the published site has no such page. */
  findPage(path: string): Promise<string | null>
}

export interface Sender {
  address: string
  userAgent: string
  /** The client sends Do Not Track or Global Privacy Control. */
  refusesTracking: boolean
}

/** Resolves when the batch is committed. Idempotent for the same batch. */
export async function recordEvents(deps: IntakeDeps, call: RecordCall): Promise<RecordedEvents> {
  const { projectId, body, sender } = call
  const reader = classifyReader(sender.userAgent)
  if (sender.refusesTracking || (call.isServedHere && reader.audience !== 'human')) return { recorded: 0 }
  const events = await readEvents(deps, call, reader)
  if (events.length > 0) await deps.put({ projectId, hash: batchHash(projectId, body.id), events })
  return { recorded: events.length }
}

/** Includes the project, so that batches of two projects never collide. */
export function batchHash(projectId: string, id: string): Buffer {
  return Buffer.from(hashParts('analytics batch', projectId, id), 'hex').subarray(0, 16)
}

/** Returns one sentence per fault that the schema of the body cannot express. */
export function eventFaults(body: unknown): Fault[] {
  const { events } = (body ?? {}) as { events?: unknown }
  if (!Array.isArray(events)) return []
  return events.slice(0, 100).flatMap((event: unknown, index) => {
    const { kind, query, results, target } = (event ?? {}) as Record<string, unknown>
    const at = (name: string, words: string) => faultAt(`/events/${index}/${name}`, words)
    if (kind === 'search' && query === undefined) return [at('query', 'is required of a search')]
    if (kind === 'search' && results === undefined) return [at('results', 'is required of a search')]
    if (kind === 'outbound' && target === undefined) return [at('target', 'is required of an outbound link')]
    return []
  })
}

async function readEvents(deps: IntakeDeps, call: RecordCall, reader: Reader): Promise<StoredEvent[]> {
  const { projectId, body, sender } = call
  const now = (deps.now ?? Date.now)()
  const device = detectDevice(sender.userAgent)
  const country = reader.audience === 'human' ? deps.countries?.findCountry(sender.address) : undefined
  const events: StoredEvent[] = []
  for (const event of body.events) {
    const path = await call.findPage(event.path)
    if (path === null) continue
    const at = now - event.ago
    const visitor =
      event.kind !== 'view' || reader.audience === 'bot'
        ? null
        : await deps.visitors.hashVisitor({ projectId, at, ...sender })
    const fields = await storedFieldsOf(event, call)
    if (fields === null) continue
    const { audience, agent } = reader
    events.push({
      at,
      kind: event.kind,
      audience,
      path,
      device,
      visitor,
      ...fields,
      ...(country !== undefined && { country }),
      ...(agent && { detail: agent }),
    })
  }
  return events
}

type StoredFields = Pick<StoredEvent, 'subject' | 'detail' | 'results'>

/** Returns null for an event with nothing to store. */
async function storedFieldsOf(event: PageEvent, { findPage }: RecordCall): Promise<StoredFields | null> {
  const nothing: StoredFields = { subject: null, detail: null, results: null }
  switch (event.kind) {
    case 'view':
      return { ...nothing, subject: parseHost(event.referrer) }
    case 'copy':
      return nothing
    case 'outbound': {
      const subject = parseHost(event.target)
      return subject === null ? null : { ...nothing, subject }
    }
    case 'search': {
      const subject = cleanSearchWords(event.query ?? '')
      const detail = event.target === undefined ? null : await findPage(event.target)
      return subject === '' ? null : { subject, detail, results: event.results ?? 0 }
    }
  }
}

/** Returns a host such as `example.org`; null for an invalid host name. */
export function parseHost(given: string | undefined): string | null {
  if (given === undefined || given.length > EVENT_LENGTHS.host) return null
  const host = URL.parse(`https://${given.toLowerCase()}`)?.hostname.replace(/^www\./, '') ?? ''
  return /^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(host) ? host : null
}

/** Removes e-mail addresses and long numbers, which people may have entered by mistake. */
export function cleanSearchWords(given: string): string {
  return given
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .split(' ')
    .map((word) => (word.includes('@') || /\d{9}/.test(word) ? '…' : word))
    .join(' ')
    .trim()
    .toLowerCase()
}
