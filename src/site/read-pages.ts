/** Every page, snippet and component file of the site read once; of its text only what loading needs is kept. */
import { mapBounded } from '../base/bounded.ts'
import type { FileTree } from '../base/file-tree.ts'
import type { Problem } from '../contract/problem.ts'
import { type Frontmatter, parseFrontmatter } from './frontmatter.ts'
import { isModuleFile } from './imports.ts'
import { isPageFile } from './routes.ts'
import { type ScannedImport, type ScannedLink, scanModule, scanPage } from './scan-page.ts'
import { decodeText } from './text.ts'

export interface FileFacts {
  file: string
  /** Null for component files. */
  frontmatter: Frontmatter | null
  imports: readonly ScannedImport[]
  links: readonly ScannedLink[]
}

const READS_AT_ONCE = 16
/** A page above this size is read and rendered, but named: no reader's browser is glad of it. */
const LARGE_PAGE_BYTES = 2_000_000

export async function readPages(
  tree: FileTree,
  problems: Problem[],
  files: Iterable<string>,
): Promise<Map<string, FileFacts>> {
  const modules = [...files].filter(isModuleFile)
  const facts = await mapBounded(modules, READS_AT_ONCE, async (file) =>
    readFacts(problems, file, await tree.read(file)),
  )
  return new Map(facts.map((one) => [one.file, one]))
}

function readFacts(problems: Problem[], file: string, bytes: Uint8Array): FileFacts {
  const { text, encoding } = decodeText(bytes)
  if (!isPageFile(file)) return { file, frontmatter: null, imports: scanModule(text), links: [] }
  if (encoding !== 'utf-8') {
    problems.push({
      file,
      line: null,
      code: 'page.encoding',
      level: 'warning',
      message: `The file is not UTF-8; it is read as ${encoding === 'utf-16' ? 'UTF-16' : 'Windows-1252'}.`,
      remedy: 'Save the file as UTF-8.',
    })
  }
  if (bytes.length > LARGE_PAGE_BYTES) {
    problems.push({
      file,
      line: null,
      code: 'page.large',
      level: 'hint',
      message: `The page has ${(bytes.length / 1_000_000).toFixed(1)} MB of text.`,
      remedy: 'Split it into several pages.',
    })
  }
  const frontmatter = parseFrontmatter(problems, file, text)
  return { file, frontmatter, ...scanPage(text, frontmatter.bodyOffset) }
}
