/** Receives reading events from pages. */

import { type Fault, faultAt } from '../../../base/errors/fault.ts'
import { hashParts } from '../../../base/hash.ts'
import type { PageEvent, RecordEventsBody, RecordedEvents } from '../operations/analytics-events.ts'
import { EVENT_LENGTHS } from '../operations/event-lengths.ts'
import { classifyReader, detectDevice, type Reader } from './bots.ts'
import type { Countries } from './countries.ts'
import type { Batch, StoredEvent } from './inbox.ts'
import { cleanSearchWords } from './search-words.ts'
import type { VisitorHashes } from './visitors.ts'

export interface IntakeDeps {
  visitors: VisitorHashes
  /** Null if the operator has configured no country database. */
  countries: Countries | null
  put(batch: Batch): Promise<void>
  /** Returns milliseconds since the epoch. Default: the system clock. */
  now?: () => number
}

export interface RecordCall {
  projectId: string
  body: RecordEventsBody
  sender: Sender
  /** True for a site served here; events of programs are then ignored, because the server counts them. */
  isServedHere: boolean
  /** Returns the canonical path of a page, or null if the published site has no such page. */
  findPage(path: string): Promise<string | null>
}

export interface Sender {
  address: string
  userAgent: string
  /** True if the client sends Do Not Track or Global Privacy Control. */
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

/** Includes the project in the hash so that batches of different projects never collide. */
export function batchHash(projectId: string, id: string): Buffer {
  return Buffer.from(hashParts('analytics batch', projectId, id), 'hex').subarray(0, 16)
}

export function eventFaults(body: unknown): Fault[] {
  const { events } = (body ?? {}) as { events?: unknown }
  if (!Array.isArray(events)) return []
  return events.slice(0, 100).flatMap((event: unknown, index) => {
    const { kind, query, results, target } = (event ?? {}) as Record<string, unknown>
    const at = (name: string, code: 'search_event_field' | 'outbound_event_field') =>
      faultAt(`/events/${index}/${name}`, code)
    if (kind === 'search' && query === undefined) return [at('query', 'search_event_field')]
    if (kind === 'search' && results === undefined) return [at('results', 'search_event_field')]
    if (kind === 'outbound' && target === undefined) return [at('target', 'outbound_event_field')]
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
    const fields = await toStoredFields(event, call)
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

async function toStoredFields(event: PageEvent, { findPage }: RecordCall): Promise<StoredFields | null> {
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
