/** Documents of one version in one language: title, old path and new path of each. */
import { posix } from 'node:path'
import type { FileTree } from '../../base/files/file-tree.ts'
import { readTextFile } from '../../site/text.ts'
import { IGNORE_FILE, isPage } from '../imported-site.ts'
import type { Notes } from '../notes.ts'
import { extractTitle, readPage, type SourcePage } from '../page-file.ts'
import { asNumber, asText } from '../values.ts'

export interface Doc {
  /** Id used in sidebars: folders and name without number prefixes. */
  id: string
  page: SourcePage
  /** Path of the file below the documents folder, with number prefixes. */
  path: string
  /** Path on the old and on the new site. */
  route: string
  /** Path in the new folder, without extension. */
  place: string
  title: string
  label: string
  position: number | null
  isFolder: boolean
}

export interface DocSet {
  /** Folder of the documents in the source. */
  folder: string
  docs: Doc[]
  byId: ReadonlyMap<string, Doc>
  /** Documents that are copied to the new folder but not published. */
  drafts: Doc[]
}

export interface DocSetInput {
  folder: string
  /** Base path: `/docs`, `/fr/docs/2.0`. */
  base: string
  placeOf(file: string, route: string, isFolder: boolean): string
}

/** Files whose name begins with `_` are parts of other pages. */
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
        { file, line: null },
        'The page is a draft: the new folder has it, and it is not published.',
        `Take /${doc.place}.mdx out of ${IGNORE_FILE} and name it in docs.json when it is ready.`,
      )
      continue
    }
    docs.push(doc)
    byId.set(doc.id, doc)
    // Sidebars may also refer to a document by its path with number prefixes.
    const pathId = path.replace(/\.\w+$/, '')
    if (!byId.has(pathId)) byId.set(pathId, doc)
  }
  return { folder: input.folder, docs, byId, drafts }
}

/** Reads pages outside of the documents, except for those that are programs. */
export async function readSinglePages(
  tree: FileTree,
  notes: Notes,
  folder: string | null,
  placeOf: DocSetInput['placeOf'],
): Promise<Pick<DocSet, 'docs' | 'drafts'>> {
  if (folder === null) return { docs: [], drafts: [] }
  for (const file of filesBelow(tree, folder)) {
    const path = file.slice(folder.length + 1)
    if (!/\.[jt]sx?$/.test(path) || isPartial(path)) continue
    notes.add(
      'file',
      { file, line: null },
      'The page is a program, which is not run.',
      'Write it as a page of MDX.',
    )
  }
  return readDocs(tree, notes, { folder, base: '/', placeOf })
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
    place: input.placeOf(page.file, route, isFolder),
    title,
    label: asText(fields.sidebar_label) ?? given ?? title,
    position: asNumber(fields.sidebar_position) ?? numberInFront(segments.at(-1) ?? ''),
    isFolder,
  }
}

/** Strips a number prefix: `01-intro` → `intro`. Keeps dates and versions. */
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
