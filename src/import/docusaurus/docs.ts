/** Reads the documents of one version and language. */
import { posix } from 'node:path'
import type { FileTree } from '../../base/files/file-tree.ts'
import { readTextFile } from '../../site/text.ts'
import { IGNORE_FILE, isPage } from '../imported-site.ts'
import type { Notes } from '../notes.ts'
import { extractTitle, readPage, type SourcePage } from '../page-file.ts'
import { asNumber, asText } from '../values.ts'

export interface Doc {
  /** Id used in sidebars: the path without number prefixes. */
  id: string
  page: SourcePage
  /** Path below the documents folder, including number prefixes. */
  path: string
  /** Path on the old and on the new site. */
  route: string
  /** Path in the new folder, without extension. */
  importedPath: string
  title: string
  label: string
  position: number | null
  isFolder: boolean
}

export interface DocSet {
  folder: string
  docs: Doc[]
  byId: ReadonlyMap<string, Doc>
  /** Unpublished documents, which are also copied to the new folder. */
  drafts: Doc[]
}

export interface DocSetInput {
  folder: string
  /** Base path, such as `/docs` or `/fr/docs/2.0`. */
  base: string
  allocatePath(file: string, route: string, isFolder: boolean): string
}

/** Returns true for files that are only included by other pages: their names begin with `_`. */
export function isPartial(path: string): boolean {
  return path.split('/').some((segment) => segment.startsWith('_'))
}

export async function readDocs(tree: FileTree, notes: Notes, input: DocSetInput): Promise<DocSet> {
  const docs: Doc[] = []
  const drafts: Doc[] = []
  const byId = new Map<string, Doc>()
  for (const file of filesBelow(tree, input.folder)) {
    const path = file.slice(input.folder.length + 1)
    if (!isPage(path) || isPartial(path)) continue
    const page = readPage(notes, file, await readTextFile(tree, file))
    const doc = createDoc(page, path, input)
    if (page.fields.draft === true) {
      drafts.push(doc)
      notes.add(
        'page',
        file,
        'The page is a draft. It is imported but not published.',
        `To publish it, remove /${doc.importedPath}.mdx from ${IGNORE_FILE} and add it to docs.json.`,
      )
      continue
    }
    docs.push(doc)
    byId.set(doc.id, doc)
    // Sidebars may also refer to a document by its path including number prefixes.
    const pathId = path.replace(/\.\w+$/, '')
    if (!byId.has(pathId)) byId.set(pathId, doc)
  }
  return { folder: input.folder, docs, byId, drafts }
}

/** Reads standalone pages. Adds a note for each page written in JavaScript or TypeScript. */
export async function readSinglePages(
  tree: FileTree,
  notes: Notes,
  folder: string | null,
  allocatePath: DocSetInput['allocatePath'],
): Promise<Pick<DocSet, 'docs' | 'drafts'>> {
  if (folder === null) return { docs: [], drafts: [] }
  for (const file of filesBelow(tree, folder)) {
    const path = file.slice(folder.length + 1)
    if (!/\.[jt]sx?$/.test(path) || isPartial(path)) continue
    notes.add('file', file, 'The page is a script, which cannot be imported.', 'Rewrite it in MDX.')
  }
  return readDocs(tree, notes, { folder, base: '/', allocatePath })
}

export function filesBelow(tree: FileTree, folder: string): string[] {
  return [...tree.files.keys()].filter((path) => path.startsWith(`${folder}/`))
}

function createDoc(page: SourcePage, path: string, input: DocSetInput): Doc {
  const { fields } = page
  const segments = path.replace(/\.\w+$/, '').split('/')
  const names = segments.map(withoutNumber)
  const name = names.at(-1) ?? ''
  const folders = names.slice(0, -1)
  const isFolder = /^(?:index|readme)$/i.test(name) || name === folders.at(-1)
  const ownId = asText(fields.id)
  const id = [...folders, ownId ?? name].join('/')
  const slug = asText(fields.slug)
  const defaultSlug = [...folders, ...(isFolder && ownId === null ? [] : [ownId ?? name])].join('/')
  const address =
    slug === null ? defaultSlug : slug.startsWith('/') ? slug : posix.join(folders.join('/'), slug)
  const route = posix.join('/', input.base, address).replace(/(.)\/$/, '$1')
  const heading = extractTitle(page.lines)?.title
  const given = asText(fields.title)
  const title = heading ?? given ?? name
  return {
    id,
    page,
    path,
    route,
    importedPath: input.allocatePath(page.file, route, isFolder),
    title,
    label: asText(fields.sidebar_label) ?? given ?? title,
    position: asNumber(fields.sidebar_position) ?? numberInFront(segments.at(-1) ?? ''),
    isFolder,
  }
}

/** Removes a number prefix: `01-intro` → `intro`. Dates and versions are unchanged. */
export function withoutNumber(name: string): string {
  return splitNumber(name)?.name ?? name
}

export function numberInFront(name: string): number | null {
  return splitNumber(name)?.number ?? null
}

function splitNumber(name: string): { number: number; name: string } | null {
  if (/^\d+[-_.]\d+/.test(name)) return null
  const found = /^(\d{1,9})[ ]{0,5}[-_.]{1,5}[ ]{0,5}([^-_.\s].*)$/.exec(name)
  return found ? { number: Number(found[1]), name: found[2] as string } : null
}
