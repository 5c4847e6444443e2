/**
 * Pages whose text a publish has changed, of the deployments that the automation has not seen. What its own jobs have
 * changed does not begin the next one: the pages of their files, and all when one of their files is part of other pages.
 */
import { sql } from 'kysely'
import { matchesAny } from '../../base/text/path-pattern.ts'
import type { Tx } from '../../database/database.ts'
import type { PageChange } from '../hosting/operations/deployments.ts'
import { bareCause, type Causes, NOTHING } from './cause.ts'
import type { AutomationTrigger } from './operations/automation-triggers.ts'
import type { AutomationRow } from './store.ts'

/** Deployments of one look, the newest. */
const MOST_DEPLOYMENTS = 20
/** Jobs of the automation that are looked at, the newest. */
const MOST_JOBS = 50
/** Pages that a job is told of. */
const MOST_TOLD = 100

export async function findChangedPages(
  tx: Tx,
  row: AutomationRow,
  { pages = [] }: Extract<AutomationTrigger, { kind: 'push' }>,
  isByHand: boolean,
): Promise<Causes> {
  const deployments = await newDeployments(tx, row, isByHand)
  const [newest] = deployments
  if (newest === undefined) return NOTHING
  const changed = new Map<string, PageChange>()
  let hasOwn = false
  for (const deployment of deployments.toReversed()) {
    const isOwn = await ownChanges(tx, row, deployment.comparedAt)
    for (const { path, change } of deployment.changes?.pages ?? []) {
      if (!matchesAny(pages, path)) continue
      if (isOwn(path)) hasOwn = true
      else changed.set(path, change)
    }
  }
  const seen = { seenDeployment: newest.number, isOwnChange: changed.size === 0 && hasOwn }
  if (changed.size === 0) return { causes: [], ...seen }
  const told = [
    { what: 'the list of pages that were changed when the site was published', text: listOf(changed) },
  ]
  return { causes: [{ ...bareCause('pages'), told }], ...seen }
}

/** Newest first. */
async function newDeployments(tx: Tx, row: AutomationRow, isByHand: boolean) {
  const rows = await tx
    .selectFrom('deployments')
    .leftJoin('deployments as before', (join) =>
      join.on(sql<boolean>`before.id = deployments.changes->>'comparedWith'`),
    )
    .select(['deployments.number', 'deployments.changes', 'before.created_at as comparedAt'])
    .where('deployments.project_id', '=', row.project_id)
    .where('deployments.preview_id', 'is', null)
    .where('deployments.status', '=', 'published')
    .$if(!isByHand, (query) => query.where('deployments.number', '>', row.seen_deployment))
    .orderBy('deployments.number', 'desc')
    .limit(isByHand ? 1 : MOST_DEPLOYMENTS)
    .execute()
  return rows
}

/** Whether a change of a page came from a job of the automation: one merged since `since`, or open as far as is known. */
async function ownChanges(
  tx: Tx,
  { id }: AutomationRow,
  since: Date | null,
): Promise<(path: string) => boolean> {
  const jobs = await tx
    .selectFrom('agent_jobs')
    .select(['published_files', 'merged_at'])
    .where('automation_id', '=', id)
    .where(({ or, eb }) =>
      or([eb('pull_request_state', '=', 'open'), eb('merged_at', '>=', since ?? new Date(0))]),
    )
    .orderBy('created_at', 'desc')
    .limit(MOST_JOBS)
    .execute()
  const own = new Set(jobs.flatMap(({ published_files: files }) => files.flatMap(pagesOf)))
  const hasShared = jobs.some(
    ({ published_files: files, merged_at: mergedAt }) =>
      mergedAt !== null && files.some((file) => pagesOf(file).length === 0),
  )
  return (path) => hasShared || own.has(path)
}

/** Addresses that a file of the docs folder may have as a page; none for what other pages are made of. */
export function pagesOf(file: string): string[] {
  if (!/\.mdx?$/.test(file) || /(?:^|\/)snippets\//.test(file)) return []
  const bare = `/${file.replace(/\.mdx?$/, '')}`
  const folder = bare.replace(/\/index$/, '') || '/'
  return [...new Set([bare, folder])]
}

function listOf(changed: ReadonlyMap<string, PageChange>): string {
  const lines = [...changed].slice(0, MOST_TOLD).map(([path, change]) => `${change}: ${path}`)
  const left = changed.size - lines.length
  return [...lines, ...(left > 0 ? [`and ${left} more pages`] : [])].join('\n')
}
