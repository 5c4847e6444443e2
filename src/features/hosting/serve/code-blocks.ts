/** Extracts the code blocks of a page from its Markdown twin, and finds the block that feedback is about. */
import type { FeedbackContext } from '../../feedback/operations/inbox.ts'

interface CodeBlock {
  text: string
  lang: string | null
  title: string | null
  heading: string | null
  /** 1-based, in page order. */
  number: number
}

/** Minimum share of common lines for two blocks to count as versions of the same block. */
const MIN_SIMILARITY = 0.5
export const MAX_BLOCKS = 1000
export const MAX_CHARACTERS = 1 << 20

export function findCodeBlock(markdown: string, code: string): FeedbackContext['code'] {
  const target = normalizeCode(code)
  const blocks = codeBlocks(markdown)
  const same = blocks.find((block) => normalizeCode(block.text) === target)
  if (same !== undefined) return { ...same, isSame: true }
  const lines = toLineSet(target)
  let best: CodeBlock | null = null
  let bestSimilarity = MIN_SIMILARITY
  for (const block of blocks) {
    const similarity = similarityOf(lines, toLineSet(normalizeCode(block.text)))
    if (similarity < bestSimilarity) continue
    if (similarity === bestSimilarity && best !== null) continue
    best = block
    bestSimilarity = similarity
  }
  return best === null ? null : { ...best, isSame: false }
}

export function codeBlocks(markdown: string): CodeBlock[] {
  const blocks: CodeBlock[] = []
  let heading: string | null = null
  let open: { fence: string; indent: number; info: string; lines: string[] } | null = null
  for (const line of markdown.slice(0, MAX_CHARACTERS).split('\n')) {
    if (open === null) {
      const [opening = '', indent = '', fence] = /^([ \t>]*)(`{3,}(?!`)|~{3,}(?!~))/.exec(line) ?? []
      const info = line.slice(opening.length)
      if (fence !== undefined && !(fence.startsWith('`') && info.includes('`')))
        open = { fence, indent: indent.length, info: info.trim(), lines: [] }
      else heading = parseHeading(line) ?? heading
      continue
    }
    const closing = line.trim()
    if (!isFenceEnd(closing, open.fence)) {
      open.lines.push(withoutIndent(line, open.indent))
      continue
    }
    blocks.push({ ...parseInfo(open.info), text: open.lines.join('\n'), heading, number: blocks.length + 1 })
    open = null
    if (blocks.length === MAX_BLOCKS) break
  }
  return blocks
}

function isFenceEnd(line: string, fence: string): boolean {
  return line.length >= fence.length && line === fence.charAt(0).repeat(line.length)
}

function withoutIndent(line: string, indent: number): string {
  let at = 0
  while (at < indent && /[ \t>]/.test(line.charAt(at))) at++
  return line.slice(at)
}

/** Parses the language and the optional title from an info string such as `ts title="src/a.ts" {1,3}`. */
function parseInfo(info: string): Pick<CodeBlock, 'lang' | 'title'> {
  const [lang = '', ...rest] = info.split(/\s+/)
  const quoted = /\btitle=(?:"([^"]*)"|'([^']*)')/.exec(info)
  const bare = rest.find((word) => /^[\w.@/-]+$/.test(word))
  return { lang: lang === '' ? null : lang, title: quoted?.[1] ?? quoted?.[2] ?? bare ?? null }
}

function normalizeCode(code: string): string {
  return code
    .replace(/\r\n?/g, '\n')
    .split('\n')
    .map(trimTrailingSpace)
    .join('\n')
    .replace(/^\n+/, '')
    .trimEnd()
}

function trimTrailingSpace(line: string): string {
  let end = line.length
  while (end > 0 && (line[end - 1] === ' ' || line[end - 1] === '\t')) end--
  return line.slice(0, end)
}

/** Returns the heading's text without closing number signs. */
function parseHeading(line: string): string | null {
  const [opening] = /^#{1,6} +/.exec(line) ?? []
  if (opening === undefined || opening.length === line.length) return null
  let end = line.length
  while (end > opening.length + 1 && line[end - 1] === '#') end--
  return line.slice(opening.length, end).trimEnd()
}

function toLineSet(code: string): ReadonlySet<string> {
  return new Set(
    code
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean),
  )
}

function similarityOf(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size === 0 || b.size === 0) return 0
  let common = 0
  for (const line of a) if (b.has(line)) common++
  return common / (a.size + b.size - common)
}
