/** Color scheme: light, dark or the system's, stored in the browser. `early.ts` reads it before the first paint. */
import { createStore } from './store.ts'
import { readStored, writeStored } from './stored.ts'

export const SCHEMES = ['system', 'light', 'dark'] as const
export type Scheme = (typeof SCHEMES)[number]

const STORAGE_KEY = 'octavo:scheme'

export const schemeStore = createStore<Scheme>(
  SCHEMES.find((scheme) => scheme === readStored(STORAGE_KEY)) ?? 'system',
)

export function setScheme(scheme: Scheme): void {
  const root = document.documentElement
  if (scheme === 'system') delete root.dataset.scheme
  else root.dataset.scheme = scheme
  writeStored(STORAGE_KEY, scheme === 'system' ? null : scheme)
  schemeStore.set(scheme)
}

/**
 * Calls `callback` when the effective scheme changes, for content that is drawn on a canvas and not styled.
 */
export function onSchemeChange(callback: () => void): () => void {
  const system = matchMedia('(prefers-color-scheme: dark)')
  system.addEventListener('change', callback)
  const unsubscribe = schemeStore.subscribe(callback)
  return () => {
    system.removeEventListener('change', callback)
    unsubscribe()
  }
}
