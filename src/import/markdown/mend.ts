/** A page that came out as no MDX is made one: line by line, what the compiler cannot read becomes plain text. */
import { parseBody } from '../../render/compile/compile-repair.ts'
import { closesFence, type Fence, readFence } from './blocks.ts'

const MOST_ROUNDS = 8
/** Longer pages are left to the renderer, which mends what it shows in a process that can be ended. */
const LONGEST = 200_000

export interface Mended {
  text: string
  /** 1-based lines of the text given that were made plain; null for all of them. */
  lines: number[] | null
}

export function mendBody(body: string): Mended {
  const lines = body.split('\n')
  const isCode = codeLines(lines)
  const plain = new Set<number>()
  if (body.length > LONGEST) return { text: body, lines: [] }
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const parsed = parseBody(lines.join('\n'), false)
    if (parsed.how === 'exact') return { text: lines.join('\n'), lines: [...plain].sort((a, b) => a - b) }
    const before = plain.size
    for (const { line } of parsed.mistakes) {
      if (line === null || plain.has(line) || isCode[line - 1]) continue
      plain.add(line)
      lines[line - 1] = plainLine(lines[line - 1] ?? '')
    }
    if (plain.size === before) break
  }
  const text = body.split('\n').map((line, index) => (isCode[index] ? line : plainLine(line)))
  return { text: text.join('\n'), lines: null }
}

function plainLine(line: string): string {
  return line
    .replace(/\\?\{/g, '&#123;')
    .replace(/\\?\}/g, '&#125;')
    .replaceAll('<', '&lt;')
    .replace(/^(\s*)(import|export)\b/, '$1\\$2')
}

function codeLines(lines: readonly string[]): boolean[] {
  let open: Fence | null = null
  return lines.map((line) => {
    if (open !== null) {
      if (closesFence(line, open)) open = null
      return true
    }
    open = readFence(line)
    return open !== null
  })
}
