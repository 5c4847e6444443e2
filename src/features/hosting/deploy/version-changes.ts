/** Compares the pages of two versions of a site. */
import { createYielder } from '../../../base/text/yielder.ts'
import type { ManifestFile, SiteManifest } from '../../../render/versions/manifest.ts'
import { MAX_CHANGED_PAGES, type PageChange } from '../operations/deployments.ts'
import { pageRoutes } from '../serve/page-routes.ts'

type Files = SiteManifest['files']

export interface VersionChanges {
  added: number
  changed: number
  removed: number
  pages: { path: string; change: PageChange }[]
}

/**
 * A page counts as changed if its text differs, because a change of navigation or styles affects all pages.
 * The text is the page's Markdown, or its HTML if there is none.
 */
export async function compareVersions(
  before: Pick<SiteManifest, 'files'>,
  after: Pick<SiteManifest, 'files'>,
): Promise<VersionChanges> {
  const [old, fresh] = [await pageRoutes(before), await pageRoutes(after)]
  const pages: VersionChanges['pages'] = []
  const counts = { added: 0, changed: 0, removed: 0 }
  const breaks = createYielder()
  for (const path of [...new Set([...old, ...fresh])].sort()) {
    if (breaks.isDue()) await breaks.yieldNow()
    const change = changeOf(path, old, fresh, before.files, after.files)
    if (change === null) continue
    counts[change]++
    if (pages.length < MAX_CHANGED_PAGES) pages.push({ path, change })
  }
  return { ...counts, pages }
}

function changeOf(
  path: string,
  old: ReadonlySet<string>,
  fresh: ReadonlySet<string>,
  before: Files,
  after: Files,
): PageChange | null {
  if (!old.has(path)) return 'added'
  if (!fresh.has(path)) return 'removed'
  const [was, is] = [textOf(before, path), textOf(after, path)]
  return was === is ? null : 'changed'
}

function textOf(files: Files, path: string): string | undefined {
  const bare = path.slice(1)
  const names = bare === '' ? ['index'] : [bare, `${bare}/index`]
  const find = (ending: string): ManifestFile | undefined => {
    const name = names.find((one) => Object.hasOwn(files, `${one}${ending}`))
    return name === undefined ? undefined : files[`${name}${ending}`]
  }
  return (find('.md') ?? find('.html'))?.sha256
}
