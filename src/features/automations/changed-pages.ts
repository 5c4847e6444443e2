/**
 * Finds pages whose text changed in deployments that the automation has not examined yet. The automation's own changes
 * must not start the next job: pages whose files were changed by its jobs are ignored. If several pages share one of
 * these files, all pages are ignored.
 */
import { sql } from 'kysely'
import { matchesAny } from '../../base/text/path-pattern.ts'
import type { Tx } from '../../database/database.ts'
import type { PageChange } from '../hosting/operations/deployments.ts'
import { type Causes, emptyCause, NO_CAUSES } from './cause.ts'
import type { AutomationTrigger } from './operations/automation-triggers.ts'
import type { AutomationRow } from './store.ts'

const MAX_DEPLOYMENTS = 20
const MAX_JOBS = 50
const MAX_LISTED_PAGES = 100

export async function findChangedPages(
  tx: Tx,
  row: AutomationRow,
  { pages = [] }: Extract<AutomationTrigger, { kind: 'push' }>,
  isByHand: boolean,
): Promise<Causes> {
  const deployments = await findNewDeployments(tx, row, isByHand)
  const [newest] = deployments
  if (newest === undefined) return NO_CAUSES
  const changed = new Map<string, PageChange>()
  let hasOwn = false
  for (const deployment of deployments.toReversed()) {
    const isOwn = await findOwnChanges(tx, row, deployment.comparedAt)
    for (const { path, change } of deployment.changes?.pages ?? []) {
      if (!matchesAny(pages, path)) continue
      if (isOwn(path)) hasOwn = true
      else changed.set(path, change)
    }
  }
  const seen = { seenDeployment: newest.number, isOwnChange: changed.size === 0 && hasOwn }
  if (changed.size === 0) return { causes: [], ...seen }
  const externalTexts = [
    { what: 'the list of pages that were changed when the site was published', text: formatChanges(changed) },
  ]
  return { causes: [{ ...emptyCause('pages'), externalTexts }], ...seen }
}

/** Returns the newest first. */
async function findNewDeployments(tx: Tx, row: AutomationRow, isByHand: boolean) {
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
    .limit(isByHand ? 1 : MAX_DEPLOYMENTS)
    .execute()
  return rows
}

/** Matches pages changed by the automation's jobs whose pull request is open, or was merged after `since`. */
async function findOwnChanges(
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
    .limit(MAX_JOBS)
    .execute()
  const own = new Set(jobs.flatMap(({ published_files: files }) => files.flatMap(pageAddresses)))
  const hasShared = jobs.some(
    ({ published_files: files, merged_at: mergedAt }) =>
      mergedAt !== null && files.some((file) => pageAddresses(file).length === 0),
  )
  return (path) => hasShared || own.has(path)
}

/** Returns the paths at which a docs file may be a page; an empty list for a snippet that pages include. */
export function pageAddresses(file: string): string[] {
  if (!/\.mdx?$/.test(file) || /(?:^|\/)snippets\//.test(file)) return []
  const bare = `/${file.replace(/\.mdx?$/, '')}`
  const folder = bare.replace(/\/index$/, '') || '/'
  return [...new Set([bare, folder])]
}

function formatChanges(changed: ReadonlyMap<string, PageChange>): string {
  const lines = [...changed].slice(0, MAX_LISTED_PAGES).map(([path, change]) => `${change}: ${path}`)
  const remaining = changed.size - lines.length
  return [...lines, ...(remaining > 0 ? [`and ${remaining} more pages`] : [])].join('\n')
}
