/** Titles and texts of published pages, read from the files that a version provides for agents. */
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { createAsyncCache } from '../../../base/async-cache.ts'
import type { Log } from '../../../base/log.ts'
import { createYielder } from '../../../base/text/yielder.ts'
import type { ObjectStore } from '../../../objects/object-store.ts'
import {
  blobKey,
  estimateManifestBytes,
  MAX_CACHED_MANIFEST_BYTES,
  type SiteManifest,
} from '../../../render/versions/manifest.ts'
import { readManifest } from '../../../render/versions/site-versions.ts'
import { pageRoutes } from './page-routes.ts'

export interface PageLibrary {
  /** Returns null if the version cannot be read. */
  manifest(manifestKey: string): Promise<SiteManifest | null>
  /** Maps routes to titles, null for unlisted pages. Returns an empty map if the version cannot be read. */
  titles(manifestKey: string): Promise<ReadonlyMap<string, string | null>>
  /** Returns the page as Markdown with its title, or null if the version has no such page or no text for it. */
  markdown(manifestKey: string, route: string): Promise<{ title: string | null; text: string } | null>
}

/** Maximum size of a list or a page; longer texts are of no use to readers. */
export const MAX_BYTES = 4 << 20
const LLMS_FILE = 'llms.txt'

const unpack = promisify(gunzip)

interface Version {
  manifest: SiteManifest
  titles: ReadonlyMap<string, string | null>
}

export interface LibraryDeps {
  objects: ObjectStore
  log: Log
}

export function createPageLibrary(deps: LibraryDeps): PageLibrary {
  const versions = createAsyncCache<Version | null>({
    maxSize: MAX_CACHED_MANIFEST_BYTES,
    sizeOf: weighVersion,
  })

  function versionOf(manifestKey: string): Promise<Version | null> {
    return versions.get(manifestKey, () =>
      openVersion(deps, manifestKey).catch((err: unknown) => {
        deps.log.warn({ manifestKey, err }, 'dashboard.version_unreadable')
        versions.delete(manifestKey)
        return null
      }),
    )
  }

  return {
    async manifest(manifestKey) {
      return (await versionOf(manifestKey))?.manifest ?? null
    },
    async titles(manifestKey) {
      return (await versionOf(manifestKey))?.titles ?? new Map()
    },
    async markdown(manifestKey, route) {
      const version = await versionOf(manifestKey)
      if (version === null) return null
      const bare = route.slice(1)
      const names = bare === '' ? ['index.md'] : [`${bare}.md`, `${bare}/index.md`]
      const name = names.find((one) => Object.hasOwn(version.manifest.files, one))
      const text = name === undefined ? null : await readText(deps, version.manifest, name)
      if (text === null) return null
      const title = version.titles.get(route) ?? /^# +(.+)$/m.exec(text)?.[1] ?? null
      return { title: title === null ? null : plainText(title), text }
    },
  }
}

/** Includes the titles, because pages can have titles of any length. */
function weighVersion(version: Version | null): number {
  if (version === null) return 0
  let bytes = estimateManifestBytes(version.manifest)
  for (const [route, title] of version.titles) bytes += route.length + (title?.length ?? 0)
  return bytes
}

async function openVersion(deps: LibraryDeps, manifestKey: string): Promise<Version> {
  const manifest = await readManifest(deps.objects, manifestKey)
  const titles = new Map<string, string | null>()
  for (const route of await pageRoutes(manifest)) titles.set(route, null)
  const list = (await readText(deps, manifest, LLMS_FILE)) ?? ''
  const breaks = createYielder()
  for (const line of list.split('\n')) {
    if (breaks.isDue()) await breaks.yieldNow()
    const [link, label = '', href = ''] = /^- \[((?:\\.|[^\]\\])+)\]\(<?([^)>\s]+)>?\)/.exec(line) ?? []
    if (link === undefined) continue
    const route = routeOf(href)
    if (route !== null && titles.has(route)) titles.set(route, plainText(label))
  }
  return { manifest, titles }
}

/** Converts a twin's URL such as `https://docs.example.com/guides/x.md` to the route `/guides/x`. */
function routeOf(href: string): string | null {
  const path = URL.parse(href, 'http://site.invalid/')?.pathname
  if (path === undefined) return null
  try {
    const bare = decodeURIComponent(path)
      .replace(/\.(?:md|html)$/, '')
      .replace(/(^|\/)index$/, '$1')
    return bare.length > 1 ? bare.replace(/\/$/, '') : '/'
  } catch {
    return null
  }
}

function plainText(markdown: string): string {
  return markdown.replace(/\\([!-/:-@[-`{-~])/g, '$1').trim()
}

/** Returns null for an unreadable file, because the other files are still usable. */
async function readText(deps: LibraryDeps, manifest: SiteManifest, name: string): Promise<string | null> {
  const file = manifest.files[name]
  if (file === undefined || file.sizeBytes > MAX_BYTES) return null
  try {
    const packed = await deps.objects.read(blobKey(file.sha256))
    return (await unpack(packed, { maxOutputLength: MAX_BYTES })).toString('utf8')
  } catch (err) {
    deps.log.warn({ name, sha256: file.sha256, err }, 'dashboard.file_unreadable')
    return null
  }
}
