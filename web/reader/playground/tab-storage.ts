/**
 * What is kept between pages. Credentials lie in the tab and go with it, unless the reader asks to keep them; each lies
 * under the server that it was typed for, so that none goes to another one.
 */

import type { TypedCredential } from '../../../src/openapi/credentials.ts'
import type { PlaygroundScheme } from '../../../src/openapi/playground-data.ts'
import { webUrl } from './web-url.ts'

const CREDENTIAL = 'octavo-try-credential'
const HISTORY = 'octavo-try-history'

export interface HistoryEntry {
  /** Of the operation. */
  id: string
  at: number
  method: string
  url: string
  /** Null: there was no answer. */
  status: number | null
  milliseconds: number
}

const MOST_ENTRIES = 20

export function credentialKey(server: string, scheme: PlaygroundScheme): string {
  return `${CREDENTIAL} ${webUrl(server)?.origin ?? ''} ${scheme.kind} ${scheme.name}`
}

/** Files on disk share one storage: there nothing is kept beyond the tab. */
export const CAN_KEEP = location.protocol !== 'file:'

export function recallCredential(key: string): { typed: TypedCredential; isKept: boolean } {
  const kept = CAN_KEEP ? read(() => localStorage, key) : null
  const typed = read(() => sessionStorage, key) ?? kept
  return { typed: (typed ?? {}) as TypedCredential, isKept: kept !== null }
}

export function keepCredential(key: string, typed: TypedCredential, isKept: boolean): void {
  const isEmpty = Object.values(typed).every((value) => value === '')
  write(() => sessionStorage, key, isEmpty ? null : typed)
  if (CAN_KEEP) write(() => localStorage, key, isKept && !isEmpty ? typed : null)
}

export function readHistory(): HistoryEntry[] {
  const list = read(() => sessionStorage, HISTORY)
  return Array.isArray(list) ? (list as HistoryEntry[]) : []
}

/** Newest first; the address as it was sent, without the values of credentials. */
export function addHistory(entry: HistoryEntry): HistoryEntry[] {
  const list = [entry, ...readHistory()].slice(0, MOST_ENTRIES)
  write(() => sessionStorage, HISTORY, list)
  return list
}

export function clearHistory(): void {
  write(() => sessionStorage, HISTORY, null)
}

/** Storage can be forbidden, and hold anything. */
function read(storage: () => Storage, key: string): unknown {
  try {
    return JSON.parse(storage().getItem(key) ?? 'null')
  } catch {
    return null
  }
}

function write(storage: () => Storage, key: string, value: unknown): void {
  try {
    if (value === null) storage().removeItem(key)
    else storage().setItem(key, JSON.stringify(value))
  } catch {
    // Full or forbidden: it is there until the page is left.
  }
}
