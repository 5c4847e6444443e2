/**
 * Removes marker comments from code, such as `// [!code ++]` and `# [!code highlight:3]`, which set line
 * styles.
 */

export interface LineStyles {
  /** Without markers. */
  lines: string[]
  /** Class names by line, counted from 0. */
  classes: Map<number, string[]>
}

const CLASSES: Readonly<Record<string, readonly string[]>> = {
  '++': ['line-diff', 'line-add'],
  '--': ['line-diff', 'line-remove'],
  highlight: ['line-highlight'],
  hl: ['line-highlight'],
  focus: ['line-focus'],
  error: ['line-highlight'],
  warning: ['line-highlight'],
}

/** Matches the start of a comment before a marker, in common languages. */
const OPENING = /(?:\/\/|\/\*|\{\s*\/\*|#|--|;|%|<!--|"|')$/
/** Matches a marker and the end of its comment, up to the end of the line. */
const MARKER = /^\[!code ([\w+-]+)(?::(\d{1,4}))?\](?:[ \t]*(?:\*\/\s*\}?|-->))?$/

/** Line numbers in `highlight` and `focus` start at 1 and do not count lines that contain only a marker. */
export function computeLineStyles(
  code: string,
  highlight: readonly number[],
  focus: readonly number[],
): LineStyles {
  const lines: string[] = []
  const classes = new Map<number, string[]>()
  const add = (line: number, names: readonly string[]) => {
    const existing = classes.get(line) ?? []
    classes.set(line, [...existing, ...names.filter((name) => !existing.includes(name))])
  }
  for (const line of code.split('\n')) {
    const marker = readMarker(line)
    const names = marker ? CLASSES[marker.word] : undefined
    if (!marker || !names) {
      lines.push(line)
      continue
    }
    const { rest } = marker
    const first = lines.length
    if (rest.trim() !== '') lines.push(rest)
    const count = Math.min(marker.count, 1000)
    for (let index = 0; index < count; index++) add(first + index, names)
  }
  for (const line of highlight) if (line >= 1 && line <= lines.length) add(line - 1, ['line-highlight'])
  for (const line of focus) if (line >= 1 && line <= lines.length) add(line - 1, ['line-focus'])
  return { lines, classes }
}

/** Parses a marker at the end of a line. `rest` is the text before its comment. */
function readMarker(line: string): { word: string; count: number; rest: string } | null {
  const at = line.lastIndexOf('[!code ')
  if (at === -1) return null
  const head = withoutBlanksAtEnd(line.slice(0, at))
  const opening = OPENING.exec(head)
  const found = MARKER.exec(withoutBlanksAtEnd(line.slice(at)))
  if (!opening || !found) return null
  const rest = withoutBlanksAtEnd(head.slice(0, opening.index))
  return { word: found[1] ?? '', count: Number(found[2] ?? 1), rest }
}

function withoutBlanksAtEnd(text: string): string {
  let end = text.length
  while (text[end - 1] === ' ' || text[end - 1] === '\t') end--
  return text.slice(0, end)
}
