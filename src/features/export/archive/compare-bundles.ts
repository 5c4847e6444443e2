/** What a reader finds changed between two bundles of one site. */
import type { BundleManifest, FoundFile } from './bundle-look.ts'

export interface Changes {
  added: string[]
  removed: string[]
  changed: string[]
}

export interface BundleDifference {
  /** By path without ending. Changed is a page that says something else; its surroundings do not count. */
  pages: Changes
  /** Everything else, by path: pages whose surroundings alone have changed are not among it. */
  files: Changes
}

const TWIN = '.md'
const PAGE = '.html'

/** A page is what has a Markdown twin beside it: its text, without the navigation around it. */
export function compareBundles(before: BundleManifest, after: BundleManifest): BundleDifference {
  const [old, now] = [partsOf(before), partsOf(after)]
  return { pages: changesOf(old.pages, now.pages), files: changesOf(old.files, now.files) }
}

interface Parts {
  pages: ReadonlyMap<string, FoundFile>
  files: ReadonlyMap<string, FoundFile>
}

function partsOf({ files }: BundleManifest): Parts {
  const pages = new Map<string, FoundFile>()
  const others = new Map<string, FoundFile>()
  for (const [path, file] of Object.entries(files)) {
    const isTwin = path.endsWith(TWIN) && Object.hasOwn(files, withEnding(path, TWIN, PAGE))
    const isPage = path.endsWith(PAGE) && Object.hasOwn(files, withEnding(path, PAGE, TWIN))
    if (isTwin) pages.set(path.slice(0, -TWIN.length), file)
    else if (!isPage) others.set(path, file)
  }
  return { pages, files: others }
}

function withEnding(path: string, from: string, to: string): string {
  return path.slice(0, -from.length) + to
}

function changesOf(before: Parts['files'], after: Parts['files']): Changes {
  return {
    added: [...after.keys()].filter((path) => !before.has(path)),
    removed: [...before.keys()].filter((path) => !after.has(path)),
    changed: [...after].filter(([path, file]) => isOther(before.get(path), file)).map(([path]) => path),
  }
}

function isOther(before: FoundFile | undefined, { sha256 }: FoundFile): boolean {
  return before !== undefined && before.sha256 !== sha256
}
