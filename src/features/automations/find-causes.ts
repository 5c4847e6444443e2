import { sql } from 'kysely'
import { MAX_FEEDBACK_PER_JOB } from '../../base/api/form-limits.ts'
import { sha256 } from '../../base/hash.ts'
import { matchesAny } from '../../base/text/path-pattern.ts'
import type { Tx } from '../../database/database.ts'
import { maskPersonalData } from '../agent/publish/mask-personal.ts'
import { OTHER_KEY } from '../analytics/intake/limit-keys.ts'
import { DAY_MS } from '../analytics/range.ts'
import { readCounts } from '../analytics/read-counts.ts'
import { isPendingText } from '../feedback/filters.ts'
import { type Cause, type Causes, emptyCause, MAX_CAUSES, NO_CAUSES } from './cause.ts'
import { findChangedPages, pageAddresses } from './changed-pages.ts'
import { codeTopic, createManualCause, describeStatements } from './code-push.ts'
import type { AutomationTrigger } from './operations/automation-triggers.ts'
import type { AutomationRow } from './store.ts'

const DAYS = 7

/** Maximum number of search queries per check, most frequent first. */
const MAX_WORDS = 100

/** Days until a query can start another run; by then, readers have seen the resulting change. */
const REPEAT_DAYS = 30

const TOPIC_LENGTH = 200

/** Problems of the last deployment that start runs. */
const PROBLEMS = {
  broken_link: {
    codes: ['link.missing', 'link.anchor_missing', 'image.missing'],
    topic: 'links',
    what: 'the list of broken links found by the last publish',
  },
  translation: {
    codes: ['translation.stale'],
    topic: 'translations',
    what: 'the list of translations whose original has changed since',
  },
} as const

const MAX_PROBLEMS = 200

const MAX_PROBLEM_LINE_CHARACTERS = 400

/** Maximum number of feedback entries per check, newest first. */
const MAX_ENTRIES = 5000

const MAX_PAGES = 1000

/** With `isByHand`, examines the pages changed by the last push again. */
export async function findCauses(tx: Tx, row: AutomationRow, isByHand: boolean): Promise<Causes> {
  const trigger: AutomationTrigger = row.trigger
  switch (trigger.kind) {
    case 'schedule':
      return { ...NO_CAUSES, causes: [emptyCause('schedule')] }
    case 'webhook':
    case 'comment':
    case 'pull_request':
      // Only an external event can start a run of these kinds.
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
    case 'translation':
      return await findProblems(tx, row, PROBLEMS[trigger.kind])
    case 'alarm':
      return await findAlarms(tx, row, trigger)
  }
}

/** Finds pages with enough pending feedback, except entries that were already passed to a job. */
async function findPendingFeedback(
  tx: Tx,
  { id, project_id: projectId }: AutomationRow,
  { count, pages = [] }: Extract<AutomationTrigger, { kind: 'feedback' }>,
): Promise<Causes> {
  const { rows } = await sql<{ path: string; ids: string[] }>`
    SELECT path, (array_agg(id ORDER BY sort_at DESC, id DESC))[1:${sql.lit(MAX_FEEDBACK_PER_JOB)}] AS ids
    FROM (
      SELECT id, path, sort_at FROM feedback WHERE ${isPendingText(projectId)}
      ORDER BY sort_at DESC, id DESC LIMIT ${MAX_ENTRIES}
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

/** Finds problems of the published site. All new problems share a topic, because one change fixes them. */
async function findProblems(
  tx: Tx,
  { id, project_id: projectId }: AutomationRow,
  { codes, topic, what }: (typeof PROBLEMS)[keyof typeof PROBLEMS],
): Promise<Causes> {
  const problems = await tx
    .selectFrom('site_problems as problem')
    .innerJoin('published_sites as site', 'site.deployment_id', 'problem.deployment_id')
    .select(['problem.file', 'problem.line', 'problem.message'])
    .where('site.project_id', '=', projectId)
    .where('problem.code', 'in', codes)
    .orderBy('problem.number')
    .limit(MAX_PROBLEMS)
    .execute()
  const broken = new Map(problems.map((problem) => [problemKey(problem), problem]))
  const seen = await syncSeenItems(tx, id, [...broken.keys()])
  const newItems = [...broken].filter(([item]) => !seen.has(item))
  if (newItems.length === 0) return NO_CAUSES
  const text = newItems.map(([, { file, line, message }]) =>
    `${file}${line === null ? '' : `, line ${line}`}: ${message}`.slice(0, MAX_PROBLEM_LINE_CHARACTERS),
  )
  const externalTexts = [{ what, text: text.join('\n') }]
  return {
    ...NO_CAUSES,
    causes: [{ ...emptyCause(topic), externalTexts, items: newItems.map(([item]) => item) }],
  }
}

/**
 * Finds statements that may be false. All statements about one repository share a topic, because a change of
 * the code often affects several pages.
 */
async function findAlarms(
  tx: Tx,
  { id, project_id: projectId }: AutomationRow,
  { pages = [] }: Extract<AutomationTrigger, { kind: 'alarm' }>,
): Promise<Causes> {
  const rows = await tx
    .selectFrom('open_statement_alarms as alarm')
    .innerJoin('code_repositories as code', 'code.id', 'alarm.repository_id')
    .select(['code.name', 'alarm.page', 'alarm.line', 'alarm.text', 'alarm.found'])
    .select(sql<string>`concat('alarm:', alarm.statement, ':', alarm.change)`.as('item'))
    .where('alarm.project_id', '=', projectId)
    .where('alarm.pull_request', '=', 0)
    .orderBy('alarm.page')
    .orderBy('alarm.line')
    .limit(MAX_PROBLEMS)
    .execute()
  const wanted = rows.filter(({ page }) => pageAddresses(page).some((path) => matchesAny(pages, path)))
  const items = wanted.map(({ item }) => item)
  const seen = await syncSeenItems(tx, id, items)
  const unseen = wanted.filter(({ item }) => !seen.has(item))
  const causes = [...Map.groupBy(unseen, ({ name }) => name)].map(([name, found]): Cause => {
    const statements = found.map(({ found: change, ...statement }) => ({ ...statement, ...change }))
    const what = `the statements in the docs that a change in the code repository ${name} may have made false, each with the old and the new line of code`
    const externalTexts = [{ what, text: describeStatements(statements) }]
    return {
      ...emptyCause(codeTopic({ repository: name })),
      externalTexts,
      items: found.map(({ item }) => item),
    }
  })
  return { ...NO_CAUSES, causes: causes.slice(0, MAX_CAUSES) }
}

/** Excludes line numbers, which change with every edit. */
function problemKey({ file, message }: { file: string; message: string }): string {
  return `link:${sha256(`${file}\0${message}`)}`
}

/** Deletes items that no longer occur, so that a problem counts as new if it recurs after a fix. */
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
  const masked = maskPersonalData(words)
  return {
    topic: masked.slice(0, TOPIC_LENGTH).toWellFormed(),
    externalTexts: [
      {
        what: `words that readers searched for ${times} times in the last ${DAYS} days without results`,
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
