/**
 * The name of a message of the dashboard in the files that browsers load: the English text would double their size. FNV-1a over its UTF-16
 * units, 32 bits (http://www.isthe.com/chongo/tech/comp/fnv/); a test holds that no two messages come to the same.
 */
export function messageName(message: string): string {
  let hash = 0x811c9dc5
  for (let place = 0; place < message.length; place += 1)
    hash = Math.imul(hash ^ message.charCodeAt(place), 0x01000193)
  return (hash >>> 0).toString(36)
}

/** What the dashboard says where the server refuses with that code, whatever the sentence in the answer names. */
export function refusalName(code: string): string {
  return messageName(`refusal|${code}`)
}
