/**
 * Data stored between pages. Credentials are stored for the tab unless the reader chooses to remember them.
 * Each credential is keyed by its server, so that it is never sent to another server.
 */

import type { TypedCredential } from '../../../src/openapi/credentials.ts'
import type { PlaygroundScheme } from '../../../src/openapi/playground-data.ts'
import { parseWebUrl } from './web-url.ts'

const CREDENTIAL_KEY = 'octavo-try-credential'
const HISTORY_KEY = 'octavo-try-history'

export interface HistoryEntry {
  id: string
  at: number
  method: string
  url: string
  /** Null when there was no response. */
  status: number | null
  milliseconds: number
}

const MAX_ENTRIES = 20

export function credentialKey(server: string, scheme: PlaygroundScheme): string {
  return `${CREDENTIAL_KEY} ${parseWebUrl(server)?.origin ?? ''} ${scheme.kind} ${scheme.name}`
}

/** Pages opened from disk share one storage, so they store nothing for longer than the tab is open. */
export const CAN_STORE = location.protocol !== 'file:'

export function readCredential(key: string): { typed: TypedCredential; isRemembered: boolean } {
  const stored = CAN_STORE ? read(() => localStorage, key) : null
  const typed = read(() => sessionStorage, key) ?? stored
  return { typed: (typed ?? {}) as TypedCredential, isRemembered: stored !== null }
}

export function storeCredential(key: string, typed: TypedCredential, isRemembered: boolean): void {
  const isEmpty = Object.values(typed).every((value) => value === '')
  write(() => sessionStorage, key, isEmpty ? null : typed)
  if (CAN_STORE) write(() => localStorage, key, isRemembered && !isEmpty ? typed : null)
}

export function readHistory(): HistoryEntry[] {
  const list = read(() => sessionStorage, HISTORY_KEY)
  return Array.isArray(list) ? (list as HistoryEntry[]) : []
}

/** Adds a request, newest first. The URL is stored without the values of credentials. */
export function addHistory(entry: HistoryEntry): HistoryEntry[] {
  const list = [entry, ...readHistory()].slice(0, MAX_ENTRIES)
  write(() => sessionStorage, HISTORY_KEY, list)
  return list
}

export function clearHistory(): void {
  write(() => sessionStorage, HISTORY_KEY, null)
}

/** Reads a value; storage may be forbidden or contain anything. */
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
    // Storage is full or forbidden: the value lasts until the page is left.
  }
}
