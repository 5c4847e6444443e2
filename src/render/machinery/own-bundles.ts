/**
 * Bundles of Octavo's own sources, for browsers and isolates. Built by `npm run build` or, if sources have
 * changed, on demand.
 */
import { readFile } from 'node:fs/promises'
import { builtFile } from '../../base/files/program-files.ts'
import type { SiteConfig } from '../../site/settings/config.ts'
import { isBuildCurrent } from './build-facts.ts'

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
  | 'preview.js'
  | 'prelude.js'
  | 'serve.mjs'

export interface BundledPackage {
  name: string
  version: string
  /** License as declared by the package. */
  licence: string | null
}

export interface BundleContent {
  text: string
  packages: readonly BundledPackage[]
}

/** Located in `dist/`. */
export const BUNDLES_FOLDER = 'bundles'
/** Lists the packages in each bundle. */
export const PACKAGES_FILE = 'packages.json'

const bundles = new Map<BundleName, Promise<BundleContent>>()

/** Returns the source of a bundle, which does not change during the process. */
export async function readBundleText(name: BundleName): Promise<string> {
  return (await loadBundle(name)).text
}

export async function listBundlePackages(name: BundleName): Promise<readonly BundledPackage[]> {
  return (await loadBundle(name)).packages
}

function loadBundle(name: BundleName): Promise<BundleContent> {
  const cached = bundles.get(name)
  if (cached) return cached
  const loading = load(name)
  bundles.set(name, loading)
  loading.catch(() => bundles.delete(name))
  return loading
}

async function load(name: BundleName): Promise<BundleContent> {
  if (!isBuildCurrent()) {
    const { makeBundle } = await import('./make-bundle.ts')
    return await makeBundle(name)
  }
  const packages = JSON.parse(await readBuiltBundle(PACKAGES_FILE)) as Record<string, BundledPackage[]>
  return { text: await readBuiltBundle(name), packages: packages[name] ?? [] }
}

function readBuiltBundle(name: string): Promise<string> {
  return readFile(builtFile(`${BUNDLES_FOLDER}/${name}`), 'utf8')
}
