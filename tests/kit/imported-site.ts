/** Imports a site into a folder of its own, and compares what came out with what went in. */
import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLog } from '../../src/base/log.ts'
import type { Problem } from '../../src/contract/problem.ts'
import { checkFolder } from '../../src/export/check-folder.ts'
import { importSite } from '../../src/import/import-site.ts'
import type { ImportKind } from '../../src/import/imported-site.ts'

export interface Imported extends AsyncDisposable {
  folder: string
  /** Texts of the new site by path; of pictures nothing. */
  texts: Map<string, string>
  settings: Record<string, unknown>
  notes: Problem[]
  check(): Promise<Problem[]>
}

export async function importInto(kind: ImportKind, folder: string): Promise<Imported> {
  const work = await mkdtemp(join(tmpdir(), 'octavo-import-'))
  const out = join(work, 'out')
  const { notes } = await importSite({ kind, folder, out, isForced: false })
  const texts = await textsOf(out)
  return {
    folder: out,
    texts,
    settings: JSON.parse(texts.get('docs.json') ?? '{}'),
    notes,
    async check() {
      const input = { folder: out, deployment: 'client-hosted', log: createLog('silent') } as const
      const { problems } = await checkFolder({ ...input, report() {}, signal: AbortSignal.timeout(120_000) })
      return problems
    },
    [Symbol.asyncDispose]: () => rm(work, { recursive: true, force: true }),
  }
}

export async function textsOf(folder: string): Promise<Map<string, string>> {
  const texts = new Map<string, string>()
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || /\.(?:png|svg|pdf)$/.test(entry.name)) continue
    const path = join(entry.parentPath, entry.name)
    texts.set(path.slice(folder.length + 1), await readFile(path, 'utf8'))
  }
  return texts
}

/** Words of the pages that went in and are nowhere in the page that came out, however often each stands there. */
export function lostWords(before: string, after: string, syntax: ReadonlySet<string>): string[] {
  const left = new Map<string, number>()
  for (const word of wordsOf(after)) left.set(word, (left.get(word) ?? 0) + 1)
  const lost: string[] = []
  for (const word of wordsOf(before)) {
    const count = left.get(word) ?? 0
    if (count > 0) left.set(word, count - 1)
    else if (!syntax.has(word)) lost.push(word)
  }
  return lost
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
}

export function assertNoErrors(problems: readonly Problem[]): void {
  assert.deepEqual(
    problems.filter(({ level }) => level === 'error'),
    [],
  )
}
