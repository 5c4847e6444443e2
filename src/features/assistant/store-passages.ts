/**
 * Updates the stored passages to the current version: adds new ones, deletes removed ones, keeps the rest.
 */
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { sql } from 'kysely'
import type { Passage } from '../../base/api/passages.ts'
import { hashParts } from '../../base/hash.ts'
import { createYielder } from '../../base/text/yielder.ts'
import type { Tx } from '../../database/database.ts'
import { termVector } from './passage-terms.ts'

export interface Corpus {
  projectId: string
  place: 'hosted' | 'bundle'
  /**
   * Start of the export. Passages of an export that started later are not replaced. Null if the order is decided
   * elsewhere.
   */
  startedAt: Date | null
  instructions: string | null
}

/** Passages of the promoted version. The transaction that promotes a version replaces them. */
export function hostedCorpus(projectId: string, instructions: string | null): Corpus {
  return { projectId, place: 'hosted', startedAt: null, instructions }
}

/** Maximum number of passages; later ones in the order of the site are not stored. */
const MAX_PASSAGES = 100_000
const MAX_BYTES = 512 << 20
const BATCH = 500

/** `file` is the packed file of passages. Null deletes the stored passages. */
export async function storePassages(tx: Tx, corpus: Corpus, file: Readable | null): Promise<void> {
  const corpusId = await claimCorpus(tx, corpus)
  if (corpusId === null) {
    file?.destroy()
    return
  }
  const known = await readHashes(tx, corpusId)
  const storedHashes = new Set<string>()
  let batch: { hash: string; passage: Passage }[] = []
  if (file !== null)
    for await (const passage of readPassages(file)) {
      const hash = hashPassage(passage)
      if (storedHashes.has(hash)) continue
      if (storedHashes.size >= MAX_PASSAGES) break
      storedHashes.add(hash)
      if (!known.has(hash)) batch.push({ hash, passage })
      if (batch.length >= BATCH) {
        await insertPassages(tx, corpusId, batch)
        batch = []
      }
    }
  await insertPassages(tx, corpusId, batch)
  await deletePassages(
    tx,
    corpusId,
    [...known].filter((hash) => !storedHashes.has(hash)),
  )
  await tx
    .updateTable('assistant_corpora')
    .set({ passages: storedHashes.size, instructions: corpus.instructions })
    .where('id', '=', corpusId)
    .execute()
}

/** Locks the corpus until the transaction ends. Returns null if a newer version is already stored. */
async function claimCorpus(tx: Tx, { projectId, place, startedAt }: Corpus): Promise<number | null> {
  const row = await tx
    .insertInto('assistant_corpora')
    .values({ project_id: projectId, place, started_at: startedAt ?? sql`clock_timestamp()`, passages: 0 })
    .onConflict((conflict) =>
      conflict
        .columns(['project_id', 'place'])
        .doUpdateSet(({ ref }) => ({ started_at: ref('excluded.started_at') }))
        .where(
          sql<boolean>`${startedAt}::timestamptz IS NULL OR assistant_corpora.started_at <= ${startedAt}::timestamptz`,
        ),
    )
    .returning('id')
    .executeTakeFirst()
  return row?.id ?? null
}

async function readHashes(tx: Tx, corpusId: number): Promise<Set<string>> {
  const rows = await tx
    .selectFrom('assistant_passages')
    .select(sql<string>`encode(hash, 'hex')`.as('hash'))
    .where('corpus_id', '=', corpusId)
    .execute()
  return new Set(rows.map(({ hash }) => hash))
}

/** Skips invalid lines, because a process that reads untrusted text has created the file. */
export async function* readPassages(file: Readable): AsyncGenerator<Passage> {
  const breaks = createYielder()
  const gunzip = createGunzip()
  const unpacking = pipeline(file, gunzip).catch((error: Error) => gunzip.destroy(error))
  let rest = ''
  let bytes = 0
  try {
    for await (const chunk of gunzip.setEncoding('utf8')) {
      bytes += (chunk as string).length
      if (bytes > MAX_BYTES) return
      const lines = (rest + (chunk as string)).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        const passage = parsePassage(line)
        if (passage !== null) yield passage
        if (breaks.isDue()) await breaks.yieldNow()
      }
    }
  } finally {
    gunzip.destroy()
    file.destroy()
    await unpacking
  }
}

const TEXT_FIELDS = ['path', 'title', 'heading', 'language', 'words', 'text'] as const

function parsePassage(line: string): Passage | null {
  try {
    const { anchor, version, ...texts } = JSON.parse(line) as Passage
    const isWhole = TEXT_FIELDS.every((name) => typeof texts[name] === 'string')
    const isText = (value: unknown) => value === null || typeof value === 'string'
    return isWhole && isText(anchor) && isText(version)
      ? storablePassage({ ...texts, anchor, version })
      : null
  } catch {
    return null
  }
}

/** Removes NUL, which PostgreSQL cannot store. */
function storablePassage(passage: Passage): Passage {
  return JSON.parse(JSON.stringify(passage).replaceAll('\\u0000', '')) as Passage
}

function hashPassage({ path, anchor, title, heading, language, version, words, text }: Passage): string {
  const parts = [path, anchor ?? '', title, heading, language, version ?? '', words, text]
  return hashParts('passage', ...parts).slice(0, 32)
}

async function insertPassages(
  tx: Tx,
  corpusId: number,
  batch: readonly { hash: string; passage: Passage }[],
): Promise<void> {
  if (batch.length === 0) return
  await tx
    .insertInto('assistant_passages')
    .values(
      batch.map(({ hash, passage }) => ({
        corpus_id: corpusId,
        hash: Buffer.from(hash, 'hex'),
        path: passage.path,
        anchor: passage.anchor,
        title: passage.title,
        heading: passage.heading,
        language: passage.language,
        version: passage.version,
        body: passage.text,
        terms: sql<string>`${termVector(passage, corpusId)}::tsvector`,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

async function deletePassages(tx: Tx, corpusId: number, hashes: readonly string[]): Promise<void> {
  for (let at = 0; at < hashes.length; at += 10 * BATCH)
    await sql`DELETE FROM assistant_passages WHERE corpus_id = ${corpusId}
      AND hash IN (SELECT decode(one, 'hex') FROM unnest(${hashes.slice(at, at + 10 * BATCH)}::text[]) AS one)`.execute(
      tx,
    )
}
