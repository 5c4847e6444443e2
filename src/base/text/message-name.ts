/**
 * Short name of a dashboard message in the files that browsers load, since English texts as keys would double their
 * size. 32-bit FNV-1a over UTF-16 code units (http://www.isthe.com/chongo/tech/comp/fnv/). A test ensures that there
 * are no collisions.
 */
export function messageName(message: string): string {
  let hash = 0x811c9dc5
  for (let position = 0; position < message.length; position += 1)
    hash = Math.imul(hash ^ message.charCodeAt(position), 0x01000193)
  return (hash >>> 0).toString(36)
}

/** Returns the name of the message for an error code, used instead of the server's more specific sentence. */
export function refusalMessageName(code: string): string {
  return messageName(`refusal|${code}`)
}
