/** Votes of this session by page: shown after a reload, and extended by later comments. */
import { readStored, writeStored } from './storage.ts'

const STORAGE_KEY = 'octavo-votes'

export interface Vote {
  id: string
  helpful: boolean
}

export function readVote(site: string, path: string): Vote | null {
  const { id, helpful } = (readVotes()[site + path] ?? {}) as Partial<Vote>
  return typeof id === 'string' && typeof helpful === 'boolean' ? { id, helpful } : null
}

export function storeVote(site: string, path: string, vote: Vote | null): void {
  const { [site + path]: _, ...others } = readVotes()
  writeStored(STORAGE_KEY, JSON.stringify(vote ? { ...others, [site + path]: vote } : others), 'session')
}

/** Creates an id; `crypto.randomUUID` is not available without https. */
export function createId(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => (byte + 256).toString(16).slice(1))
    .join('')
}

function readVotes(): Record<string, unknown> {
  try {
    const votes: unknown = JSON.parse(readStored(STORAGE_KEY, 'session') ?? '{}')
    return typeof votes === 'object' && votes !== null ? { ...votes } : {}
  } catch {
    return {}
  }
}
