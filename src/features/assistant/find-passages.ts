/**
 * The passages that a question is answered from. Words are weighed by how rare they are in the site and where they
 * stand; a word of the question also finds longer forms of itself, and forms of its stem. The statements together stay
 * bounded whatever is asked: rare words are looked up first, and common ones only among what those found.
 */
import { sql } from 'kysely'
import type { Queries } from '../../database/database.ts'
import { corpusTerm, termsOf } from './passage-terms.ts'

export interface PassageQuery {
  projectId: string
  place: 'hosted' | 'bundle'
  /** The newest text first; words of earlier ones count less. */
  texts: readonly string[]
  /** Of the page on which the question was asked: these come first. */
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

/** Different words of a question that are looked up. */
const MOST_TERMS = 24
/** Passages that are weighed. */
const MOST_CANDIDATES = 2000
/** A word that so many of the passages have says nothing of them, when others do. */
const COMMON_SHARE = 0.4
const MOST_OF_PAGE = 3
/** Of the page of the question, beside the others, when none of its passages is among them. */
const OPENING = 2
/** A passage in another language or version counts so much. */
const ELSEWHERE = 0.4
/** On the page of the question. */
const HERE = 1.15
/** When the question holds the whole heading. */
const NAMED = 0.6

interface Lookup {
  query: string
  weight: number
  /** Passages of the corpus that have it. */
  count: number
}

/** Best first. Empty when the site has no passages. */
export async function findPassages(queries: Queries, asked: PassageQuery): Promise<FoundPassage[]> {
  const corpus = await findCorpus(queries, asked)
  if (corpus === null) return []
  const lookups = await weighTerms(queries, corpus, termWeights(asked))
  const ranked = lookups.length === 0 ? [] : await rankPassages(queries, corpus.id, lookups, asked)
  const chosen = choose(byHeading(ranked, asked), asked.limit)
  const isHere = asked.path === null || chosen.some(({ path }) => path === asked.path)
  if (isHere) return chosen
  const here = await openingOf(queries, corpus.id, asked.path ?? '')
  return [...chosen, ...here]
}

/** The beginning of a page: "what is this" is about the page that it is asked on. */
function openingOf(queries: Queries, corpusId: number, path: string): Promise<FoundPassage[]> {
  return queries
    .selectFrom('assistant_passages')
    .select(['path', 'anchor', 'title', 'heading', 'language', 'version', 'body as text'])
    .where('corpus_id', '=', corpusId)
    .where('path', '=', path)
    .orderBy(sql`anchor IS NOT NULL`)
    .orderBy(sql`ctid`)
    .limit(OPENING)
    .execute()
}

export async function hasPassages(
  queries: Queries,
  projectId: string,
  place: PassageQuery['place'],
): Promise<boolean> {
  return (await findCorpus(queries, { projectId, place, language: null })) !== null
}

/** Instructions of the version for the assistant; null for none. */
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

/** Terms of the question with their share: those of earlier texts count half, and half of that. */
function termWeights({ texts, language }: PassageQuery): Map<string, number> {
  const weights = new Map<string, number>()
  let share = 1
  for (const text of texts) {
    for (const term of termsOf(text, language ?? 'en')) {
      if (weights.size >= MOST_TERMS) return weights
      if (!weights.has(term)) weights.set(term, share)
    }
    share /= 2
  }
  return weights
}

/** Each term as it is, as the beginning of a longer word, and by its stem. */
function formsOf(term: string): { query: string; share: number }[] {
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
    formsOf(term).map(({ query, share }) => ({ query, share: weight * share })),
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
  const telling = lookups.filter(({ count }) => count <= corpus.passages * COMMON_SHARE)
  return telling.length > 0 ? telling : lookups
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
  const wanted = rarest(lookups).join(' | ')
  const found = await sql<Ranked>`
    SELECT path, anchor, title, heading, language, version, body AS text, score
    FROM (
      SELECT passage.*, (
        SELECT sum(weight * ts_rank('{0.35, 0.5, 0.8, 1}', passage.terms, query))
        FROM unnest(${lookups.map(({ query }) => query)}::tsquery[], ${lookups.map(({ weight }) => weight)}::float8[])
          AS lookup(query, weight)
      ) * CASE WHEN ${language}::text IS NULL OR language = ${language} THEN 1 ELSE ${ELSEWHERE}::float8 END
        * CASE WHEN ${version}::text IS NULL OR version IS NULL OR version = ${version}
            THEN 1 ELSE ${ELSEWHERE}::float8 END
        * CASE WHEN path = ${path ?? ''} THEN ${HERE}::float8 ELSE 1 END AS score
      FROM (
        SELECT * FROM assistant_passages
        WHERE terms @@ (${corpusTerm(corpusId)}::tsquery && ${wanted}::tsquery)
        LIMIT ${MOST_CANDIDATES}
      ) AS passage
    ) AS scored
    ORDER BY score DESC, path, anchor NULLS FIRST, text
    LIMIT ${limit * 8}`.execute(queries)
  return found.rows
}

/** As many as keep the candidates bounded; the rarest one always. */
function rarest(lookups: readonly Lookup[]): string[] {
  const taken: string[] = []
  let candidates = 0
  for (const { query, count } of lookups.toSorted((a, b) => a.count - b.count)) {
    candidates += count
    if (taken.length > 0 && candidates > MOST_CANDIDATES) break
    taken.push(query)
  }
  return taken
}

/** Passages whose heading the question names come before those that have its words here and there. */
function byHeading(ranked: readonly Ranked[], { texts: [question = ''], language }: PassageQuery): Ranked[] {
  const asked = new Set(termsOf(question, language ?? 'en'))
  return ranked
    .map((passage) => {
      const words = termsOf(passage.heading || passage.title, passage.language)
      const named = words.filter((word) => asked.has(word)).length
      return { ...passage, score: passage.score * (1 + (NAMED * named) / Math.max(1, words.length)) }
    })
    .sort((a, b) => b.score - a.score)
}

/** Not all from one page: another one may be the right one. */
function choose(ranked: readonly Ranked[], limit: number): FoundPassage[] {
  const ofPage = new Map<string, number>()
  const chosen: FoundPassage[] = []
  for (const { score: _, ...passage } of ranked) {
    const taken = ofPage.get(passage.path) ?? 0
    if (taken >= MOST_OF_PAGE) continue
    ofPage.set(passage.path, taken + 1)
    chosen.push(passage)
    if (chosen.length === limit) break
  }
  return chosen
}
