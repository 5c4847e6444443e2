/**
 * Finds the passages that answer a question. Words are weighted by their rarity on the site and by their
 * position. A word of the question also matches longer words that begin with it and words with the same stem.
 * The cost is limited for any question: rare words are looked up first, and common ones only within the
 * results.
 */
import { sql } from 'kysely'
import type { Queries } from '../../database/database.ts'
import { corpusTerm, splitTerms } from './passage-terms.ts'

export interface PassageQuery {
  projectId: string
  place: 'hosted' | 'bundle'
  /** Newest first; words of earlier texts have less weight. */
  texts: readonly string[]
  /** Page that the reader was on; its passages rank higher. */
  path: string | null
  language: string | null
  version: string | null
  limit: number
}

export interface FoundPassage {
  path: string
  anchor: string | null
  title: string
  heading: string
  language: string
  version: string | null
  text: string
}

const MAX_TERMS = 24
const MAX_CANDIDATES = 2000
/** Words in more than this share of the passages are ignored if the question has other words. */
const COMMON_TERM_SHARE = 0.4
const MAX_PER_PAGE = 3
/** Number of passages added from the reader's page if the search found none on that page. */
const OPENING_PASSAGE_COUNT = 2
const OTHER_VERSION_FACTOR = 0.4
const SAME_PAGE_FACTOR = 1.15
const HEADING_BONUS = 0.6

interface Lookup {
  query: string
  weight: number
  count: number
}

/** Returns the best passages first, and an empty list for a site without passages. */
export async function findPassages(queries: Queries, asked: PassageQuery): Promise<FoundPassage[]> {
  const corpus = await findCorpus(queries, asked)
  if (corpus === null) return []
  const lookups = await weighTerms(queries, corpus, computeTermWeights(asked))
  const ranked = lookups.length === 0 ? [] : await rankPassages(queries, corpus.id, lookups, asked)
  const chosen = limitPerPage(boostByHeading(ranked, asked), asked.limit)
  const isHere = asked.path === null || chosen.some(({ path }) => path === asked.path)
  if (isHere) return chosen
  const here = await findOpening(queries, corpus.id, asked.path ?? '')
  return [...chosen, ...here]
}

/** Returns the beginning of a page, because "what is this" refers to the current page. */
function findOpening(queries: Queries, corpusId: number, path: string): Promise<FoundPassage[]> {
  return queries
    .selectFrom('assistant_passages')
    .select(['path', 'anchor', 'title', 'heading', 'language', 'version', 'body as text'])
    .where('corpus_id', '=', corpusId)
    .where('path', '=', path)
    .orderBy(sql`anchor IS NOT NULL`)
    .orderBy(sql`ctid`)
    .limit(OPENING_PASSAGE_COUNT)
    .execute()
}

export async function hasPassages(
  queries: Queries,
  projectId: string,
  place: PassageQuery['place'],
): Promise<boolean> {
  return (await findCorpus(queries, { projectId, place, language: null })) !== null
}

export async function findInstructions(
  queries: Queries,
  { projectId, place }: Pick<PassageQuery, 'projectId' | 'place'>,
): Promise<string | null> {
  const row = await queries
    .selectFrom('assistant_corpora')
    .select('instructions')
    .where('project_id', '=', projectId)
    .where('place', '=', place)
    .executeTakeFirst()
  return row?.instructions ?? null
}

interface CorpusFacts {
  id: number
  passages: number
  language: string
}

async function findCorpus(
  queries: Queries,
  asked: Pick<PassageQuery, 'projectId' | 'place' | 'language'>,
): Promise<CorpusFacts | null> {
  const row = await queries
    .selectFrom('assistant_corpora')
    .select(['id', 'passages'])
    .where('project_id', '=', asked.projectId)
    .where('place', '=', asked.place)
    .executeTakeFirst()
  return row === undefined || row.passages === 0 ? null : { ...row, language: asked.language ?? 'en' }
}

/** Returns the weights of the question's terms; each earlier text has half the weight of its successor. */
function computeTermWeights({ texts, language }: PassageQuery): Map<string, number> {
  const weights = new Map<string, number>()
  let share = 1
  for (const text of texts) {
    for (const term of splitTerms(text, language ?? 'en')) {
      if (weights.size >= MAX_TERMS) return weights
      if (!weights.has(term)) weights.set(term, share)
    }
    share /= 2
  }
  return weights
}

/** Returns the exact term, the prefix of longer words, and the stem. */
function termForms(term: string): { query: string; share: number }[] {
  const forms = [{ query: `'${term}'`, share: 1 }]
  const length = [...term].length
  if (length >= 3) forms.push({ query: `'${term}':*`, share: 0.4 })
  if (/^[a-z\u00df-\u024f]+$/.test(term) && length >= 6)
    forms.push({ query: `'${term.slice(0, Math.max(4, length - 3))}':*`, share: 0.25 })
  return forms
}

async function weighTerms(
  queries: Queries,
  corpus: CorpusFacts,
  weights: ReadonlyMap<string, number>,
): Promise<Lookup[]> {
  const forms = [...weights].flatMap(([term, weight]) =>
    termForms(term).map(({ query, share }) => ({ query, share: weight * share })),
  )
  if (forms.length === 0) return []
  const counted = await sql<{ query: string; count: number }>`
    SELECT one AS query, (
      SELECT count(*)::integer FROM assistant_passages
      WHERE terms @@ (${corpusTerm(corpus.id)}::tsquery && one::tsquery)
    ) AS count FROM unnest(${[...new Set(forms.map(({ query }) => query))]}::text[]) AS one`.execute(queries)
  const counts = new Map(counted.rows.map(({ query, count }) => [query, count]))
  const lookups = forms.flatMap(({ query, share }) => {
    const count = counts.get(query) ?? 0
    return count === 0 ? [] : [{ query, count, weight: share * rarity(count, corpus.passages) }]
  })
  const distinctive = lookups.filter(({ count }) => count <= corpus.passages * COMMON_TERM_SHARE)
  return distinctive.length > 0 ? distinctive : lookups
}

function rarity(count: number, passages: number): number {
  return Math.log(1 + (Math.max(passages, count) - count + 0.5) / (count + 0.5))
}

type Ranked = FoundPassage & { score: number }

async function rankPassages(
  queries: Queries,
  corpusId: number,
  lookups: readonly Lookup[],
  { path, language, version, limit }: PassageQuery,
): Promise<Ranked[]> {
  const tsQuery = selectRarest(lookups).join(' | ')
  const found = await sql<Ranked>`
    SELECT path, anchor, title, heading, language, version, body AS text, score
    FROM (
      SELECT passage.*, (
        SELECT sum(weight * ts_rank('{0.35, 0.5, 0.8, 1}', passage.terms, query))
        FROM unnest(${lookups.map(({ query }) => query)}::tsquery[], ${lookups.map(({ weight }) => weight)}::float8[])
          AS lookup(query, weight)
      ) * CASE WHEN ${language}::text IS NULL OR language = ${language} THEN 1 ELSE ${OTHER_VERSION_FACTOR}::float8 END
        * CASE WHEN ${version}::text IS NULL OR version IS NULL OR version = ${version}
            THEN 1 ELSE ${OTHER_VERSION_FACTOR}::float8 END
        * CASE WHEN path = ${path ?? ''} THEN ${SAME_PAGE_FACTOR}::float8 ELSE 1 END AS score
      FROM (
        SELECT * FROM assistant_passages
        WHERE terms @@ (${corpusTerm(corpusId)}::tsquery && ${tsQuery}::tsquery)
        LIMIT ${MAX_CANDIDATES}
      ) AS passage
    ) AS scored
    ORDER BY score DESC, path, anchor NULLS FIRST, text
    LIMIT ${limit * 8}`.execute(queries)
  return found.rows
}

/** Selects the rarest terms until the candidate limit is reached, but at least one. */
function selectRarest(lookups: readonly Lookup[]): string[] {
  const taken: string[] = []
  let candidates = 0
  for (const { query, count } of lookups.toSorted((a, b) => a.count - b.count)) {
    candidates += count
    if (taken.length > 0 && candidates > MAX_CANDIDATES) break
    taken.push(query)
  }
  return taken
}

/** Ranks a passage higher the larger the share of its heading's words that the question contains. */
function boostByHeading(
  ranked: readonly Ranked[],
  { texts: [question = ''], language }: PassageQuery,
): Ranked[] {
  const asked = new Set(splitTerms(question, language ?? 'en'))
  return ranked
    .map((passage) => {
      const words = splitTerms(passage.heading || passage.title, passage.language)
      const named = words.filter((word) => asked.has(word)).length
      return { ...passage, score: passage.score * (1 + (HEADING_BONUS * named) / Math.max(1, words.length)) }
    })
    .sort((a, b) => b.score - a.score)
}

/** Limits the passages per page, because another page may contain the answer. */
function limitPerPage(ranked: readonly Ranked[], limit: number): FoundPassage[] {
  const ofPage = new Map<string, number>()
  const chosen: FoundPassage[] = []
  for (const { score: _, ...passage } of ranked) {
    const taken = ofPage.get(passage.path) ?? 0
    if (taken >= MAX_PER_PAGE) continue
    ofPage.set(passage.path, taken + 1)
    chosen.push(passage)
    if (chosen.length === limit) break
  }
  return chosen
}
