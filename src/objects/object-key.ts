/** Rules for keys, which combine the restrictions of all stores. */
const SEGMENT = /^[A-Za-z0-9_=+-][A-Za-z0-9._=+-]*$/
const MAX_SEGMENT_CHARACTERS = 200
const MAX_KEY_CHARACTERS = 800

export class ObjectKeyError extends Error {
  override name = 'ObjectKeyError'
}

/**
 * Returns the key. Throws ObjectKeyError for empty or long segments, leading dots and non-ASCII characters.
 */
export function checkKey(key: string): string {
  const isSafe =
    key.length <= MAX_KEY_CHARACTERS &&
    key.split('/').every((segment) => segment.length <= MAX_SEGMENT_CHARACTERS && SEGMENT.test(segment))
  if (!isSafe) throw new ObjectKeyError(`${JSON.stringify(key.slice(0, 100))} is not an object key`)
  return key
}

/** Validates a prefix of keys: whole segments, optionally followed by the start of another. */
export function checkPrefix(prefix: string): string {
  const segments = prefix.split('/')
  const last = segments.pop() as string
  if (segments.length > 0) checkKey(segments.join('/'))
  if (last !== '') checkKey(last)
  return prefix
}
