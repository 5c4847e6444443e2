/** Color scheme: light, dark or the system's, stored in the browser. `early.ts` reads it before the first paint. */
import { createStore } from './store.ts'

export const SCHEMES = ['system', 'light', 'dark'] as const
export type Scheme = (typeof SCHEMES)[number]

const STORAGE_KEY = 'octavo:scheme'

function readStoredScheme(): Scheme {
  try {
    const scheme = localStorage.getItem(STORAGE_KEY)
    return scheme === 'light' || scheme === 'dark' ? scheme : 'system'
  } catch {
    return 'system'
  }
}

export const schemeStore = createStore<Scheme>(readStoredScheme())

export function setScheme(scheme: Scheme): void {
  const root = document.documentElement
  if (scheme === 'system') delete root.dataset.scheme
  else root.dataset.scheme = scheme
  try {
    if (scheme === 'system') localStorage.removeItem(STORAGE_KEY)
    else localStorage.setItem(STORAGE_KEY, scheme)
  } catch {
    // Without storage, the choice lasts until the page is closed.
  }
  schemeStore.set(scheme)
}

/** Calls `act` when the effective scheme changes, for content that is drawn on a canvas and not styled. */
export function onSchemeChange(callback: () => void): () => void {
  const system = matchMedia('(prefers-color-scheme: dark)')
  system.addEventListener('change', callback)
  const unsubscribe = schemeStore.subscribe(callback)
  return () => {
    system.removeEventListener('change', callback)
    unsubscribe()
  }
}
