/** Compares two bundles of a site as readers see them. */
import type { BundleManifest, FoundFile } from './bundle-inspection.ts'

export interface Changes {
  added: string[]
  removed: string[]
  changed: string[]
}

export interface BundleDifference {
  /** Pages by path without extension. A page has changed if its text differs, regardless of its layout. */
  pages: Changes
  /** All other files by path. Excludes pages whose layout alone has changed. */
  files: Changes
}

const MARKDOWN_EXTENSION = '.md'
const HTML_EXTENSION = '.html'

/** A page is an HTML file with a Markdown twin, which contains its text without the navigation. */
export function compareBundles(before: BundleManifest, after: BundleManifest): BundleDifference {
  const [old, now] = [groupFiles(before), groupFiles(after)]
  return { pages: changesOf(old.pages, now.pages), files: changesOf(old.files, now.files) }
}

interface GroupedFiles {
  pages: ReadonlyMap<string, FoundFile>
  files: ReadonlyMap<string, FoundFile>
}

function groupFiles({ files }: BundleManifest): GroupedFiles {
  const pages = new Map<string, FoundFile>()
  const others = new Map<string, FoundFile>()
  for (const [path, file] of Object.entries(files)) {
    const isTwin =
      path.endsWith(MARKDOWN_EXTENSION) &&
      Object.hasOwn(files, withEnding(path, MARKDOWN_EXTENSION, HTML_EXTENSION))
    const isPage =
      path.endsWith(HTML_EXTENSION) &&
      Object.hasOwn(files, withEnding(path, HTML_EXTENSION, MARKDOWN_EXTENSION))
    if (isTwin) pages.set(path.slice(0, -MARKDOWN_EXTENSION.length), file)
    else if (!isPage) others.set(path, file)
  }
  return { pages, files: others }
}

function withEnding(path: string, from: string, to: string): string {
  return path.slice(0, -from.length) + to
}

function changesOf(before: GroupedFiles['files'], after: GroupedFiles['files']): Changes {
  return {
    added: [...after.keys()].filter((path) => !before.has(path)),
    removed: [...before.keys()].filter((path) => !after.has(path)),
    changed: [...after].filter(([path, file]) => hasChanged(before.get(path), file)).map(([path]) => path),
  }
}

function hasChanged(before: FoundFile | undefined, { sha256 }: FoundFile): boolean {
  return before !== undefined && before.sha256 !== sha256
}
