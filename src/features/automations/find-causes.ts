/** The checks of each kind of trigger. */

import { sql } from 'kysely'
import { MAX_FEEDBACK_PER_JOB } from '../../base/api/form-limits.ts'
import { sha256 } from '../../base/hash.ts'
import { matchesAny } from '../../base/text/path-pattern.ts'
import type { Tx } from '../../database/database.ts'
import { maskPersonal } from '../agent/publish/mask-personal.ts'
import { OTHER_KEY } from '../analytics/intake/limit-keys.ts'
import { DAY_MS } from '../analytics/range.ts'
import { readCounts } from '../analytics/read-counts.ts'
import { type Cause, type Causes, emptyCause, MAX_CAUSES, NO_CAUSES } from './cause.ts'
import { findChangedPages } from './changed-pages.ts'
import { createManualCause } from './code-push.ts'
import type { AutomationTrigger } from './operations/automation-triggers.ts'
import type { AutomationRow } from './store.ts'

const DAYS = 7

/** Maximum number of queries per check, most frequent first. */
const MAX_WORDS = 100

/** Days until the same query can start a run again: by then the resulting change has been published and read. */
const REPEAT_DAYS = 30

const TOPIC_LENGTH = 200

const CODES = ['link.missing', 'link.anchor_missing', 'image.missing']

/** Maximum number of problems per check. */
const MAX_PROBLEMS = 200

const LINE_LENGTH = 400

/** Maximum number of entries per check, newest first. */
const MAX_ENTRIES = 5000

const MAX_PAGES = 1000

/** `isByHand` re-examines the pages that the last push changed. */
export async function findCauses(tx: Tx, row: AutomationRow, isByHand: boolean): Promise<Causes> {
  const trigger: AutomationTrigger = row.trigger
  switch (trigger.kind) {
    case 'schedule':
      return { ...NO_CAUSES, causes: [emptyCause('schedule')] }
    case 'webhook':
    case 'comment':
    case 'pull_request':
      // Events from outside arrive by themselves.
      return isByHand ? { ...NO_CAUSES, causes: [emptyCause(trigger.kind)] } : NO_CAUSES
    case 'code_push':
      return isByHand ? { ...NO_CAUSES, causes: [await createManualCause(tx, trigger, row)] } : NO_CAUSES
    case 'push':
      return await findChangedPages(tx, row, trigger, isByHand)
    case 'feedback':
      return await findPendingFeedback(tx, row, trigger)
    case 'search':
      return await findEmptySearches(tx, row, trigger)
    case 'broken_link':
      return await findBrokenLinks(tx, row)
  }
}

/**
 * Finds pages with enough pending feedback. Entries that the automation has already given to a job do not count
 * again.
 */
async function findPendingFeedback(
  tx: Tx,
  { id, project_id: projectId }: AutomationRow,
  { count, pages = [] }: Extract<AutomationTrigger, { kind: 'feedback' }>,
): Promise<Causes> {
  const { rows } = await sql<{ path: string; ids: string[] }>`
    SELECT path, (array_agg(id ORDER BY sort_at DESC, id DESC))[1:${sql.lit(MAX_FEEDBACK_PER_JOB)}] AS ids
    FROM (
      SELECT entry.id, entry.path, entry.sort_at FROM feedback AS entry
      WHERE entry.project_id = ${projectId} AND entry.status = 'pending' AND entry.source <> 'thumbs_only'
      ORDER BY entry.sort_at DESC, entry.id DESC LIMIT ${MAX_ENTRIES}
    ) AS newest
    WHERE NOT EXISTS (SELECT FROM automation_seen WHERE automation_id = ${id} AND item = newest.id)
    GROUP BY path HAVING count(*) >= ${count}
    ORDER BY count(*) DESC, path LIMIT ${MAX_PAGES}`.execute(tx)
  const causes = rows
    .filter(({ path }) => matchesAny(pages, path))
    .slice(0, MAX_CAUSES)
    .map(({ path, ids }): Cause => ({ ...emptyCause(path), feedbackIds: ids, items: ids }))
  return { ...NO_CAUSES, causes }
}

/** Finds broken links and images of the published site. All new ones form one topic, since one change fixes them. */
async function findBrokenLinks(tx: Tx, { id, project_id: projectId }: AutomationRow): Promise<Causes> {
  const problems = await tx
    .selectFrom('site_problems as problem')
    .innerJoin('published_sites as site', 'site.deployment_id', 'problem.deployment_id')
    .select(['problem.file', 'problem.line', 'problem.message'])
    .where('site.project_id', '=', projectId)
    .where('problem.code', 'in', CODES)
    .orderBy('problem.number')
    .limit(MAX_PROBLEMS)
    .execute()
  const broken = new Map(problems.map((problem) => [problemKey(problem), problem]))
  const seen = await syncSeenItems(tx, id, [...broken.keys()])
  const newItems = [...broken].filter(([item]) => !seen.has(item))
  if (newItems.length === 0) return NO_CAUSES
  const text = newItems.map(([, { file, line, message }]) =>
    `${file}${line === null ? '' : `, line ${line}`}: ${message}`.slice(0, LINE_LENGTH),
  )
  const externalTexts = [
    { what: 'the list of broken links that the last publish found', text: text.join('\n') },
  ]
  return {
    ...NO_CAUSES,
    causes: [{ ...emptyCause('links'), told: externalTexts, items: newItems.map(([item]) => item) }],
  }
}

/** Leaves out line numbers, which move with every edit. */
function problemKey({ file, message }: { file: string; message: string }): string {
  return `link:${sha256(`${file}\0${message}`)}`
}

/** Forgets items that no longer occur, so that a problem that was fixed and recurs counts as new. */
async function syncSeenItems(
  tx: Tx,
  automationId: string,
  items: readonly string[],
): Promise<ReadonlySet<string>> {
  await tx
    .deleteFrom('automation_seen')
    .where('automation_id', '=', automationId)
    .$if(items.length > 0, (query) => query.where('item', 'not in', items))
    .execute()
  const rows = await tx
    .selectFrom('automation_seen')
    .select('item')
    .where('automation_id', '=', automationId)
    .execute()
  return new Set(rows.map(({ item }) => item))
}

/** Finds searches of readers without results. */
async function findEmptySearches(
  tx: Tx,
  { id, project_id: projectId }: AutomationRow,
  { count }: Extract<AutomationTrigger, { kind: 'search' }>,
): Promise<Causes> {
  const to = Math.floor(Date.now() / DAY_MS) * DAY_MS + DAY_MS
  const sums = await readCounts(tx, projectId, {
    dimension: 'search',
    range: { from: to - DAYS * DAY_MS, to, path: null },
    by: ['key'],
    isNamed: true,
    order: 'empty',
    limit: MAX_WORDS,
  })
  const frequent = sums.filter(({ key, empty }) => empty >= count && key !== OTHER_KEY)
  const seen = await findSeenWords(tx, id)
  const causes = frequent
    .map(({ key, empty }) => toCause(key, empty))
    .filter(({ items }) => items.every((item) => !seen.has(item)))
    .slice(0, MAX_CAUSES)
  return { ...NO_CAUSES, causes }
}

function toCause(words: string, times: number): Cause {
  const masked = maskPersonal(words)
  return {
    topic: masked.slice(0, TOPIC_LENGTH).toWellFormed(),
    told: [
      {
        what: `what readers searched for ${times} times in the last ${DAYS} days without finding anything`,
        text: masked,
      },
    ],
    feedbackIds: [],
    items: [`search:${sha256(words)}`],
  }
}

async function findSeenWords(tx: Tx, automationId: string): Promise<ReadonlySet<string>> {
  const rows = await tx
    .selectFrom('automation_seen')
    .select('item')
    .where('automation_id', '=', automationId)
    .where('at', '>', sql<Date>`clock_timestamp() - make_interval(days => ${REPEAT_DAYS})`)
    .execute()
  return new Set(rows.map(({ item }) => item))
}
