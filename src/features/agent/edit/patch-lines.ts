/** Reads the changed lines of a git patch. */

export interface PatchedFile {
  /** Path after the change; before it for a deleted file. */
  path: string
  /** 1-based line ranges after the change; a deletion is one line. */
  ranges: [first: number, last: number][]
  /** Added and removed lines without their markers. */
  lines: string[]
}

const HUNK = /^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@ ?(.*)$/
const MAX_RANGES = 1000

/** Lines that only moved, within a file or between files, do not count as changed. */
export function readPatchLines(patch: string): PatchedFile[] {
  const files: PatchedFile[] = []
  const balance = new Map<string, number>()
  let file: PatchedFile | null = null
  let [removedLeft, addedLeft] = [0, 0]
  let at = 0
  for (const line of patch.split('\n')) {
    if (file !== null && removedLeft + addedLeft > 0) {
      const mark = line[0]
      if (mark === '+' || mark === '-') {
        const text = line.slice(1)
        file.lines.push(text)
        balance.set(text.trim(), (balance.get(text.trim()) ?? 0) + (mark === '+' ? 1 : -1))
        addChangedLine(file, at)
      }
      if (mark !== '+' && mark !== '\\') removedLeft--
      if (mark !== '-' && mark !== '\\') addedLeft--
      if (mark !== '-' && mark !== '\\') at++
      continue
    }
    const [, removed = '1', start = '0', added = '1', about = ''] = HUNK.exec(line) ?? []
    if (start !== '0' || line.startsWith('@@ ')) {
      ;[removedLeft, addedLeft, at] = [Number(removed), Number(added), Math.max(1, Number(start))]
      // Git names the enclosing function.
      if (about !== '') file?.lines.push(about)
      if (about !== '') balance.set(about.trim(), (balance.get(about.trim()) ?? 0) + 1)
    } else if (line.startsWith('diff --git ')) {
      file = { path: '', ranges: [], lines: [] }
      files.push(file)
    } else if (file !== null && /^(?:---|\+\+\+) [ab]\//.test(line))
      file.path = line.slice(6).split('\t', 1)[0] ?? ''
  }
  const isChanged = (line: string) => balance.get(line.trim()) !== 0
  return files.map((one) => ({ ...one, lines: one.lines.filter(isChanged) }))
}

function addChangedLine({ ranges }: PatchedFile, line: number): void {
  const last = ranges.at(-1)
  if (last !== undefined && line <= last[1] + 1) last[1] = Math.max(last[1], line)
  else if (ranges.length < MAX_RANGES) ranges.push([line, line])
}
