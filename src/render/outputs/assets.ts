/** Serves files of a site at their path. Rewrites links in style sheets and removes scripts from SVG. */
import { mapBounded } from '../../base/bounded.ts'
import type { Problem } from '../../base/errors/problem.ts'
import type { FileTree } from '../../base/files/file-tree.ts'
import { addMonospaceFallback } from '../html/css-fonts.ts'
import { sanitizeSvg } from '../html/svg-bytes.ts'
import type { LinkRewriter } from '../links/links.ts'
import type { ImageSizes } from '../remote/image-sizes.ts'
import { createRemoteProblem, listStyleSheetUrls } from '../remote/remote-addresses.ts'
import type { RemoteAssets } from '../remote/remote-assets.ts'
import type { OutputNames } from '../versions/output-names.ts'
import type { SiteFiles } from '../versions/site-files.ts'

/** Low, because each file may occupy several megabytes of memory. */
const CONCURRENCY = 4

export async function writeAssets(
  scope: {
    tree: FileTree
    names: OutputNames
    links: LinkRewriter
    files: SiteFiles
    sizes: ImageSizes
    remoteAssets: RemoteAssets
  },
  signal: AbortSignal,
): Promise<Problem[]> {
  const problems: Problem[] = []
  await mapBounded([...scope.names.assets], CONCURRENCY, async ([asset, path]) => {
    signal.throwIfAborted()
    const bytes = await scope.tree.read(asset)
    scope.sizes.addAsset(asset, bytes)
    if (/\.css$/i.test(path)) await scope.remoteAssets.download(listStyleSheetUrls(utf8(bytes) ?? ''))
    const content = getAssetContent(scope.links, path, bytes)
    const missing = scope.links.takeRemote()
    problems.push(...missing.map((url) => createRemoteProblem(asset, url, scope.remoteAssets.faultOf(url))))
    await scope.files.add(path, content)
  })
  return problems
}

/** Returns the content to serve for an asset. `path` is its path in the site. */
export function getAssetContent(
  links: Pick<LinkRewriter, 'rewriteCss'>,
  path: string,
  bytes: Uint8Array,
): Uint8Array | string {
  const extension = path.slice(path.lastIndexOf('.')).toLowerCase()
  if (extension === '.svg') return sanitizeSvg(bytes)
  if (extension !== '.css') return bytes
  const text = utf8(bytes)
  if (text === null) return bytes
  const changed = addMonospaceFallback(links.rewriteCss(text, depthOfPath(path)))
  return changed === text ? bytes : changed
}

/** Returns null if the bytes are not UTF-8, in which case the file is served unchanged. */
function utf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}

export function depthOfPath(path: string): number {
  return path.split('/').length - 1
}
