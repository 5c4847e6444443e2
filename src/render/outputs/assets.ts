/** Files that a site serves at their own path. Style sheets get links of the deployment, SVG loses what can run. */
import { mapBounded } from '../../base/bounded.ts'
import type { Problem } from '../../base/errors/problem.ts'
import type { FileTree } from '../../base/files/file-tree.ts'
import { withMonospace } from '../html/css-fonts.ts'
import { safeSvg } from '../html/svg-bytes.ts'
import type { LinkRewriter } from '../links/links.ts'
import type { ImageSizes } from '../remote/image-sizes.ts'
import { remoteProblem, sheetAddresses } from '../remote/remote-addresses.ts'
import type { RemoteAssets } from '../remote/remote-assets.ts'
import type { OutputNames } from '../versions/output-names.ts'
import type { SiteFiles } from '../versions/site-files.ts'

/** Each may hold a file of some megabytes in memory. */
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
    scope.sizes.learn(asset, bytes)
    if (/\.css$/i.test(path)) await scope.remoteAssets.download(sheetAddresses(utf8(bytes) ?? ''))
    const content = servedAsset(scope.links, path, bytes)
    const missing = scope.links.takeRemote()
    problems.push(...missing.map((url) => remoteProblem(asset, url, scope.remoteAssets.faultOf(url))))
    await scope.files.add(path, content)
  })
  return problems
}

/** What is served of a file of the site; `path` is its place in the site. */
export function servedAsset(
  links: Pick<LinkRewriter, 'rewriteCss'>,
  path: string,
  bytes: Uint8Array,
): Uint8Array | string {
  const extension = path.slice(path.lastIndexOf('.')).toLowerCase()
  if (extension === '.svg') return safeSvg(bytes)
  if (extension !== '.css') return bytes
  const text = utf8(bytes)
  if (text === null) return bytes
  const changed = withMonospace(links.rewriteCss(text, depthOfPath(path)))
  return changed === text ? bytes : changed
}

/** Null when the bytes are no UTF-8: then they are passed on as they are. */
function utf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}

/** How many folders lie between a file and the root of the site. */
export function depthOfPath(path: string): number {
  return path.split('/').length - 1
}
