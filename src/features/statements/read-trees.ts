/** Reads the code and pages of file trees, with a cache of parsed files by digest. */
import { mapBounded } from '../../base/bounded.ts'
import type { FileTree } from '../../base/files/file-tree.ts'
import { createYielder } from '../../base/text/yielder.ts'
import type { ObjectCache } from '../../objects/object-cache.ts'
import { isPageFile } from '../../site/navigation/routes.ts'
import type { AlarmInput } from './find-alarms.ts'
import { type Fact, isReadableCodeFile, readCode } from './read-code.ts'
import { readPage } from './read-page.ts'
import type { CodeFile, PageStatements } from './statement-map.ts'

export type ReadableTree = Pick<FileTree, 'files' | 'read'>

const MAX_CODE_FILES = 50_000
const MAX_PAGES = 20_000
const MAX_PAGE_BYTES = 2 << 20
const CONCURRENT_READS = 16
/** Version of the cached data; must be increased whenever parsing changes. */
const VERSION = 3

/** Excludes `outside`, the docs folder in the same tree; null if the docs are in another tree. */
export function codeFilesOf(tree: ReadableTree, outside: string | null): string[] {
  return [...tree.files]
    .filter(([path, { sizeBytes }]) => isReadableCodeFile(path, sizeBytes) && !isWithin(path, outside))
    .slice(0, MAX_CODE_FILES)
    .map(([path]) => path)
}

function isWithin(path: string, folder: string | null): boolean {
  return folder !== null && (folder === '' || path.startsWith(`${folder}/`))
}

export interface ReadOptions {
  outside: string | null
  cache: ObjectCache
  /** Name of the cache entry, shared by all versions of a tree. */
  name: string
}

export async function readCodeFiles(
  tree: ReadableTree,
  { outside, cache, name }: ReadOptions,
): Promise<CodeFile[]> {
  const entry = `statements ${VERSION} ${name}`
  const known = parseFacts(await cache.read(entry))
  const files = codeFilesOf(tree, outside)
  const unread = files.filter((file) => !known.has(keyOf(tree, file)))
  const isChanged = unread.length > 0 || known.size > new Set(files.map((file) => keyOf(tree, file))).size
  await readTexts(tree, unread, (text, file) =>
    known.set(keyOf(tree, file), withoutRepeatedUses(readCode(file, text).facts)),
  )
  const read = files.map((file) => [keyOf(tree, file), known.get(keyOf(tree, file)) ?? []] as const)
  if (isChanged) await cache.put(entry, Buffer.from(JSON.stringify(read)))
  // Values are needed only for changed files.
  return read.map(([, facts], index) => ({
    ...{ file: files[index] as string, facts: { facts, values: new Map() } },
  }))
}

/** Includes the extension, which determines the language. */
function keyOf(tree: ReadableTree, file: string): string {
  return `${file.slice(file.lastIndexOf('.'))} ${tree.files.get(file)?.digest}`
}

/** Keeps only the first use of each name. */
function withoutRepeatedUses(facts: readonly Fact[]): Fact[] {
  const uses = new Set<string>()
  return facts.filter(({ name, kind }) => {
    if (kind !== 'use') return true
    const isFirst = !uses.has(name)
    uses.add(name)
    return isFirst
  })
}

/** Returns an empty map for a damaged cache entry. */
function parseFacts(bytes: Uint8Array | null | undefined): Map<string, Fact[]> {
  try {
    return new Map(JSON.parse(Buffer.from(bytes ?? []).toString()))
  } catch {
    return new Map()
  }
}

export async function readPages(tree: ReadableTree): Promise<PageStatements[]> {
  const files = [...tree.files]
    .filter(([file, { sizeBytes }]) => isPageFile(file) && sizeBytes <= MAX_PAGE_BYTES)
    .slice(0, MAX_PAGES)
    .map(([file]) => file)
  return await readTexts(tree, files, (text, file) => ({ file, statements: readPage(text) }))
}

/** Returns the code files that differ, with both texts, and the paths of all files. */
export async function readChanges(
  before: ReadableTree,
  after: ReadableTree,
  outside: string | null,
): Promise<Pick<AlarmInput, 'changed' | 'paths'>> {
  const files = new Set([before, after].flatMap((tree) => codeFilesOf(tree, outside)))
  const different = [...files].filter(
    (path) => before.files.get(path)?.digest !== after.files.get(path)?.digest,
  )
  const readIn = (tree: ReadableTree, path: string) => (tree.files.has(path) ? readText(tree, path) : null)
  const changed = await mapBounded(different, CONCURRENT_READS, async (path) => ({
    ...{ path, before: await readIn(before, path), after: await readIn(after, path) },
  }))
  const paths = { before: new Set(before.files.keys()), after: new Set(after.files.keys()) }
  return { changed: changed.filter((file) => file.before !== file.after), paths }
}

export async function readTexts<Out>(
  tree: ReadableTree,
  files: readonly string[],
  parse: (text: string, file: string) => Out,
): Promise<Out[]> {
  const yielder = createYielder()
  return await mapBounded(files, CONCURRENT_READS, async (file) => {
    const text = await readText(tree, file)
    if (yielder.isDue()) await yielder.yieldNow()
    return parse(text, file)
  })
}

export async function readText(tree: ReadableTree, file: string): Promise<string> {
  return new TextDecoder().decode(await tree.read(file))
}
