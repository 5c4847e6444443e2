/**
 * Icons in the sizes that browsers and home screens ask for, made of the favicon of a site. A file that none can be
 * made of is a problem, and is given as it is. There is no web app manifest: it would make browsers offer to install
 * the site, and its pages are no app. Home screens find their icon in the pages.
 */
import type { FileTree } from '../../base/file-tree.ts'
import type { Problem } from '../../contract/problem.ts'
import type { ObjectCache } from '../../objects/object-store.ts'
import type { Site } from '../../site/model.ts'
import { safeSvg } from '../html/svg-bytes.ts'
import { normalisePath } from '../links/links.ts'
import { type BuiltInFile, hashed } from '../machinery/built-ins.ts'
import { hexColour } from '../theme/colour.ts'
import { type FaviconIcons, faviconOf, type SiteIcons } from '../theme/favicon.ts'
import { pageColours } from '../theme/site-tokens.ts'
import type { OutputNames } from '../versions/output-names.ts'
import { keptIcons } from './kept-icons.ts'
import type { IconJob, MadeIcons } from './make-icons.ts'

export interface SiteFavicons {
  /** For the head of every page. */
  icons: SiteIcons
  files: BuiltInFile<Uint8Array>[]
  problems: Problem[]
}

interface Scope {
  objects: ObjectCache
  site: Pick<Site, 'config' | 'assets'>
  tree: Pick<FileTree, 'read' | 'files'>
  names: Pick<OutputNames, 'has'>
}

/** One of the two files that a favicon may have. */
interface Variant {
  icons: FaviconIcons
  iconFiles: BuiltInFile<Uint8Array>[]
  touchFile: BuiltInFile<Uint8Array> | null
  /** Content of an ICO file. */
  ico: Uint8Array | null
  problem: Problem | null
}

const NOTHING: Variant = {
  icons: { tabs: [], touch: null },
  iconFiles: [],
  touchFile: null,
  ico: null,
  problem: null,
}
/** Bytes; an icon has some thousands. */
const MAX_BYTES = 4 * 1024 * 1024
/** Where browsers look that have not read a page. */
const ROOT_ICON = 'favicon.ico'

/** Rejects when the store or the tree fails, never because of the favicon. */
export async function siteFavicons(scope: Scope): Promise<SiteFavicons> {
  const favicon = faviconOf(scope.site)
  const light = favicon ? await variantOf(scope, favicon.light) : NOTHING
  const dark = !favicon || favicon.dark === favicon.light ? light : await variantOf(scope, favicon.dark)
  const files = [...light.iconFiles, ...dark.iconFiles]
  if (light.touchFile) files.push(light.touchFile)
  if (light.ico && !scope.names.has(ROOT_ICON)) files.push({ path: ROOT_ICON, content: light.ico })
  return {
    icons: { light: light.icons, dark: dark.icons },
    // Two variants may come to the same picture.
    files: [...new Map(files.map((file) => [file.path, file])).values()],
    problems: [light.problem, dark === light ? null : dark.problem].filter((problem) => problem !== null),
  }
}

/** Changes with the files that `siteFavicons` would read. */
export function faviconStamp({ site, tree }: Pick<Scope, 'site' | 'tree'>): string {
  const { light, dark } = faviconOf(site) ?? { light: '', dark: '' }
  const assets = [light, dark].map((href) => assetOf(site, href) ?? '')
  return assets.map((asset) => tree.files.get(asset)?.digest).join(' ')
}

async function variantOf(scope: Scope, href: string): Promise<Variant> {
  const asset = assetOf(scope.site, href)
  const kind = asset && /\.(png|svg|ico)$/i.exec(asset)?.[1]?.toLowerCase()
  if (!asset || !kind) return NOTHING
  if ((scope.tree.files.get(asset)?.sizeBytes ?? 0) > MAX_BYTES)
    return unusable(asset, { fault: `has more than ${MAX_BYTES / 1024 / 1024} MB`, level: 'warning' })
  const bytes = await scope.tree.read(asset)
  if (kind === 'ico') return { ...NOTHING, ico: bytes }
  const answer = await keptIcons(scope.objects, jobOf(scope.site, kind as IconJob['kind'], bytes))
  return 'fault' in answer ? unusable(asset, answer) : variantWith(href, answer.made)
}

/** Null for what is no file of the site. */
function assetOf({ assets }: Scope['site'], href: string): string | null {
  if (!/^\/(?!\/)/.test(href)) return null
  const asset = normalisePath(href.replace(/[?#].*$/s, '')).slice(1)
  return assets.has(asset) ? asset : null
}

function jobOf({ config }: Scope['site'], kind: IconJob['kind'], bytes: Uint8Array): IconJob {
  const safe = kind === 'svg' ? safeSvg(bytes) : bytes
  const content = kind === 'svg' && typeof safe !== 'string' ? new TextDecoder().decode(safe) : safe
  return { kind, content, darkGround: hexColour(pageColours(config).dark) }
}

function variantWith(href: string, { icons, given, touch, ico }: MadeIcons): Variant {
  const iconFiles = icons.map(({ side, png }) => hashed(`favicon-${side}`, 'png', png))
  const touchFile = touch && hashed('touch-icon', 'png', touch)
  const tabs = icons.map(({ side }, index) => ({
    href: `/${iconFiles[index]?.path}`,
    sizes: `${side}x${side}`,
  }))
  if (given) tabs.push({ href, sizes: `${given.width}x${given.height}` })
  return {
    icons: { tabs, touch: touchFile && `/${touchFile.path}` },
    iconFiles,
    touchFile,
    ico,
    problem: null,
  }
}

function unusable(asset: string, { fault, level }: { fault: string; level: Problem['level'] }): Variant {
  const problem: Problem = {
    file: asset,
    line: null,
    code: 'favicon.unusable',
    level,
    message: `The favicon ${fault}, so it is given as it is and in no other size.`,
    remedy: 'Give a PNG file of 512 by 512 pixels, or an SVG file of shapes and paths.',
  }
  return { ...NOTHING, problem }
}
