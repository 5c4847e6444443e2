/** Copies remote files to an air-gapped bundle. */
import { mapBounded } from '../../base/bounded.ts'
import { sha256 } from '../../base/hash.ts'
import { isRemote, toFetchableUrl } from '../html/addresses.ts'
import { rewriteCssUrls } from '../html/css-urls.ts'
import { sanitizeSvg } from '../html/svg-bytes.ts'
import { BUILT_IN_FOLDER } from '../machinery/built-ins.ts'
import type { OutputNames } from '../versions/output-names.ts'
import type { SiteFiles } from '../versions/site-files.ts'
import type { ImageSizes } from './image-sizes.ts'
import type { RemoteFetch } from './remote-files.ts'

const EXTENSIONS: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/jpg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/avif': 'avif',
  'image/svg+xml': 'svg',
  'image/x-icon': 'ico',
  'image/vnd.microsoft.icon': 'ico',
  'video/mp4': 'mp4',
  'video/webm': 'webm',
  'video/quicktime': 'mov',
  'audio/mpeg': 'mp3',
  'audio/mp3': 'mp3',
  'audio/wav': 'wav',
  'audio/x-wav': 'wav',
  'audio/ogg': 'ogg',
  'font/woff2': 'woff2',
  'font/woff': 'woff',
  'font/ttf': 'ttf',
  'font/otf': 'otf',
  'application/font-woff2': 'woff2',
  'application/font-woff': 'woff',
  'application/x-font-woff': 'woff',
  'application/x-font-ttf': 'ttf',
  'application/x-font-opentype': 'otf',
  'text/css': 'css',
}

/** Unspecific media types, for which the file extension of the URL is used. */
const UNKNOWN_TYPES = new Set(['', 'application/octet-stream', 'binary/octet-stream', 'text/plain'])

export interface RemoteAssets {
  /** Downloads missing files. Accepts URLs as written in pages. Failures of remote servers do not cause a rejection. */
  download(urls: Iterable<string>): Promise<void>
  pathOf(url: string): string | null
  /** Returns a message about the reason for a missing copy; null if no download was attempted. */
  faultOf(url: string): string | null
}

const CONCURRENCY = 8
/** Limits per site for the number of URLs and the total size of copies. */
const MAX_FILES = 5000
const MAX_BYTES = 1024 * 1024 * 1024
/** Maximum nesting of imports in style sheets. */
const MAX_DEPTH = 3
const FOLDER = `${BUILT_IN_FOLDER}/remote`

export const NO_REMOTE_ASSETS: RemoteAssets = {
  download: async () => {},
  pathOf: () => null,
  faultOf: () => null,
}

interface Scope {
  fetchRemote: RemoteFetch
  files: SiteFiles
  names: Pick<OutputNames, 'claim'>
  sizes: ImageSizes
}

type CopyResult = { path: string } | { fault: string }

/**
 * Creates copies. Their names are derived from the content, so that equal responses result in equal bundles.
 */
export function createRemoteAssets(scope: Scope): RemoteAssets {
  const done = new Map<string, CopyResult>()
  const requested = new Set<string>()
  const claimed = new Map<string, string>()
  let bytes = 0

  const storeCopy = async (content: string | Uint8Array, extension: string): Promise<CopyResult> => {
    const preferredPath = `${FOLDER}/${sha256(content).slice(0, 16)}.${extension}`
    const known = claimed.get(preferredPath)
    if (known !== undefined) return { path: known }
    bytes += content.length
    if (bytes > MAX_BYTES) return { fault: 'Files from other servers exceed the total size limit.' }
    const path = scope.names.claim(preferredPath)
    claimed.set(preferredPath, path)
    await scope.files.add(path, content)
    return { path }
  }

  /**
   * Copies a file. `chain` lists the importing style sheets. A style sheet is copied again for each importer, because
   * style sheets that import each other would otherwise wait for each other forever.
   */
  const copy = async (url: string, chain: readonly string[]): Promise<CopyResult> => {
    requested.add(url)
    if (requested.size > MAX_FILES)
      return { fault: `There are more than ${MAX_FILES} files from other servers.` }
    const answer = await scope.fetchRemote(url)
    if ('fault' in answer) return answer
    const extension = remoteExtension(answer.type, answer.url)
    if (extension === null) return { fault: `The server returned the content type ${answer.type || 'none'}.` }
    scope.sizes.addRemote(url, answer.bytes)
    if (extension !== 'svg' && extension !== 'css') return storeCopy(answer.bytes, extension)
    if (extension === 'svg') return storeCopy(sanitizeSvg(answer.bytes), extension)
    const text = new TextDecoder().decode(answer.bytes)
    return storeCopy(await rewriteSheetUrls(text, answer.url, [...chain, url], copy), extension)
  }

  const found = (url: string) => done.get(toFetchableUrl(url))
  return {
    download: async (urls) => {
      const fresh = new Set([...urls].map(toFetchableUrl).filter((url) => !done.has(url)))
      await mapBounded([...fresh].sort(), CONCURRENCY, async (url) => done.set(url, await copy(url, [])))
    },
    pathOf: (url) => {
      const one = found(url)
      return one && 'path' in one ? one.path : null
    },
    faultOf: (url) => {
      const one = found(url)
      return one && 'fault' in one ? one.fault : null
    },
  }
}

type Copy = (url: string, chain: readonly string[]) => Promise<CopyResult>

async function rewriteSheetUrls(
  css: string,
  base: string,
  chain: readonly string[],
  copy: Copy,
): Promise<string> {
  const whole = (url: string) => (/^\s*(?:data:|#)/i.test(url) ? null : (URL.parse(url, base)?.href ?? null))
  const copies = new Map<string, CopyResult>()
  rewriteCssUrls(css, (url) => {
    const address = whole(url)
    if (address !== null) copies.set(address, { fault: 'The style sheets import each other in a cycle.' })
    return url
  })
  const named = [...copies.keys()].filter((url) => isRemote(url) && !chain.includes(url))
  if (chain.length <= MAX_DEPTH)
    await mapBounded(named, CONCURRENCY, async (url) => copies.set(url, await copy(url, chain)))
  return rewriteCssUrls(css, (url) => {
    const address = whole(url)
    if (address === null) return url
    const found = copies.get(address)
    return found && 'path' in found ? `./${found.path.slice(FOLDER.length + 1)}` : null
  })
}

/**
 * Returns the file extension of a copy, or null for types that are not downloaded, such as pages and scripts.
 */
function remoteExtension(type: string, url: string): string | null {
  const known = EXTENSIONS[type]
  if (known) return known
  if (!UNKNOWN_TYPES.has(type)) return null
  const path = URL.parse(url)?.pathname ?? ''
  const extension = /\.([A-Za-z0-9]{2,5})$/.exec(path)?.[1]?.toLowerCase().replace('jpeg', 'jpg')
  return extension && extension !== 'css' && Object.values(EXTENSIONS).includes(extension) ? extension : null
}
