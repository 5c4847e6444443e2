/** The keys that every store takes: the narrowest rule of them all, so that a key good here is good everywhere. */
const SEGMENT = /^[A-Za-z0-9_=+-][A-Za-z0-9._=+-]*$/
const MAX_SEGMENT = 200
const MAX_KEY = 800

export class ObjectKeyError extends Error {
  override name = 'ObjectKeyError'
}

/** Gives the key back, or throws ObjectKeyError: no empty, dotted-first or overlong segment, ASCII only. */
export function checkKey(key: string): string {
  const isSafe =
    key.length <= MAX_KEY &&
    key.split('/').every((segment) => segment.length <= MAX_SEGMENT && SEGMENT.test(segment))
  if (!isSafe) throw new ObjectKeyError(`${JSON.stringify(key.slice(0, 100))} is not an object key`)
  return key
}

/** A prefix is the beginning of a key: whole segments, then possibly the first part of another. */
export function checkPrefix(prefix: string): string {
  const segments = prefix.split('/')
  const last = segments.pop() as string
  if (segments.length > 0) checkKey(segments.join('/'))
  if (last !== '') checkKey(last)
  return prefix
}
