/** Ranked search over the sections of the workspace's pages. The index is built at the first search. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import MiniSearch from 'minisearch'
import { searchOptions } from '../../../base/api/search-tokens.ts'
import { mapBounded } from '../../../base/bounded.ts'
import type { FileTree } from '../../../base/files/file-tree.ts'
import { createRouteTitle, fileToRoute, isPageFile } from '../../../site/navigation/routes.ts'
import { parseFrontmatter } from '../../../site/pages/frontmatter.ts'
import { isInSnippetFolder } from '../../../site/pages/imports.ts'
import { maskCode } from '../../../site/pages/scan-page.ts'
import { excerpt as cutExcerpt } from '../loop/result-text.ts'
import type { Workspace } from '../publish/workspace.ts'
import { decodeFileText, MAX_FILE_BYTES } from './change-files.ts'
import { isShown } from './paths.ts'

export interface FoundSection {
  file: string
  /** 1-based line on which the section starts. */
  line: number
  title: string
  /** Empty for the introduction of a page. */
  heading: string
  excerpt: string
}

interface SectionDocument extends FoundSection {
  id: string
  text: string
}

interface Index {
  sections: MiniSearch<SectionDocument>
  files: Map<string, { digest: string; ids: readonly string[] }>
}

const BATCH = 8
const MAX_RESULTS = 100
const EXCERPT = 220
/** Captures the heading together with a closing sequence. */
const HEADING = /^#{1,6}[ \t]+(\S.*)$/gm

/**
 * Search indexes by file tree, shared by jobs at the same commit. Before each search, the indexed changes of the
 * previous workspace are replaced with those of the searched workspace. Searches run one at a time.
 */
const indexes = new WeakMap<FileTree, Index>()
/** Number of removed sections after which the index is vacuumed. */
const MAX_DROPPED = 2000

/** Returns at most 100 sections, best first. If no section contains all words, returns sections with some of them. */
export async function searchPages(
  workspace: Workspace,
  query: string,
  signal: AbortSignal,
): Promise<FoundSection[]> {
  const index = indexes.get(workspace.base) ?? createIndex()
  indexes.set(workspace.base, index)
  await refresh(index, workspace.tree, signal)
  if (index.sections.dirtCount > MAX_DROPPED) await index.sections.vacuum()
  const withAll = index.sections.search(query)
  const found = withAll.length > 0 ? withAll : index.sections.search(query, { combineWith: 'OR' })
  return found.slice(0, MAX_RESULTS).map((hit) => ({
    file: hit.file,
    line: hit.line,
    title: hit.title,
    heading: hit.heading,
    excerpt: hit.excerpt,
  }))
}

function createIndex(): Index {
  const options = { ...searchOptions('en'), storeFields: ['file', 'line', 'title', 'heading', 'excerpt'] }
  return { sections: new MiniSearch({ ...options, autoVacuum: false }), files: new Map() }
}

async function refresh(index: Index, tree: FileTree, signal: AbortSignal): Promise<void> {
  const pages = [...tree.files].filter(([path, entry]) => isPage(path) && entry.sizeBytes <= MAX_FILE_BYTES)
  const current = new Map(pages.map(([path, { digest }]) => [path, digest]))
  for (const [path, { digest }] of index.files) if (current.get(path) !== digest) dropFile(index, path)
  const newFiles = [...current].filter(([path]) => !index.files.has(path))
  for (let at = 0; at < newFiles.length; at += BATCH) {
    signal.throwIfAborted()
    const batch = newFiles.slice(at, at + BATCH)
    const texts = await mapBounded(batch, BATCH, async ([path]) => decodeFileText(await tree.read(path)))
    for (const [fileIndex, [path, digest]] of batch.entries()) {
      const documents = splitSections(path, texts[fileIndex] ?? '')
      index.sections.addAll(documents)
      index.files.set(path, { digest, ids: documents.map(({ id }) => id) })
    }
    await nextTurn()
  }
}

function isPage(path: string): boolean {
  return isPageFile(path) && isShown(path) && !isInSnippetFolder(path)
}

function dropFile(index: Index, path: string): void {
  for (const id of index.files.get(path)?.ids ?? []) index.sections.discard(id)
  index.files.delete(path)
}

function splitSections(file: string, text: string): SectionDocument[] {
  const { fields, bodyOffset, bodyLine } = parseFrontmatter([], file, text)
  const title = textField(fields.title) || createRouteTitle(fileToRoute(file), file)
  const opening = [fields.description, fields.keywords].flat().map(textField).join(' ')
  // A `#` in a code block is not a heading.
  const headings = [...maskCode(text, bodyOffset).matchAll(HEADING)].filter(
    ({ index }) => index >= bodyOffset,
  )
  const starts = [bodyOffset, ...headings.map(({ index }) => index)]
  let line = bodyLine
  return starts.map((start, number) => {
    const part = text.slice(start, starts[number + 1] ?? text.length)
    const heading = headings[number - 1]
    const body = heading ? part.slice(heading[0].length) : part
    const section = {
      id: `${file}\n${number}`,
      file,
      line,
      title,
      heading: withoutClosing(heading?.[1] ?? ''),
      excerpt: buildExcerpt(number === 0 ? `${opening} ${body}` : body),
      text: number === 0 ? `${opening}\n${body}` : body,
    }
    line += part.split('\n').length - 1
    return section
  })
}

/** Turns `## Words ##` into `Words`. */
function withoutClosing(heading: string): string {
  let end = heading.length
  while (end > 1 && /[ \t#]/.test(heading.charAt(end - 1))) end--
  return heading.slice(0, end)
}

function textField(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function buildExcerpt(text: string): string {
  return cutExcerpt(
    text
      .slice(0, EXCERPT * 4)
      .replace(/\s+/g, ' ')
      .trim(),
    0,
    EXCERPT,
  )
}
