/** Parses references to API operations in the navigation and in frontmatter. */
import { METHODS } from './list-operations.ts'

export interface OperationReference {
  /** API description as written; null if only the operation is named. */
  spec: string | null
  /** File that contains the reference, for relative paths; null for paths relative to the docs folder. */
  from: string | null
  /** Upper case; `WEBHOOK` for webhooks, `CHANNEL` for channels, `SCHEMA` for data models. */
  method: string
  /** Path of the operation, or name of the webhook, channel or model. */
  path: string
}

const MAX_ENTRY_CHARACTERS = 4000
const OPERATION_PATTERN = new RegExp(`^(?:(\\S.*?)\\s+)?(${METHODS.join('|')})\\s+(/\\S*)$`, 'i')
const WEBHOOK = /^(?:(\S+)\s+)?webhook\s+(\S.*)$/i
const NAMED = /^(?:(\S+)\s+)?(\S.*)$/

/** Parses `[spec] METHOD /path` or `[spec] webhook name`; null for anything else. */
export function parseOperation(text: string, from: string | null = null): OperationReference | null {
  if (text.length > MAX_ENTRY_CHARACTERS) return null
  const trimmed = text.trim()
  const operation = OPERATION_PATTERN.exec(trimmed)
  if (operation) {
    return {
      spec: operation[1] ?? null,
      from,
      method: (operation[2] as string).toUpperCase(),
      path: operation[3] as string,
    }
  }
  const webhook = WEBHOOK.exec(trimmed)
  return webhook ? { spec: webhook[1] ?? null, from, method: 'WEBHOOK', path: webhook[2] as string } : null
}

/** Parses `[spec] name` of a channel or data model; null for blank text. */
export function parseNamed(
  method: 'CHANNEL' | 'SCHEMA',
  text: string,
  from: string | null,
): OperationReference | null {
  const found = NAMED.exec(text.trim())
  return found ? { spec: found[1] ?? null, from, method, path: found[2] as string } : null
}

/** Returns the same key for operations with the same method and path, ignoring a trailing slash. */
export function operationKey(method: string, path: string): string {
  return `${method} ${path.length > 1 ? path.replace(/(?<!\/)\/+$/, '') : path}`
}
