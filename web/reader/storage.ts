/** What a reader's browser remembers. Reading and writing may be forbidden; then nothing is remembered. */

export const KEYS = {
  /** `light`, `dark` or `system`. */
  scheme: 'octavo-scheme',
  /** Titles of chosen tabs, the latest first. */
  tabs: 'octavo-tabs',
  /** Key of the closed banner. */
  banner: 'octavo-banner',
  /** `1` while lines of code are wrapped. */
  wrap: 'octavo-wrap',
  searches: 'octavo-searches',
  /** The conversation with the assistant; for one visit. */
  assistant: 'octavo-assistant',
  /** Scroll of the navigation by its first link; for one visit. */
  navigation: 'octavo-navigation',
} as const

export function recall(key: string, store: 'local' | 'session' = 'local'): string | null {
  try {
    return storageOf(store).getItem(key)
  } catch {
    return null
  }
}

export function remember(key: string, value: string, store: 'local' | 'session' = 'local'): void {
  try {
    storageOf(store).setItem(key, value)
  } catch {
    // forbidden or full: the page works without
  }
}

export function recallList(key: string): string[] {
  try {
    const value: unknown = JSON.parse(recall(key) ?? '[]')
    return Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : []
  } catch {
    return []
  }
}

function storageOf(store: 'local' | 'session'): Storage {
  return store === 'local' ? localStorage : sessionStorage
}
