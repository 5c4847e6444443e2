/** Imports a site into a temporary folder and provides assertions about the result. */
import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before } from 'node:test'
import type { Problem } from '../../src/base/errors/problem.ts'
import { importSite } from '../../src/import/import-site.ts'
import type { ImportKind } from '../../src/import/imported-site.ts'
import { type BuiltSite, buildSite } from './built-site.ts'

export interface Imported extends AsyncDisposable {
  folder: string
  /** File contents of the new site by path, without binary and SVG files. */
  texts: Map<string, string>
  settings: Record<string, unknown>
  notes: Problem[]
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
    [Symbol.asyncDispose]: () => rm(work, { recursive: true, force: true }),
  }
}

export const fixtureOf = (kind: ImportKind) => join(import.meta.dirname, '../fixtures/import', kind)

/** Imports and builds the fixture of a kind before the tests of a file, and removes it after them. */
export function importFixture(kind: ImportKind) {
  let imported: Imported
  let built: BuiltSite
  before(async () => {
    imported = await importInto(kind, fixtureOf(kind))
    built = await buildSite(imported.folder, 'client-hosted')
  })
  after(async () => {
    await imported?.[Symbol.asyncDispose]()
    await built?.[Symbol.asyncDispose]()
  })
  return {
    get site() {
      return imported
    },
    get built() {
      return built
    },
    page(path: string): string {
      const text = imported.texts.get(path)
      assert.ok(text !== undefined, `${path} is not among ${[...imported.texts.keys()].join(', ')}`)
      return text
    },
    notes: () => imported.notes.map(({ file, line, code, message }) => `${file}:${line} ${code} ${message}`),
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

/** Asserts that each pattern matches at least one note. */
export function assertNoted(notes: readonly string[], patterns: readonly RegExp[]): void {
  for (const pattern of patterns)
    assert.ok(
      notes.some((note) => pattern.test(note)),
      `${pattern} is not among\n${notes.join('\n')}`,
    )
}

export function assertNoErrors(problems: readonly Problem[]): void {
  assert.deepEqual(
    problems.filter(({ level }) => level === 'error'),
    [],
  )
}
