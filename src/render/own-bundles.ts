/**
 * Bundles of Octavo's own sources, for browsers and for isolates. A package brings them; in a clone each is made when it
 * is first asked for, and the program that makes them is loaded only then.
 */
import { readFile } from 'node:fs/promises'
import type { SiteConfig } from '../site/config.ts'

export const THEMES = 'mint maple palm willow linden almond aspen sequoia luma'.split(
  ' ',
) as readonly SiteConfig['theme'][]

export type BundleName =
  | 'early.js'
  | 'main.js'
  | 'navigation.js'
  | 'search.js'
  | 'feedback.js'
  | 'analytics.js'
  | 'islands.js'
  | 'services.js'
  | `stemmer-${string}.js`
  | 'playground.js'
  | 'playground.css'
  | 'assistant.js'
  | 'assistant.css'
  | 'site.css'
  | `theme-${SiteConfig['theme']}.css`
  | 'review.css'
  | 'review.js'
  | 'preview.js'
  | 'prelude.js'

const bundles = new Map<BundleName, Promise<string>>()

/** The text of a bundle, the same at every call. */
export function ownBundle(name: BundleName): Promise<string> {
  const known = bundles.get(name)
  if (known) return known
  const loading = load(name)
  bundles.set(name, loading)
  loading.catch(() => bundles.delete(name))
  return loading
}

async function load(name: BundleName): Promise<string> {
  const shipped = new URL(`./bundles/${name}`, import.meta.url)
  const text = await readFile(shipped, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (text !== null) return text
  const { makeBundle } = await import('./make-bundle.ts')
  return makeBundle(name)
}
