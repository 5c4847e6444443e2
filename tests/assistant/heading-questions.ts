/** Turns headings into questions and checks whether their page is among the passages found. */

import type { Readable } from 'node:stream'
import type { Passage } from '../../src/base/api/passages.ts'
import { openFolderTree } from '../../src/base/files/folder-tree.ts'
import { findPassages } from '../../src/features/assistant/find-passages.ts'
import { readPassages, storePassages } from '../../src/features/assistant/store-passages.ts'
import { createFolderRequest } from '../../src/features/export/folder-source.ts'
import { buildSite } from '../../src/render/build.ts'
import { openPassages } from '../../src/render/outputs/version-files.ts'
import { makeTenant } from '../http/api-under-test.ts'
import type { TestDatabase } from '../kit/database.ts'
import { openObjectStore } from '../kit/open-store.ts'
import { renderDeps } from '../kit/render-deps.ts'
import { patience } from '../kit/until.ts'

export interface HeadingQuestion {
  text: string
  path: string
  language: string
  version: string | null
}

export interface AskedSite {
  projectId: string
  passages: readonly Passage[]
}

/** Renders a folder and stores its passages, as a deployment does. */
export async function keepFolder(database: TestDatabase, folder: string, name: string): Promise<AskedSite> {
  const signal = patience()
  await using tree = await openFolderTree(folder)
  const objects = await openObjectStore({ kind: 'memory' })
  const { manifest } = await buildSite(
    // Rendering sends no requests to other servers.
    renderDeps(objects, { children: 2 }),
    tree,
    createFolderRequest({ deployment: 'client-hosted', features: { assistant: true } }),
    () => undefined,
    signal,
  )
  const open = async () => (await openPassages(objects, manifest)) as Readable
  const passages = await Array.fromAsync(readPassages(await open()))
  const { projectId } = await makeTenant(database, { name, plan: 'enterprise' })
  const corpus = { projectId, place: 'hosted' as const, startedAt: new Date(), instructions: null }
  const file = await open()
  await database.transaction((tx) => storePassages(tx, corpus, file))
  return { projectId, passages }
}

const ASKED = [
  (words: string) => words,
  (words: string) => `How do I ${words}?`,
  (words: string) => `What is ${words} and how does it work?`,
  (words: string) => `Can you tell me about ${words.toLowerCase()}, please?`,
]

/**
 * Matches headings that make a meaningful question, unlike `More` or `0.1`: a long word, two words, or two Chinese or
 * Japanese characters.
 */
const SAYS_WHAT = /\p{L}{5}|\p{L}\s+\p{L}|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]{2}/u

/** Makes questions from headings. Adds the page title to a heading of several pages, as a person would. */
export function headingQuestions(passages: readonly Passage[]): HeadingQuestion[] {
  const pagesOf = Map.groupBy(passages, ({ heading, language, version }) =>
    JSON.stringify([heading.toLowerCase(), language, version]),
  )
  const seen = new Set<string>()
  return passages.flatMap(({ heading, title, path, anchor, language, version }, index) => {
    const key = `${path}#${anchor}`
    if (!SAYS_WHAT.test(heading) || seen.has(key)) return []
    seen.add(key)
    const sharers = pagesOf.get(JSON.stringify([heading.toLowerCase(), language, version])) ?? []
    const isShared = new Set(sharers.map((one) => one.path)).size > 1
    const words = isShared ? `${heading} (${title})` : heading
    const form = ASKED[index % ASKED.length] ?? ASKED[0]
    return form === undefined ? [] : [{ text: form(words), path, language, version }]
  })
}

export async function findsPage(
  database: TestDatabase,
  { projectId }: AskedSite,
  { text, path, language, version }: HeadingQuestion,
): Promise<{ isFound: boolean; paths: string[] }> {
  const found = await findPassages(database.queries, {
    projectId,
    place: 'hosted',
    texts: [text],
    path: null,
    language,
    version,
    limit: 8,
  })
  const paths = found.map((passage) => passage.path)
  return { isFound: paths.includes(path), paths }
}
