/** Splits a page into numbered lines and code blocks. */

export interface Line {
  text: string
  /** Starts at 1. */
  number: number
}

export function toLines(text: string, firstNumber: number): Line[] {
  return text.split('\n').map((line, index) => ({
    text: line.endsWith('\r') ? line.slice(0, -1) : line,
    number: firstNumber + index,
  }))
}

export interface Fence {
  indent: string
  /** Opening backticks or tildes. */
  mark: string
  info: string
}

/** Parses the opening line of a code block, which may be inside a block quote or list item. */
export function readFence(line: string): Fence | null {
  const found = /^([ \t>]{0,200}(?:(?:[-*+]|\d{1,9}[.)])[ \t]{1,4})?)(`{3,}(?!`)|~{3,}(?!~))(.*)$/.exec(line)
  if (!found) return null
  const [, indent = '', mark = '', info = ''] = found
  return mark.startsWith('`') && info.includes('`') ? null : { indent, mark, info: info.trim() }
}

export function closesFence(line: string, { mark }: Fence): boolean {
  const text = line.replace(/^[ \t>]+/, '').trimEnd()
  return text.length >= mark.length && text.startsWith(mark) && text === (mark[0] ?? '').repeat(text.length)
}

export type Block =
  | { kind: 'code'; fence: Fence; lines: Line[]; isClosed: boolean }
  /** Lines between code blocks, including empty lines. */
  | { kind: 'prose'; lines: Line[] }

/** Splits into code blocks and prose. An unclosed code block ends with the text. */
export function splitBlocks(lines: readonly Line[]): Block[] {
  const blocks: Block[] = []
  let prose: Line[] = []
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i] as Line
    const fence = readFence(line.text)
    if (fence === null) {
      prose.push(line)
      continue
    }
    if (prose.length > 0) blocks.push({ kind: 'prose', lines: prose })
    prose = []
    const code: Line[] = [line]
    let isClosed = false
    while (!isClosed && i + 1 < lines.length) {
      i++
      code.push(lines[i] as Line)
      isClosed = closesFence((lines[i] as Line).text, fence)
    }
    blocks.push({ kind: 'code', fence, lines: code, isClosed })
  }
  if (prose.length > 0) blocks.push({ kind: 'prose', lines: prose })
  return blocks
}

export interface CodeOptions {
  language: string
  title: string | null
  /** Line numbers, such as `1,3-5`. */
  highlight: string | null
  hasLineNumbers: boolean
  /** Words that Octavo does not support. */
  unknown: readonly string[]
}

export function writeFence(fence: Fence, options: CodeOptions): string {
  const words = [
    options.language || (options.title || options.highlight || options.hasLineNumbers ? 'text' : ''),
    options.title
      ? `title=${options.title.includes('"') ? `'${options.title.replaceAll("'", '’')}'` : `"${options.title}"`}`
      : '',
    options.highlight ? `{${options.highlight}}` : '',
    options.hasLineNumbers ? 'lines' : '',
  ].filter((word) => word !== '')
  return `${fence.indent}${fence.mark}${words.join(' ')}`
}

/** Splits the text after a fence into words, except inside quotes and braces. */
export function splitInfo(info: string): string[] {
  return info.slice(0, 4000).match(/[\w-]+=(?:"[^"]*"|'[^']*'|\{[^{}]*\})|\{[^{}]*\}|"[^"]*"|[^\s{]+/g) ?? []
}

/** Splits `name="value"` and removes the quotes. */
export function splitOption(word: string): { name: string; value: string } | null {
  const at = word.indexOf('=')
  if (at <= 0 || word.startsWith('{') || word.startsWith('"')) return null
  return { name: word.slice(0, at), value: word.slice(at + 1).replace(/^["'{]|["'}]$/g, '') }
}

/** Joins lines. Collapses consecutive empty lines outside of code. */
export function joinLines(entries: readonly string[]): string {
  const output: string[] = []
  let fence: Fence | null = null
  for (const entry of entries.join('\n').split('\n')) {
    if (fence !== null) {
      if (closesFence(entry, fence)) fence = null
    } else {
      fence = readFence(entry)
      if (entry.trim() === '' && output.at(-1)?.trim() === '') continue
    }
    output.push(entry)
  }
  return output.join('\n')
}

export function measureIndent(line: string): number {
  let width = 0
  for (const character of line) {
    if (character === ' ') width++
    else if (character === '\t') width += 4 - (width % 4)
    else break
  }
  return width
}

export function dedent(line: string, columns: number): string {
  let width = 0
  let at = 0
  while (at < line.length && width < columns) {
    if (line[at] === ' ') width++
    else if (line[at] === '\t') width += 4 - (width % 4)
    else break
    at++
  }
  return ' '.repeat(Math.max(0, width - columns)) + line.slice(at)
}

export function indented(indent: string, out: readonly string[]): string[] {
  return indent === ''
    ? [...out]
    : out.flatMap((entry) => entry.split('\n')).map((line) => (line === '' ? '' : indent + line))
}
