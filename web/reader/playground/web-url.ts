/** Parses an http(s) URL; returns null for anything else. */
export function parseWebUrl(text: string): URL | null {
  try {
    const url = new URL(text)
    return /^(?:https?|wss?):$/.test(url.protocol) ? url : null
  } catch {
    return null
  }
}
