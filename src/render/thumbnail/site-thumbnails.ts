/**
 * Link preview images for pages that do not define one: title, section and logo in the site's colors. Only
 * made if the URL of the site is known, since link previews require absolute URLs.
 */
import type { FileTree } from '../../base/files/file-tree.ts'
import type { ObjectCache } from '../../objects/object-cache.ts'
import type { SitePage } from '../../site/model.ts'
import { plainText } from '../html/inline-markup.ts'
import { sanitizeSvg } from '../html/svg-bytes.ts'
import { normalisePath } from '../links/links.ts'
import type { RenderInput } from '../page/render-input.ts'
import { hexColour } from '../theme/colour.ts'
import { drawingColours } from '../theme/site-tokens.ts'
import { getContentType } from '../versions/content-types.ts'
import type { SiteFiles } from '../versions/site-files.ts'
import { openThumbnails, type Thumbnails } from './cached-thumbnails.ts'
import { TEXT_ELEMENT, toDrawableText } from './lettering.ts'
import type { Thumbnail, ThumbnailLook } from './thumbnail.ts'
import { THUMBNAIL_LIST_FILE, type ThumbnailList, thumbnailFile } from './thumbnail-list.ts'

export interface SiteThumbnails extends AsyncDisposable {
  /** Returns the path of a page's image and adds it to the version; null if it cannot be drawn. */
  pathOf(page: SitePage): string | null
  /** Writes all requested images: as files in a bundle, as a list of their contents for a hosted site. */
  write(files: SiteFiles): Promise<void>
}

interface Scope {
  cache: ObjectCache
  input: Pick<RenderInput, 'site' | 'deployment' | 'origin'> & { tree: Pick<FileTree, 'read' | 'files'> }
}

const MAX_TITLE_CHARACTERS = 200
const MAX_SECTION_CHARACTERS = 80
const MAX_LOGO_BYTES = 1 << 20
/**
 * Maximum number of images in a bundle, each of which takes tens of milliseconds to draw at build time.
 * Further pages use the image of the site.
 */
const MAX_PICTURES = 2000
const LOGO_TYPES = ['image/svg+xml', 'image/png', 'image/jpeg', 'image/gif']

/** Returns null if readers could not load the images, or if the site's name cannot be drawn. */
export async function siteThumbnails({ cache, input }: Scope): Promise<SiteThumbnails | null> {
  if (input.origin === null || input.deployment === 'air-gapped') return null
  const name = toDrawableText(shorten(input.site.config.name, MAX_SECTION_CHARACTERS))
  if (name === null || name === '') return null
  const drawings = openThumbnails(cache)
  const look = await loadThumbnailLook(input, name, drawings)
  return input.deployment === 'cloud'
    ? createListedThumbnails(look, drawings)
    : createDrawnThumbnails(look, drawings)
}

async function loadThumbnailLook(
  { site, tree }: Scope['input'],
  name: string,
  drawings: Thumbnails,
): Promise<ThumbnailLook> {
  const { config } = site
  const mode = config.thumbnails.appearance ?? (config.appearance.default === 'dark' ? 'dark' : 'light')
  const { ground, ink, quiet, accent } = drawingColours(config, mode)
  const logo = await loadLogo({ site, tree }, config.logo?.[mode] ?? '', drawings)
  return {
    site: name,
    ground: hexColour(ground),
    ink: hexColour(ink),
    quiet: hexColour(quiet),
    accent: hexColour(accent),
    logo: logo && Buffer.from(logo).toString('base64'),
  }
}

async function loadLogo(
  { site, tree }: Pick<Scope['input'], 'site' | 'tree'>,
  href: string,
  drawings: Thumbnails,
): Promise<Uint8Array | null> {
  if (!/^\/(?!\/)/.test(href)) return null
  const asset = normalisePath(href.replace(/[?#].*$/s, '')).slice(1)
  const type = getContentType(asset).split(';')[0] as string
  if (!site.assets.has(asset) || !LOGO_TYPES.includes(type)) return null
  if ((tree.files.get(asset)?.sizeBytes ?? 0) > MAX_LOGO_BYTES) return null
  const bytes = await tree.read(asset)
  if (type !== 'image/svg+xml') return drawings.logo(bytes, type)
  const safe = sanitizeSvg(bytes)
  const text = typeof safe === 'string' ? safe : new TextDecoder().decode(safe)
  return TEXT_ELEMENT.test(text) ? null : drawings.logo(Buffer.from(text), type)
}

/** Hidden pages, and pages whose title has unsupported scripts, show the site's name. */
function createThumbnail(look: ThumbnailLook, page: SitePage): Thumbnail {
  const title = page.isHidden ? null : toDrawableText(shorten(plainText(page.title), MAX_TITLE_CHARACTERS))
  if (title === null || title === '') return createSiteThumbnail(look)
  const section = toDrawableText(
    shorten(plainText(page.placements[0]?.groups.at(-1) ?? ''), MAX_SECTION_CHARACTERS),
  )
  return { ...look, title, section: section ?? '' }
}

function createSiteThumbnail(look: ThumbnailLook): Thumbnail {
  return { ...look, title: look.site, section: '' }
}

function createListedThumbnails(look: ThumbnailLook, drawings: Thumbnails): SiteThumbnails {
  const texts: ThumbnailList['texts'] = {}
  return {
    pathOf(page) {
      const thumbnail = createThumbnail(look, page)
      const { digest, path } = thumbnailFile(thumbnail)
      texts[digest] = [thumbnail.title, thumbnail.section]
      return `/${path}`
    },
    async write(files) {
      const sorted = Object.fromEntries(Object.entries(texts).sort(([a], [b]) => (a < b ? -1 : 1)))
      if (Object.keys(texts).length > 0)
        await files.add(THUMBNAIL_LIST_FILE, JSON.stringify({ look, texts: sorted } satisfies ThumbnailList))
    },
    [Symbol.asyncDispose]: () => drawings[Symbol.asyncDispose](),
  }
}

function createDrawnThumbnails(look: ThumbnailLook, drawings: Thumbnails): SiteThumbnails {
  const pictures = new Map<string, Promise<Uint8Array | null>>()
  return {
    pathOf(page) {
      const own = thumbnailFile(createThumbnail(look, page))
      const isOver = pictures.size >= MAX_PICTURES && !pictures.has(own.path)
      const thumbnail = isOver ? createSiteThumbnail(look) : createThumbnail(look, page)
      const { path } = thumbnailFile(thumbnail)
      if (!pictures.has(path)) {
        const drawing = drawings.picture(thumbnail)
        drawing.catch(() => {}) // reported where the promise is awaited
        pictures.set(path, drawing)
      }
      return `/${path}`
    },
    async write(files) {
      for (const [path, drawing] of pictures) {
        const png = await drawing
        if (png) await files.add(path, png)
      }
    },
    [Symbol.asyncDispose]: () => drawings[Symbol.asyncDispose](),
  }
}

function shorten(text: string, longest: number): string {
  const flat = text.replace(/\s+/g, ' ').trim()
  return flat.length <= longest ? flat : `${flat.slice(0, longest - 1).replace(/[\ud800-\udbff]$/, '')}…`
}
