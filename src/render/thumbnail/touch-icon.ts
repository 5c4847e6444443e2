/** Home-screen icon. Home screens do not support SVG, so an SVG favicon is converted. */

import type { Problem } from '../../base/errors/problem.ts'
import type { FileTree } from '../../base/files/file-tree.ts'
import type { Site } from '../../site/model.ts'
import { sanitizeSvg } from '../html/svg-bytes.ts'
import { normalisePath } from '../links/links.ts'
import { type BuiltInFile, hashed } from '../machinery/built-ins.ts'
import { findFavicon } from '../theme/favicon.ts'
import { TEXT_ELEMENT } from './lettering.ts'
import { openArtist } from './open-artist.ts'

export interface TouchIcon {
  /** PNG; null if the favicon is not an SVG of the site or cannot be drawn. */
  file: BuiltInFile<Uint8Array> | null
  problems: Problem[]
}

interface Scope {
  site: Pick<Site, 'config' | 'assets'>
  tree: Pick<FileTree, 'read' | 'files'>
}

/** Maximum size of the favicon in bytes; a typical icon has a few thousand. */
const MAX_BYTES = 4 * 1024 * 1024

/** Rejects if the tree cannot be read, but never because of the favicon. */
export async function touchIcon(scope: Scope): Promise<TouchIcon> {
  const asset = findDrawing(scope.site)
  if (asset === null) return { file: null, problems: [] }
  if ((scope.tree.files.get(asset)?.sizeBytes ?? 0) > MAX_BYTES)
    return createFailedIcon(asset, `is larger than ${MAX_BYTES / 1024 / 1024} MB`, 'warning')
  const safe = sanitizeSvg(await scope.tree.read(asset))
  const svg = typeof safe === 'string' ? safe : new TextDecoder().decode(safe)
  if (TEXT_ELEMENT.test(svg))
    return createFailedIcon(asset, 'contains text, which only browsers can render', 'hint')
  await using artist = openArtist()
  const png = await artist.draw({ kind: 'touch-icon', svg })
  if (png === null) return createFailedIcon(asset, 'cannot be rendered, or is invisible on white', 'warning')
  return { file: hashed('touch-icon', 'png', png), problems: [] }
}

/** Returns a value that changes with the file that `touchIcon` would read. */
export function touchIconStamp({ site, tree }: Scope): string {
  return tree.files.get(findDrawing(site) ?? '')?.digest ?? ''
}

function findDrawing(site: Scope['site']): string | null {
  const href = findFavicon(site)?.light ?? ''
  if (!/^\/(?!\/)/.test(href)) return null
  const asset = normalisePath(href.replace(/[?#].*$/s, '')).slice(1)
  return /\.svg$/i.test(asset) && site.assets.has(asset) ? asset : null
}

function createFailedIcon(asset: string, fault: string, level: Problem['level']): TouchIcon {
  const problem: Problem = {
    file: asset,
    line: null,
    code: 'favicon.unusable',
    level,
    message: `The favicon ${fault}, so it cannot be used as a home screen icon.`,
    remedy: 'Use an SVG file with only shapes and paths, or a PNG file of at least 180 by 180 pixels.',
  }
  return { file: null, problems: [problem] }
}
