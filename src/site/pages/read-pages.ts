/** Reads all pages, snippets and component files of the site once; retains only the facts used for loading. */
import { mapBounded } from '../../base/bounded.ts'
import type { Problem } from '../../base/errors/problem.ts'
import type { FileTree } from '../../base/files/file-tree.ts'
import { sha256 } from '../../base/hash.ts'
import { pointerProblem } from '../lfs-pointers.ts'
import { isPageFile } from '../navigation/routes.ts'
import { decodeText } from '../text.ts'
import { type Frontmatter, parseFrontmatter } from './frontmatter.ts'
import { isModuleFile } from './imports.ts'
import { type PageReaders, readPageReaders } from './page-readers.ts'
import { readScript, type ScriptFacts } from './page-scripts.ts'
import { readRelated } from './related-pages.ts'
import { type ScannedImport, scanModule } from './scan-imports.ts'
import { type ScannedLink, scanPage } from './scan-page.ts'

export interface FileFacts {
  file: string
  digest: string
  /** SHA-256 of the text before the body. If the digest is unchanged, `frontmatter` is unchanged too. */
  head: string
  frontmatter: Frontmatter | null
  readers: PageReaders
  imports: readonly ScannedImport[]
  links: readonly ScannedLink[]
  script: ScriptFacts | null
  problems: readonly Problem[]
}

const READ_CONCURRENCY = 16
/** Minimum size of pages that are reported as slow in readers' browsers; they are still rendered. */
const LARGE_PAGE_BYTES = 2_000_000

/** Reads files, except those whose content is the same as in `knownFacts`, the facts of an earlier state. */
export async function readPages(
  tree: FileTree,
  files: Iterable<string>,
  knownFacts: ReadonlyMap<string, FileFacts>,
): Promise<Map<string, FileFacts>> {
  const modules = [...files].filter(isModuleFile)
  const facts = await mapBounded(modules, READ_CONCURRENCY, async (file) => {
    const before = knownFacts.get(file)
    return before?.digest === getDigest(tree, file) ? before : readPage(tree, file)
  })
  return new Map(facts.map((one) => [one.file, one]))
}

export async function readPage(tree: FileTree, file: string): Promise<FileFacts> {
  const digest = getDigest(tree, file)
  const bytes = await tree.read(file)
  return { digest, ...readFacts(file, bytes) }
}

function getDigest(tree: FileTree, file: string): string {
  return tree.files.get(file)?.digest ?? ''
}

function readFacts(file: string, bytes: Uint8Array): Omit<FileFacts, 'digest'> {
  const { text, encoding } = decodeText(bytes)
  const problems: Problem[] = []
  if (!isPageFile(file)) {
    const imports = scanModule(text)
    const script = file.endsWith('.js') ? readScript(text, imports.length > 0) : null
    return { file, head: '', frontmatter: null, readers: [], imports, links: [], script, problems }
  }
  if (encoding !== 'utf-8') {
    problems.push({
      file,
      line: null,
      code: 'page.encoding',
      level: 'warning',
      message: `The file is not UTF-8. It is read as ${encoding === 'utf-16' ? 'UTF-16' : 'Windows-1252'}.`,
      remedy: 'Save the file as UTF-8.',
    })
  }
  if (bytes.length > LARGE_PAGE_BYTES) {
    problems.push({
      file,
      line: null,
      code: 'page.large',
      level: 'hint',
      message: `The page contains ${(bytes.length / 1_000_000).toFixed(1)} MB of text.`,
      remedy: 'Split it into several pages.',
    })
  }
  const pointer = pointerProblem(file, text)
  if (pointer) problems.push(pointer)
  const frontmatter = parseFrontmatter(problems, file, text)
  const head = sha256(text.slice(0, frontmatter.bodyOffset))
  const readers = readPageReaders(problems, file, frontmatter, text)
  const scanned = scanPage(text, frontmatter.bodyOffset)
  return {
    file,
    head,
    frontmatter,
    readers,
    ...scanned,
    links: [...relatedLinks(problems, file, frontmatter), ...scanned.links],
    script: null,
    problems,
  }
}

function relatedLinks(problems: Problem[], file: string, frontmatter: Frontmatter): ScannedLink[] {
  const { entries, isWhole } = readRelated(frontmatter.fields)
  if (entries.length === 0 && isWhole) return []
  const line = frontmatter.lineOf('related')
  if (!isWhole)
    problems.push({
      file,
      line,
      code: 'frontmatter.type',
      level: 'warning',
      message: 'related must be false or a list of links, with or without titles. Other entries are ignored.',
      remedy: 'Write each entry as a path, a URL, or Title: link.',
    })
  return entries.map(({ href }) => ({ href, line, use: 'link' }))
}
