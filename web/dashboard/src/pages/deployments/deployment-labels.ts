/** Labels for the states, triggers and stages of deployments. */

import type { DeploymentWork } from '../../../../../src/features/dashboard/operations/work.ts'
import type {
  ChangedPage,
  DeploymentStage,
  DeploymentState,
  DeploymentTrigger,
  PageChange,
} from '../../../../../src/features/hosting/operations/deployments.ts'
import { formatDuration, formatExactTime } from '../../ui/time.tsx'
import { plural, t } from '../../words/words.ts'
import { shortRevision } from '../background-jobs/short-revision.ts'
import type { WorkState } from '../background-jobs/work-list.tsx'
import { displayPersonName } from '../person-name.ts'

export function describeDeploymentState({ status, isLive, isKept, errorCode }: DeploymentState): WorkState {
  if (status === 'queued') return { label: t('Queued'), tone: 'neutral', isLive: true }
  if (status === 'running') return { label: t('Running'), tone: 'accent', isLive: true }
  if (hasFailed({ status, errorCode })) return { label: t('Failed'), tone: 'danger' }
  if (status === 'failed') return { label: t('Cancelled'), tone: 'neutral' }
  if (isLive) return { label: t('Live', { context: 'state' }), tone: 'success' }
  return { label: isKept ? t('Ready') : t('Expired'), tone: isKept ? 'info' : 'neutral' }
}

/** Returns whether the deployment failed; a cancelled deployment did not fail. */
export function hasFailed({ status, errorCode }: Pick<DeploymentState, 'status' | 'errorCode'>): boolean {
  return status === 'failed' && errorCode !== 'cancelled'
}

export function isDeploymentFinished({ status }: Pick<DeploymentState, 'status'>): boolean {
  return status === 'published' || status === 'failed'
}

const TRIGGER_LABELS: Record<DeploymentTrigger, string> = {
  request: t('Publish', { context: 'trigger' }),
  push: t('Push', { context: 'trigger' }),
  poll: t('New commit'),
  folder: t('Changed files'),
  merge: t('Agent job merged'),
  retry: t('Retry', { context: 'trigger' }),
}

/** Returns `Push` or `Publish by Ada Lovelace`. */
export function describeDeploymentTrigger({
  deployment: { trigger },
  startedBy,
}: Pick<DeploymentWork, 'startedBy'> & {
  deployment: DeploymentState
}): string {
  // The system and the command line have no name.
  const name = startedBy?.name == null ? null : displayPersonName(startedBy)
  if (name !== null && trigger === 'request') return t('Publish by {name}', { name })
  if (name !== null && trigger === 'retry') return t('Retry by {name}', { name })
  return TRIGGER_LABELS[trigger]
}

export const STAGE_LABELS: Record<DeploymentStage, string> = {
  waiting: t('Wait for a worker'),
  source: t('Read the source'),
  render: t('Render', { context: 'stage' }),
  store: t('Store', { context: 'stage' }),
  publish: t('Publish', { context: 'stage' }),
}

export const PAGE_CHANGE_LABELS: Record<
  PageChange,
  {
    label: string
    mark: string
    tone: string
    pages: (count: number) => string
    /** Title of a version in which only this page changed. */
    alone: (path: string) => string
  }
> = {
  added: {
    label: t('Added'),
    mark: '+',
    tone: 'text-success',
    pages: (count) => plural(count, '{count} page added', '{count} pages added'),
    alone: (path) => t('{path} added', { path }),
  },
  changed: {
    label: t('Changed'),
    mark: '~',
    tone: 'text-warning',
    pages: (count) => plural(count, '{count} page changed', '{count} pages changed'),
    alone: (path) => t('{path} changed', { path }),
  },
  removed: {
    label: t('Removed'),
    mark: '−',
    tone: 'text-danger',
    pages: (count) => plural(count, '{count} page removed', '{count} pages removed'),
    alone: (path) => t('{path} removed', { path }),
  },
}

/** Returns the commit title, or else the revision, or else a note that the source has not been read. */
export function deploymentTitle(deployment: DeploymentState, firstChange: ChangedPage | null): string {
  const { commit, revision, status } = deployment
  if (commit !== null && commit.title !== '') return commit.title
  if (revision === null) return status === 'failed' ? t('Source not read') : t('Source not read yet')
  return revision.startsWith('content:')
    ? titleFromPages(deployment, firstChange)
    : t('Commit {revision}', { revision: shortRevision(revision) })
}

/** Names a version of a folder, which has no commit message, by its changed pages. */
function titleFromPages({ status, changes, createdAt }: DeploymentState, first: ChangedPage | null): string {
  if (status !== 'published') return t('Files as of {time}', { time: formatExactTime(createdAt) })
  if (changes === null) return t('First version')
  if (first === null) return t('The same pages as before')
  const others = changes.added + changes.changed + changes.removed - 1
  return others === 0
    ? PAGE_CHANGE_LABELS[first.change].alone(first.path)
    : plural(others, '{path} and {count} more page', '{path} and {count} more pages', { path: first.path })
}

/** Returns the total duration, or the time elapsed so far. */
export function formatDeploymentDuration({ createdAt, endedAt }: DeploymentState, now: number): string {
  return formatDuration(Math.max(0, (endedAt === null ? now : Date.parse(endedAt)) - Date.parse(createdAt)))
}
