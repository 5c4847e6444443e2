/** Decodes percent-encoding, leaving invalid sequences unchanged. */
export function decodePath(path: string): string {
  return decodeOrNull(path) ?? path
}

export function decodeOrNull(text: string): string | null {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}
