/** Color scheme: the reader's choice, else the site's default, else the system's. */
import { KEYS, readStored, writeStored } from './storage.ts'

export type Scheme = 'light' | 'dark' | 'system'

export const SCHEMES: readonly Scheme[] = ['light', 'dark', 'system']

export function currentScheme(): Scheme {
  const { appearance, appearanceStrict } = document.documentElement.dataset
  const chosen = appearanceStrict === undefined ? readStored(KEYS.scheme) : null
  return (
    SCHEMES.find((scheme) => scheme === chosen) ?? SCHEMES.find((scheme) => scheme === appearance) ?? 'system'
  )
}

export function chooseScheme(scheme: Scheme): void {
  writeStored(KEYS.scheme, scheme)
  applyScheme(scheme)
}

export function applyScheme(scheme: Scheme): void {
  const root = document.documentElement
  const isDark = scheme === 'system' ? darkSchemeQuery().matches : scheme === 'dark'
  root.classList.toggle('dark', isDark)
  root.dataset.scheme = scheme
}

export function darkSchemeQuery(): MediaQueryList {
  return matchMedia('(prefers-color-scheme: dark)')
}
