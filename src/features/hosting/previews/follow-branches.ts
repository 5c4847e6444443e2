/** Creates, updates and removes previews for pushes and pull requests. */
import { type Plan, PREVIEWS_OF_PLAN } from '../../../base/api/plans.ts'
import { SYSTEM_ACTOR } from '../../../database/audit.ts'
import type { Tx } from '../../../database/database.ts'
import type { PushForge } from '../deploy/push-message.ts'
import type { StartDeploymentDeps } from '../deploy/start-deployment.ts'
import { isBranchName, type PreviewSettings } from '../operations/previews.ts'
import { branchRef, buildPreview, type PreviewPlace, previewsOf, removePreview } from './previews.ts'
import { fitsPattern, forkRef, type PullRequestNews } from './pull-request-message.ts'

export interface PreviewedProject extends PreviewPlace {
  settings: Pick<PreviewSettings, 'mode' | 'branches' | 'forks'>
  /** Branch that the site is published from, which has no preview; null when not known yet. */
  liveBranch: string | null
  plan: Plan
}

/** Handles branches that were moved, in order. Returns the number of previews started. */
export async function branchesMoved(
  deps: StartDeploymentDeps,
  tx: Tx,
  project: PreviewedProject,
  moved: readonly string[],
): Promise<number> {
  const { organizationId, projectId, settings, plan } = project
  const most = PREVIEWS_OF_PLAN[plan]
  if (most === 0) return 0
  const names = moved.filter((name) => name !== project.liveBranch && isBranchName(name))
  const known = new Set(await refsOf(tx, projectId, names.map(branchRef)))
  const wanted = names.filter((name) => known.has(branchRef(name)) || isWanted(settings, name))
  // Beyond the limit, the first ones would be built only to be removed.
  const kept = wanted.slice(-most)
  for (const branch of kept)
    await buildPreview(deps, tx, {
      ...{ organizationId, projectId, branch, actor: SYSTEM_ACTOR },
      ...{ trigger: 'push', ref: branchRef(branch) },
    })
  return kept.length
}

export async function branchesGone(tx: Tx, project: PreviewPlace, gone: readonly string[]): Promise<number> {
  const rows = await previewsOf(tx, project.projectId, gone.map(branchRef))
  for (const { id } of rows) await removePreview(tx, project, id, 'gone')
  return rows.length
}

/** Returns the number of previews started or removed. */
export async function pullRequestTold(
  deps: StartDeploymentDeps,
  tx: Tx,
  project: PreviewedProject,
  { forge, news }: { forge: PushForge; news: PullRequestNews },
): Promise<number> {
  const { number, branch, isFork, over } = news
  const ref = isFork ? forkRef(forge, number) : branchRef(branch)
  if (ref === null || !isBranchName(branch)) return 0
  if (over !== null) return endOf(tx, project, ref, { number, over })
  const { organizationId, projectId, settings } = project
  const mayBe = settings.mode === 'pull_requests' || (!isFork && isWanted(settings, branch))
  if (!isOn(project) || !mayBe || (isFork && !settings.forks)) return 0
  if (!isFork && branch === project.liveBranch) return 0
  await buildPreview(deps, tx, {
    ...{ organizationId, projectId, branch, ref, actor: SYSTEM_ACTOR, trigger: 'push' },
    ...{ pullRequest: number, isFork },
  })
  return 1
}

async function endOf(
  tx: Tx,
  project: PreviewedProject,
  ref: string,
  { number, over }: { number: number; over: NonNullable<PullRequestNews['over']> },
): Promise<number> {
  // Another pull request of the same branch may still be open.
  const rows = (await previewsOf(tx, project.projectId, [ref])).filter(
    ({ pull_request: known }) => known === null || Number(known) === number,
  )
  for (const { id } of rows) await removePreview(tx, project, id, over)
  return rows.length
}

function isOn({ settings, plan }: PreviewedProject): boolean {
  return settings.mode !== 'off' && PREVIEWS_OF_PLAN[plan] > 0
}

function isWanted({ mode, branches }: PreviewedProject['settings'], name: string): boolean {
  return mode === 'branches' && branches.some((pattern) => fitsPattern(name, pattern))
}

async function refsOf(tx: Tx, projectId: string, refs: readonly string[]): Promise<string[]> {
  return (await previewsOf(tx, projectId, refs)).map(({ ref }) => ref)
}
