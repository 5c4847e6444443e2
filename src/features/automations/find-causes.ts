/** The checks of each kind of trigger. */

import { sql } from 'kysely'
import { MAX_FEEDBACK_PER_JOB } from '../../base/api/form-limits.ts'
import { sha256 } from '../../base/hash.ts'
import { matchesAny } from '../../base/text/path-pattern.ts'
import type { Tx } from '../../database/database.ts'
import { maskPersonal } from '../agent/publish/mask-personal.ts'
import { FOLDED } from '../analytics/intake/fold-keys.ts'
import { DAY_MS } from '../analytics/range.ts'
import { readCounts } from '../analytics/read-counts.ts'
import { bareCause, type Cause, type Causes, MOST_CAUSES, NOTHING } from './cause.ts'
import { findChangedPages } from './changed-pages.ts'
import { codeByHand } from './code-push.ts'
import type { AutomationTrigger } from './operations/automation-triggers.ts'
import type { AutomationRow } from './store.ts'

const DAYS = 7

/** Maximum number of queries per check, most frequent first. */
const MOST_WORDS = 100

/** Days until the same query can start a run again: by then the resulting change has been published and read. */
const AGAIN_DAYS = 30

const TOPIC_LENGTH = 200

const CODES = ['link.missing', 'link.anchor_missing', 'image.missing']

/** Maximum number of problems per check. */
const MOST_PROBLEMS = 200

const LINE_LENGTH = 400

/** Maximum number of entries per check, newest first. */
const MOST_ENTRIES = 5000

const MOST_PAGES = 1000

/** `isByHand` re-examines the pages that the last push changed. */
export async function findCauses(tx: Tx, row: AutomationRow, isByHand: boolean): Promise<Causes> {
  const trigger: AutomationTrigger = row.trigger
  switch (trigger.kind) {
    case 'schedule':
      return { ...NOTHING, causes: [bareCause('schedule')] }
    case 'webhook':
    case 'comment':
    case 'pull_request':
      // Events from outside arrive by themselves.
      return isByHand ? { ...NOTHING, causes: [bareCause(trigger.kind)] } : NOTHING
    case 'code_push':
      return isByHand ? { ...NOTHING, causes: [await codeByHand(tx, trigger, row)] } : NOTHING
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
      ORDER BY entry.sort_at DESC, entry.id DESC LIMIT ${MOST_ENTRIES}
    ) AS newest
    WHERE NOT EXISTS (SELECT FROM automation_seen WHERE automation_id = ${id} AND item = newest.id)
    GROUP BY path HAVING count(*) >= ${count}
    ORDER BY count(*) DESC, path LIMIT ${MOST_PAGES}`.execute(tx)
  const causes = rows
    .filter(({ path }) => matchesAny(pages, path))
    .slice(0, MOST_CAUSES)
    .map(({ path, ids }): Cause => ({ ...bareCause(path), feedbackIds: ids, items: ids }))
  return { ...NOTHING, causes }
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
    .limit(MOST_PROBLEMS)
    .execute()
  const broken = new Map(problems.map((problem) => [itemOf(problem), problem]))
  const seen = await keepSeen(tx, id, [...broken.keys()])
  const fresh = [...broken].filter(([item]) => !seen.has(item))
  if (fresh.length === 0) return NOTHING
  const text = fresh.map(([, { file, line, message }]) =>
    `${file}${line === null ? '' : `, line ${line}`}: ${message}`.slice(0, LINE_LENGTH),
  )
  const told = [{ what: 'the list of broken links that the last publish found', text: text.join('\n') }]
  return { ...NOTHING, causes: [{ ...bareCause('links'), told, items: fresh.map(([item]) => item) }] }
}

/** Leaves out line numbers, which move with every edit. */
function itemOf({ file, message }: { file: string; message: string }): string {
  return `link:${sha256(`${file}\0${message}`)}`
}

/** Forgets items that no longer occur, so that a problem that was fixed and recurs counts as new. */
async function keepSeen(
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
    limit: MOST_WORDS,
  })
  const frequent = sums.filter(({ key, empty }) => empty >= count && key !== FOLDED)
  const seen = await seenWords(tx, id)
  const causes = frequent
    .map(({ key, empty }) => causeOf(key, empty))
    .filter(({ items }) => items.every((item) => !seen.has(item)))
    .slice(0, MOST_CAUSES)
  return { ...NOTHING, causes }
}

function causeOf(words: string, times: number): Cause {
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

async function seenWords(tx: Tx, automationId: string): Promise<ReadonlySet<string>> {
  const rows = await tx
    .selectFrom('automation_seen')
    .select('item')
    .where('automation_id', '=', automationId)
    .where('at', '>', sql<Date>`clock_timestamp() - make_interval(days => ${AGAIN_DAYS})`)
    .execute()
  return new Set(rows.map(({ item }) => item))
}
