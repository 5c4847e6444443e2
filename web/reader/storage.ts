/** Storage of the reader's browser. When access is forbidden, nothing is stored. */

export const KEYS = {
  /** `light`, `dark` or `system`. */
  scheme: 'octavo-scheme',
  /** Titles of chosen tabs, most recent first. */
  tabs: 'octavo-tabs',
  /** Key of the closed banner. */
  banner: 'octavo-banner',
  /** `1` when code lines wrap. */
  wrap: 'octavo-wrap',
  searches: 'octavo-searches',
  /** Conversation with the assistant, for the session. */
  assistant: 'octavo-assistant',
  /** Scroll position of the navigation, keyed by its first link, for the session. */
  navigation: 'octavo-navigation',
} as const

export function readStored(key: string, store: 'local' | 'session' = 'local'): string | null {
  try {
    return selectStorage(store).getItem(key)
  } catch {
    return null
  }
}

export function writeStored(key: string, value: string, store: 'local' | 'session' = 'local'): void {
  try {
    selectStorage(store).setItem(key, value)
  } catch {
    // Storage is forbidden or full; the page works without it.
  }
}

export function readStoredList(key: string): string[] {
  try {
    const value: unknown = JSON.parse(readStored(key) ?? '[]')
    return Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : []
  } catch {
    return []
  }
}

function selectStorage(store: 'local' | 'session'): Storage {
  return store === 'local' ? localStorage : sessionStorage
}
