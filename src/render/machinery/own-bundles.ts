/**
 * Bundles of Octavo's own sources, for browsers and for isolates. A package brings them; in a clone each is made when it
 * is first asked for after its sources have changed, and the program that makes them is loaded only then.
 */
import { readFile } from 'node:fs/promises'
import type { SiteConfig } from '../../site/config.ts'

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
  | 'serve.mjs'

/** A package of others that stands in a bundle. */
export interface BundledPackage {
  name: string
  version: string
  /** As it names it itself. */
  licence: string | null
}

export interface OwnBundle {
  text: string
  packages: readonly BundledPackage[]
}

/** The list of them that a package brings, by bundle. */
export const PACKAGES_FILE = 'packages.json'

const bundles = new Map<BundleName, Promise<OwnBundle>>()

/** The text of a bundle, the same at every call. */
export async function ownBundle(name: BundleName): Promise<string> {
  return (await bundleOf(name)).text
}

export async function packagesOf(name: BundleName): Promise<readonly BundledPackage[]> {
  return (await bundleOf(name)).packages
}

function bundleOf(name: BundleName): Promise<OwnBundle> {
  const known = bundles.get(name)
  if (known) return known
  const loading = load(name)
  bundles.set(name, loading)
  loading.catch(() => bundles.delete(name))
  return loading
}

async function load(name: BundleName): Promise<OwnBundle> {
  const text = await readShipped(name)
  if (text !== null) {
    const all = JSON.parse((await readShipped(PACKAGES_FILE)) ?? '{}') as Record<string, BundledPackage[]>
    return { text, packages: all[name] ?? [] }
  }
  const { keptOrMade } = await import('./kept-bundles.ts')
  const kept = await keptOrMade(`${name}.json`, async () => {
    const { makeBundle } = await import('./make-bundle.ts')
    return JSON.stringify(await makeBundle(name))
  })
  return JSON.parse(kept) as OwnBundle
}

/** Null in a clone. */
async function readShipped(name: string): Promise<string | null> {
  return readFile(new URL(`../bundles/${name}`, import.meta.url), 'utf8').catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null
      throw error
    },
  )
}
