/**
 * The words of a page as they stand in its file: paragraphs and headings without code, tags, addresses and what only
 * tools read. Every character keeps its place, so that a word is found again on its line.
 */

export interface ProseBlock {
  kind: 'heading' | 'text'
  /** Level of a heading, 1 to 6; the title of the page is 1. */
  level: number
  /** One line; what is no prose is blank. */
  text: string
  /** 1-based line of each part of the text, by the offset at which it begins. */
  lines: readonly { from: number; line: number }[]
}

/** Characters of a block, and blocks of a file. */
const MAX_BLOCK = 20_000
const MAX_BLOCKS = 20_000

const FENCE = /^\s{0,20}(`{3,}|~{3,})/
const HEADING = /^\s{0,3}(#{1,6})\s{1,20}([^\n]*)$/
const ITEM = /^\s{0,40}(?:[-*+]|\d{1,9}[.)])\s+|^\s{0,3}>\s?/
const MODULE = /^(?:import|export)\s/
const HEAD_FIELD = /^(title|description|sidebarTitle):([^\n]*)$/
const OFF = /\bvale off\b/
const ON = /\bvale on\b/

export function proseBlocks(source: string): ProseBlock[] {
  const lines = source.replace(/^\ufeff/, '').split(/\r?\n/)
  const bodyAt = endOfHead(lines)
  const blocks: ProseBlock[] = headBlocks(lines.slice(0, bodyAt))
  const reader = createReader(blocks)
  for (const [index, line] of lines.entries())
    if (index >= bodyAt && blocks.length < MAX_BLOCKS) reader.read(line, index + 1)
  reader.end()
  return blocks
}

function endOfHead(lines: readonly string[]): number {
  if (lines[0]?.trimEnd() !== '---') return 0
  const end = lines.findIndex((line, index) => index > 0 && line.trimEnd() === '---')
  return end === -1 ? 0 : end + 1
}

function headBlocks(lines: readonly string[]): ProseBlock[] {
  return lines.flatMap((line, index): ProseBlock[] => {
    const [, field = '', value = ''] = HEAD_FIELD.exec(line) ?? []
    const text = value.trim().replace(/^(["'])(.*)\1$/, '$2')
    if (text === '') return []
    const kind = field === 'description' ? 'text' : 'heading'
    return [{ kind, level: kind === 'heading' ? 1 : 0, text, lines: [{ from: 0, line: index + 1 }] }]
  })
}

/** Takes lines in order, and knows what the ones before have opened. */
function createReader(blocks: ProseBlock[]) {
  let fence: string | null = null
  let isOff = false
  /** In a tag or a comment that goes on over lines: what ends it. */
  let open: string | null = null
  let parts: string[] = []
  let places: { from: number; line: number }[] = []
  let length = 0

  const end = () => {
    if (parts.some((part) => part.trim() !== ''))
      blocks.push({ kind: 'text', level: 0, text: parts.join(' '), lines: places })
    parts = []
    places = []
    length = 0
  }
  const add = (text: string, line: number) => {
    if (length + text.length > MAX_BLOCK) end()
    places.push({ from: length, line })
    parts.push(text.slice(0, MAX_BLOCK))
    length += Math.min(text.length, MAX_BLOCK) + 1
  }

  return {
    end,
    read(raw: string, line: number) {
      const mark = FENCE.exec(raw)?.[1]
      if (fence !== null) {
        if (mark?.startsWith(fence) && raw.trim() === mark) fence = null
        return
      }
      if (mark !== undefined && open === null) {
        end()
        fence = mark
        return
      }
      if (OFF.test(raw)) isOff = true
      else if (ON.test(raw)) isOff = false
      const masked = maskLine(raw, open)
      open = masked.open
      if (isOff || masked.text.trim() === '' || MODULE.test(raw)) return end()
      const [, marks, words] = HEADING.exec(masked.text) ?? []
      if (marks !== undefined && words !== undefined) {
        end()
        const text = words.replace(/\s#+\s*$/, '')
        blocks.push({ kind: 'heading', level: marks.length, text, lines: [{ from: 0, line }] })
        return
      }
      if (ITEM.test(masked.text)) end()
      add(
        masked.text.replace(ITEM, (item) => ' '.repeat(item.length)),
        line,
      )
    },
  }
}

const COMMENTS = [
  ['{/*', '*/}'],
  ['<!--', '-->'],
] as const

/** One that does not end here is left for the lines that follow. */
function withoutComments(line: string): string {
  return COMMENTS.reduce((text, [begin, end]) => {
    const parts: string[] = []
    let from = 0
    for (let at = text.indexOf(begin); at !== -1; at = text.indexOf(begin, from)) {
      const close = text.indexOf(end, at + begin.length)
      if (close === -1) break
      parts.push(text.slice(from, at), ' '.repeat(close + end.length - at))
      from = close + end.length
    }
    return parts.join('') + text.slice(from)
  }, line)
}

const blank = (found: string) => ' '.repeat(found.length)

/** Code, addresses, tags with their attributes, expressions and comments become blanks; what a link shows stays. */
function maskLine(raw: string, opened: string | null): { text: string; open: string | null } {
  let line = raw
  let open = opened
  if (open !== null) {
    const at = line.indexOf(open)
    if (at === -1) return { text: blank(line), open }
    line = ' '.repeat(at + open.length) + line.slice(at + open.length)
    open = null
  }
  line = withoutComments(line.replace(/`[^`]*`/g, blank))
    .replace(/\]\([^()]*\)/g, (found) => `]${blank(found.slice(1))}`)
    .replace(/https?:\/\/[^\s<>)"']*/g, blank)
    .replace(/<\/?[A-Za-z][^<>]*>/g, blank)
    .replace(/\{[^{}]*\}/g, blank)
  const begun = /\{\/\*|<!--|<\/?[A-Za-z][^<>]*$/.exec(line)
  if (begun !== null) {
    const [mark] = begun
    open = mark === '{/*' ? '*/}' : mark === '<!--' ? '-->' : '>'
    line = line.slice(0, begun.index)
  }
  return { text: line.replace(/[*_~[\]|]/g, ' '), open }
}

/** Where a place in the text of a block stands in the file. */
export function lineAt({ lines }: ProseBlock, offset: number): number {
  return (lines.findLast(({ from }) => from <= offset) ?? lines[0])?.line ?? 1
}
