/** Creates, updates and removes previews for pushes and pull requests. */
import { MAX_PREVIEWS_BY_PLAN, type Plan } from '../../../base/api/plans.ts'
import { SYSTEM_ACTOR } from '../../../database/audit.ts'
import type { Tx } from '../../../database/database.ts'
import type { PushForge } from '../deploy/push-message.ts'
import type { StartDeploymentDeps } from '../deploy/start-deployment.ts'
import { isBranchName, type PreviewSettings } from '../operations/previews.ts'
import { branchRef, buildPreview, findPreviewsOfRefs, type PreviewScope, removePreview } from './previews.ts'
import { forkRef, matchesPattern, type PullRequestUpdate } from './pull-request-message.ts'

export interface PreviewedProject extends PreviewScope {
  settings: Pick<PreviewSettings, 'mode' | 'branches' | 'forks'>
  /** Branch from which the site is published. It gets no preview. Null if not known yet. */
  liveBranch: string | null
  plan: Plan
}

export async function handlePushedBranches(
  deps: StartDeploymentDeps,
  tx: Tx,
  project: PreviewedProject,
  moved: readonly string[],
): Promise<number> {
  const { organizationId, projectId, settings, plan } = project
  const maxPreviews = MAX_PREVIEWS_BY_PLAN[plan]
  if (maxPreviews === 0) return 0
  const names = moved.filter((name) => name !== project.liveBranch && isBranchName(name))
  const known = new Set(await listPreviewRefs(tx, projectId, names.map(branchRef)))
  const candidates = names.filter((name) => known.has(branchRef(name)) || isPreviewedBranch(settings, name))
  // Skips the first branches over the limit, because their previews would be removed immediately.
  const selected = candidates.slice(-maxPreviews)
  for (const branch of selected)
    await buildPreview(deps, tx, {
      ...{ organizationId, projectId, branch, actor: SYSTEM_ACTOR },
      ...{ trigger: 'push', ref: branchRef(branch) },
    })
  return selected.length
}

export async function handleDeletedBranches(
  tx: Tx,
  project: PreviewScope,
  gone: readonly string[],
): Promise<number> {
  const rows = await findPreviewsOfRefs(tx, project.projectId, gone.map(branchRef))
  for (const { id } of rows) await removePreview(tx, project, id, 'gone')
  return rows.length
}

/** Returns the number of previews started or removed. */
export async function handlePullRequest(
  deps: StartDeploymentDeps,
  tx: Tx,
  project: PreviewedProject,
  { forge, pullRequestUpdate }: { forge: PushForge; pullRequestUpdate: PullRequestUpdate },
): Promise<number> {
  const { number, branch, isFork, over } = pullRequestUpdate
  const ref = isFork ? forkRef(forge, number) : branchRef(branch)
  if (ref === null || !isBranchName(branch)) return 0
  if (over !== null) return removeEndedPreviews(tx, project, ref, { number, over })
  const { organizationId, projectId, settings } = project
  const mayBe = settings.mode === 'pull_requests' || (!isFork && isPreviewedBranch(settings, branch))
  if (!isOn(project) || !mayBe || (isFork && !settings.forks)) return 0
  if (!isFork && branch === project.liveBranch) return 0
  await buildPreview(deps, tx, {
    ...{ organizationId, projectId, branch, ref, actor: SYSTEM_ACTOR, trigger: 'push' },
    ...{ pullRequest: number, isFork },
  })
  return 1
}

async function removeEndedPreviews(
  tx: Tx,
  project: PreviewedProject,
  ref: string,
  { number, over }: { number: number; over: NonNullable<PullRequestUpdate['over']> },
): Promise<number> {
  // Keeps previews of other pull requests of the branch, which may still be open.
  const rows = (await findPreviewsOfRefs(tx, project.projectId, [ref])).filter(
    ({ pull_request: known }) => known === null || Number(known) === number,
  )
  for (const { id } of rows) await removePreview(tx, project, id, over)
  return rows.length
}

function isOn({ settings, plan }: PreviewedProject): boolean {
  return settings.mode !== 'off' && MAX_PREVIEWS_BY_PLAN[plan] > 0
}

function isPreviewedBranch({ mode, branches }: PreviewedProject['settings'], name: string): boolean {
  return mode === 'branches' && branches.some((pattern) => matchesPattern(name, pattern))
}

async function listPreviewRefs(tx: Tx, projectId: string, refs: readonly string[]): Promise<string[]> {
  return (await findPreviewsOfRefs(tx, projectId, refs)).map(({ ref }) => ref)
}
