/** Assigns file names to the pages and assets of a site. Names are safe, so that archives unpack on every system. */

import type { Deployment } from '../../base/api/features.ts'
import type { Problem } from '../../base/errors/problem.ts'
import { sha256 } from '../../base/hash.ts'
import type { Site } from '../../site/model.ts'

export interface OutputNames {
  /** Maps routes to paths in the site: `/guides/x` → `guides/x.html`. */
  pages: ReadonlyMap<string, string>
  /** Maps paths below the docs folder to paths in the site; they are equal unless a name had to change. */
  assets: ReadonlyMap<string, string>
  /** Maps routes to paths of Markdown twins: `/guides/x` → `guides/x.md`. */
  twins: ReadonlyMap<string, string>
  /** Maps routes to paths of feeds, for pages with a feed: `/changes` → `changes/rss.xml`. */
  feeds: ReadonlyMap<string, string>
  claim(preferredPath: string): string
  has(path: string): boolean
  problems: Problem[]
}

/** `reservedNames` are root files that Octavo generates; assets cannot replace them. */
export function nameOutputs(
  site: Pick<Site, 'pages' | 'assets'>,
  deployment: Deployment,
  reservedNames: readonly string[],
): OutputNames {
  const isBundle = deployment !== 'cloud'
  const names = new NameRegister(isBundle)
  const problems: Problem[] = []
  for (const path of reservedNames) names.claim(path)
  const pages = new Map<string, string>()
  for (const route of [...site.pages.keys()].sort(compareCodeUnits)) {
    const preferredPath = route === '/' ? 'index.html' : `${route.slice(1)}.html`
    const path = names.claim(isBundle ? safePath(preferredPath) : preferredPath)
    pages.set(route, path)
    if (path !== preferredPath)
      problems.push(createRenamedProblem(site.pages.get(route)?.file ?? 'docs.json', preferredPath, path))
  }
  const assets = new Map<string, string>()
  for (const asset of [...site.assets].sort(compareCodeUnits)) {
    const path = names.claim(isBundle ? safePath(asset) : asset)
    assets.set(asset, path)
    if (path !== asset) problems.push(createRenamedProblem(asset, asset, path))
  }
  const twins = new Map<string, string>()
  const feeds = new Map<string, string>()
  for (const [route, path] of pages) {
    const stem = path.replace(/\.html$/, '')
    twins.set(route, names.claim(`${stem}.md`))
    if (site.pages.get(route)?.frontmatter.rss === true) {
      feeds.set(route, names.claim(route === '/' ? 'rss.xml' : `${stem}/rss.xml`))
    }
  }
  return {
    pages,
    assets,
    twins,
    feeds,
    problems,
    claim: (preferredPath) => names.claim(preferredPath),
    has: (path) => names.has(path),
  }
}

export function compareCodeUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** Names in use. In a bundle, names that differ only by case conflict, as do a file and a folder of the same name. */
class NameRegister {
  readonly #foldsCase: boolean
  readonly #files = new Set<string>()
  readonly #folders = new Set<string>()

  constructor(foldsCase: boolean) {
    this.#foldsCase = foldsCase
  }

  has(path: string): boolean {
    return this.#files.has(this.#fold(path))
  }

  claim(preferredPath: string): string {
    const base = this.#foldsCase ? this.#besideFiles(preferredPath) : preferredPath
    let path = base
    for (let n = 2; this.#isTaken(path); n++) path = withSuffix(base, `-${n}`)
    this.#files.add(this.#fold(path))
    for (const folder of listFolders(this.#fold(path))) this.#folders.add(folder)
    return path
  }

  #isTaken(path: string): boolean {
    const folded = this.#fold(path)
    if (this.#files.has(folded)) return true
    return this.#foldsCase && this.#folders.has(folded)
  }

  /** Renames every folder in the path whose name is already the name of a file. */
  #besideFiles(preferredPath: string): string {
    const parts = preferredPath.split('/')
    for (let depth = 1; depth < parts.length; depth++) {
      const name = parts[depth - 1]
      for (let n = 2; this.has(parts.slice(0, depth).join('/')); n++) parts[depth - 1] = `${name}-${n}`
    }
    return parts.join('/')
  }

  #fold(path: string): string {
    return !this.#foldsCase || CASE_FOLDED_NAME.test(path) ? path : path.normalize('NFC').toLowerCase()
  }
}

function listFolders(path: string): string[] {
  const folders: string[] = []
  for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1)) folders.push(path.slice(0, at))
  return folders
}

function withSuffix(path: string, suffix: string): string {
  const slash = path.lastIndexOf('/')
  const dot = path.lastIndexOf('.')
  return dot > slash + 1 ? path.slice(0, dot) + suffix + path.slice(dot) : path + suffix
}

/** Matches ASCII without upper-case letters. Such names equal their normalized form. */
const CASE_FOLDED_NAME = /^[\x00-\x40\x5b-\x7f]*$/
/** Matches names that stay unchanged, unless a part is a device name. */
const PLAIN = /^[\w-]+(?:\.[\w-]+)*$/
const FORBIDDEN_CHARACTERS = /[\u0000-\u001f\u007f<>:"\\|?*]/g
const DEVICE_NAME = /^(con|prn|aux|nul|com[0-9]|lpt[0-9])(?=\.|$)/i
/** Maximum length of a file name on common file systems. */
const NAME_LIMIT_BYTES = 255

/** Returns a relative path in which every part is a valid file name on Linux, macOS and Windows. */
export function safePath(path: string): string {
  return path
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .map(safeName)
    .join('/')
}

function safeName(name: string): string {
  if (name.length <= NAME_LIMIT_BYTES && PLAIN.test(name) && !DEVICE_NAME.test(name)) return name
  const clean = name
    .replace(FORBIDDEN_CHARACTERS, '-')
    .replace(/(?<![. ])[. ]+$/, (tail) => '-'.repeat(tail.length))
    .replace(DEVICE_NAME, '$1-')
  if (Buffer.byteLength(clean) <= NAME_LIMIT_BYTES) return clean
  const extension = /\.[A-Za-z0-9]{1,8}$/.exec(clean)?.[0] ?? ''
  let head = clean.slice(0, -extension.length || undefined)
  while (Buffer.byteLength(head) > NAME_LIMIT_BYTES - extension.length - 9)
    head = [...head].slice(0, -1).join('')
  return `${head}-${sha256(name).slice(0, 8)}${extension}`
}

function createRenamedProblem(file: string, from: string, to: string): Problem {
  return {
    file,
    line: null,
    code: 'output.renamed',
    level: 'warning',
    message: `The file name ${JSON.stringify(from)} cannot be used in an archive, so the file is renamed to ${JSON.stringify(to)}.`,
    remedy: 'Choose a name that is not reserved and differs from the other names by more than case.',
  }
}
