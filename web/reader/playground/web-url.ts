/** Null for what is no address of the web. */
export function webUrl(text: string): URL | null {
  try {
    const url = new URL(text)
    return /^(?:https?|wss?):$/.test(url.protocol) ? url : null
  } catch {
    return null
  }
}
