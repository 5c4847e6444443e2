/** Marker comments in code: `// [!code ++]`, `# [!code highlight:3]`. They set the look of lines and go from the text. */

export interface LineLooks {
  /** Text without markers. */
  lines: string[]
  /** Class names by 0-based line; only lines that have some. */
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

/** The comment openings of common languages, the marker, and what closes the comment. */
const MARKER =
  /[ \t]*(?:\/\/|\/\*|\{\s*\/\*|#|--|;|%|<!--|"|')[ \t]*\[!code ([\w+-]+)(?::(\d{1,4}))?\][ \t]*(?:\*\/\s*\}?|-->)?[ \t]*$/

/** `highlight` and `focus` are 1-based, counted in the text without marker lines. */
export function lineLooks(code: string, highlight: readonly number[], focus: readonly number[]): LineLooks {
  const lines: string[] = []
  const classes = new Map<number, string[]>()
  const add = (line: number, names: readonly string[]) => {
    const known = classes.get(line) ?? []
    classes.set(line, [...known, ...names.filter((name) => !known.includes(name))])
  }
  for (const line of code.split('\n')) {
    const found = line.includes('[!code') ? MARKER.exec(line) : null
    const names = found ? CLASSES[found[1] ?? ''] : undefined
    if (!found || !names) {
      lines.push(line)
      continue
    }
    const rest = line.slice(0, found.index)
    const first = lines.length
    if (rest.trim() !== '') lines.push(rest)
    const count = Math.min(Number(found[2] ?? 1), 1000)
    for (let index = 0; index < count; index++) add(first + index, names)
  }
  for (const line of highlight) if (line >= 1 && line <= lines.length) add(line - 1, ['line-highlight'])
  for (const line of focus) if (line >= 1 && line <= lines.length) add(line - 1, ['line-focus'])
  return { lines, classes }
}
