/** `--8<-- "file"`: what is included stands in the page from now on. */
import { posix } from 'node:path'
import type { FileTree } from '../../base/files/file-tree.ts'
import { readTextFile } from '../../site/text.ts'
import type { Line } from '../markdown/blocks.ts'
import { type Notes, shown } from '../notes.ts'

export interface IncludeDeps {
  tree: FileTree
  notes: Notes
  file: string
  /** Folders in which names are looked for. */
  folders: readonly string[]
}

const MAX_DEPTH = 8
/** Lines of a page with all that it includes. */
const MAX_LINES = 100_000
const LINE = /^([ \t]*)-{1,5}8<-{1,5}(?:[ \t]+(["'])([^"'\n]+)\2)?[ \t]*$/

export async function includeFiles(deps: IncludeDeps, lines: readonly Line[], depth = 0): Promise<Line[]> {
  const out: Line[] = []
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] as Line
    const found = line.text.includes('8<') ? LINE.exec(line.text) : null
    if (!found) {
      // A semicolon in front shows the mark instead of reading the file.
      out.push({ ...line, text: line.text.replace(/^(\s*);(?=-{1,5}8<-)/, '$1') })
      continue
    }
    const names = found[3] === undefined ? blockNames(lines, at + 1) : [found[3]]
    if (found[3] === undefined) at = Math.min(lines.length - 1, at + names.length + 1)
    for (const name of names) {
      const included = await readIncluded(deps, name, line.number, depth)
      if (included === null || out.length + included.length > MAX_LINES) {
        deps.notes.add(
          'link',
          { file: deps.file, line: line.number },
          `There is nothing to include at ${shown(name)}.`,
        )
        out.push({ ...line, text: `${found[1]}\`--8<-- "${name}"\`` })
      } else
        out.push(...included.map((one) => ({ ...one, text: one.text === '' ? '' : found[1] + one.text })))
    }
  }
  return out
}

/** Between two lines of `--8<--`, each line names a file. */
function blockNames(lines: readonly Line[], from: number): string[] {
  const end = lines.findIndex((line, index) => index >= from && LINE.test(line.text))
  return lines.slice(from, end === -1 ? from : end).map(({ text }) => text.trim())
}

async function readIncluded(
  deps: IncludeDeps,
  name: string,
  number: number,
  depth: number,
): Promise<Line[] | null> {
  if (depth >= MAX_DEPTH || name === '') return null
  const [path = '', ...section] = name.split(':')
  const file = deps.folders
    .map((folder) => posix.normalize(posix.join(folder, path)))
    .find((one) => deps.tree.files.has(one))
  if (file === undefined) return null
  const text = await readTextFile(deps.tree, file)
  const lines = sectionOf(text.split(/\r?\n/), section).map((one) => ({ text: one, number }))
  while (lines.at(-1)?.text === '') lines.pop()
  return includeFiles(deps, lines, depth + 1)
}

/** `:3:5` are lines, `:name` what stands between `--8<-- [start:name]` and `[end:name]`. */
function sectionOf(lines: string[], [first, last]: string[]): string[] {
  if (first === undefined) return lines.filter((line) => !/--8<-- \[(?:start|end):/.test(line))
  if (/^\d*$/.test(first))
    return lines.slice(Math.max(0, Number(first || 1) - 1), last ? Number(last) : undefined)
  const start = lines.findIndex((line) => line.includes(`[start:${first}]`))
  const end = lines.findIndex((line) => line.includes(`[end:${first}]`))
  return start === -1 || end === -1 ? [] : lines.slice(start + 1, end)
}
