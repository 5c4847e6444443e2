/** Asserts that an import loses no words, by comparing the source pages with the rendered pages of the new site. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ImportKind } from '../../src/import/imported-site.ts'
import type { BuiltSite } from './built-site.ts'
import { fixtureOf, textsOf } from './imported-site.ts'
import { missingWords, wordsOfPage } from './rendered-words.ts'
import { wordsOfSource } from './source-words.ts'

/** The source files of a page, and the words that are missing from the rendered page, keyed by reason. */
export interface ExpectedPage {
  sources: readonly string[]
  notShown?: Readonly<Record<string, readonly string[]>>
}

export async function assertEveryWordRendered(
  kind: ImportKind,
  built: BuiltSite,
  pages: Readonly<Record<string, ExpectedPage>>,
  /** Files of the old site that do not become pages of the new one. */
  others: readonly string[] = [],
): Promise<void> {
  const sources = Object.values(pages).flatMap((page) => page.sources)
  const named = [...sources, ...others].filter((path) => /\.mdx?$/.test(path))
  const there = [...(await textsOf(fixtureOf(kind))).keys()].filter((path) => /\.mdx?$/.test(path))
  assert.deepEqual(named.sort(), there.sort())
  for (const [page, { sources, notShown = {} }] of Object.entries(pages)) {
    const before: string[] = []
    for (const source of sources)
      before.push(...wordsOfSource(kind, source, await readFile(join(fixtureOf(kind), source), 'utf8')))
    assert.ok(before.length > 2, page)
    const after = wordsOfPage(await readFile(join(built.out, `${page}.html`), 'utf8'))
    assert.deepEqual(missingWords(before, after).sort(), Object.values(notShown).flat().sort(), page)
  }
}
