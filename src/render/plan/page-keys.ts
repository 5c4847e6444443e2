/**
 * What the files of a page are made of, by name: two builds that give a file the same key write the same bytes. The
 * site counts as a whole, with everything but the text of pages, so that a key says too often that a file is another one
 * and never that it is the same. What the site neither serves nor was read from is not in any page; of a file that it
 * serves as it is, a page holds the address, and the size of a picture, which its own key names.
 */
import { sha256, sha256Of } from '../../base/hash.ts'
import type { SitePage } from '../../site/model.ts'
import type { PageSource } from '../bodies/page-source.ts'
import { rendererVersion } from '../machinery/renderer-version.ts'
import type { RenderInput } from '../page/render-input.ts'

export interface PageKeys {
  /** `more` is what else goes into the file; plain data. Null when it has no name. */
  of(page: SitePage, source: Pick<PageSource, 'key'>, more: unknown): string | null
  /** Of a file that is made of what stands around the texts of pages, and of nothing else. */
  ofSite(path: string): string | null
}

export const NO_KEYS: PageKeys = { of: () => null, ofSite: () => null }

export function createPageKeys(input: RenderInput): PageKeys {
  const around = nameOf(aroundPages(input))
  if (around === null) return NO_KEYS
  const whole = sha256Of(rendererVersion(), around)
  const dates = sha256(JSON.stringify([...input.site.pages.values()].map(({ lastUpdated }) => lastUpdated)))
  return {
    ofSite: (path) => sha256(JSON.stringify([whole, path, dates])),
    of: (page, { key }, more) => {
      const name = nameOf(more)
      return name === null ? null : sha256(JSON.stringify([whole, page.route, page.lastUpdated, key, name]))
    },
  }
}

function aroundPages(input: RenderInput): unknown {
  const { site, tree, settingFiles: _, ...asked } = input
  return [
    asked,
    beside(input).map((path) => [path, tree.files.get(path)?.digest]),
    tree.refused,
    site.config,
    // A date stands on its page alone.
    [...site.pages].map(([route, page]) => [route, { ...page, lastUpdated: null }]),
    site.sidebars,
    site.languages,
    [...site.assets],
    site.styles,
    site.scripts,
    site.redirects,
    site.homeRoute,
  ]
}

/** What the site was read from, imports, or names in its settings; where that is unknown, every file that is no page. */
function beside({ site, tree, settingFiles }: RenderInput): string[] {
  const settings = JSON.stringify(site.config)
  const texts = new Set([...site.pages.values()].map(({ file }) => file))
  const imported = [...site.imports.values()].flatMap((list) => list.flatMap(({ path }) => path ?? []))
  const modules = new Set([...site.snippets, ...imported])
  const isModule = (path: string) => settingFiles === undefined || modules.has(path)
  return [...tree.files.keys()].filter(
    (path) =>
      settingFiles?.has(path) ||
      (isModule(path) && !texts.has(path)) ||
      (site.assets.has(path) && settings.includes(path)),
  )
}

/** Null for what has no form as text: frontmatter may hold itself. */
function nameOf(value: unknown): string | null {
  return textOf(value) ?? textOf(value, (_name, part) => (typeof part === 'bigint' ? `${part}n` : part))
}

/** Without a function that is asked for each part it takes a tenth of the time. */
function textOf(value: unknown, replace?: (name: string, part: unknown) => unknown): string | null {
  try {
    return JSON.stringify(value, replace) ?? ''
  } catch {
    return null
  }
}
