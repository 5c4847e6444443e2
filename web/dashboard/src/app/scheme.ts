/** Color scheme: light, dark or the system's, stored in the browser. `early.ts` reads it before the first paint. */
import { createStore } from './store.ts'

export const SCHEMES = ['system', 'light', 'dark'] as const
export type Scheme = (typeof SCHEMES)[number]

const KEY = 'octavo:scheme'

function stored(): Scheme {
  try {
    const scheme = localStorage.getItem(KEY)
    return scheme === 'light' || scheme === 'dark' ? scheme : 'system'
  } catch {
    return 'system'
  }
}

export const schemeStore = createStore<Scheme>(stored())

export function setScheme(scheme: Scheme): void {
  const root = document.documentElement
  if (scheme === 'system') delete root.dataset.scheme
  else root.dataset.scheme = scheme
  try {
    if (scheme === 'system') localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, scheme)
  } catch {
    // Without storage, the choice lasts until the page is closed.
  }
  schemeStore.set(scheme)
}

/** Calls `act` when the effective scheme changes, for content that is drawn on a canvas and not styled. */
export function whenSchemeChanges(act: () => void): () => void {
  const system = matchMedia('(prefers-color-scheme: dark)')
  system.addEventListener('change', act)
  const leave = schemeStore.subscribe(act)
  return () => {
    system.removeEventListener('change', act)
    leave()
  }
}
