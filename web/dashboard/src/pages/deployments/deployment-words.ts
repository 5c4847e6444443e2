/** How states, triggers and stages of deployments are said. */

import type { DeploymentWork } from '../../../../../src/contract/dashboard-work.ts'
import type {
  DeploymentStage,
  DeploymentState,
  DeploymentTrigger,
  PageChange,
} from '../../../../../src/contract/deployments.ts'
import type { Tone } from '../../ui/badge.tsx'
import { durationOf } from '../../ui/time.tsx'
import { t } from '../../words/words.ts'
import { nameOfPerson } from '../person-name.ts'

export function stateOf({ status, isLive, isKept, errorCode }: DeploymentState): {
  label: string
  tone: Tone
  isLive?: boolean
} {
  if (status === 'queued') return { label: t('Queued'), tone: 'neutral', isLive: true }
  if (status === 'running') return { label: t('Running'), tone: 'accent', isLive: true }
  if (status === 'failed')
    return errorCode === 'cancelled'
      ? { label: t('Cancelled'), tone: 'neutral' }
      : { label: t('Failed'), tone: 'danger' }
  if (isLive) return { label: t('Live'), tone: 'success' }
  return { label: isKept ? t('Ready') : t('Expired'), tone: isKept ? 'info' : 'neutral' }
}

export function isOver({ status }: Pick<DeploymentState, 'status'>): boolean {
  return status === 'published' || status === 'failed'
}

const TRIGGER_WORDS: Record<DeploymentTrigger, string> = {
  request: 'Publish',
  push: 'Push',
  poll: 'New commit',
  folder: 'Changed files',
  merge: 'Agent job merged',
  retry: 'Retry',
}

/** `Push`, `Publish by Ada Lovelace`. */
export function triggerOf({
  deployment,
  startedBy,
}: Pick<DeploymentWork, 'startedBy'> & {
  deployment: DeploymentState
}): string {
  const isAsked = deployment.trigger === 'request' || deployment.trigger === 'retry'
  // The system and the command line are no people.
  const name = isAsked && startedBy?.name != null ? nameOfPerson(startedBy) : null
  return name === null ? TRIGGER_WORDS[deployment.trigger] : `${TRIGGER_WORDS[deployment.trigger]} by ${name}`
}

export const STAGE_WORDS: Record<DeploymentStage, string> = {
  waiting: 'Wait for a worker',
  source: 'Read the source',
  render: 'Render',
  store: 'Store',
  publish: 'Publish',
}

export const CHANGE_WORDS: Record<PageChange, { label: string; mark: string; tone: string }> = {
  added: { label: t('Added'), mark: '+', tone: 'text-success' },
  changed: { label: t('Changed'), mark: '~', tone: 'text-warning' },
  removed: { label: t('Removed'), mark: '−', tone: 'text-danger' },
}

/** What it is of: the title of the commit, else its revision, else that the source was not read yet. */
export function nameOf({ commit, revision, status }: DeploymentState): string {
  if (commit !== null && commit.title !== '') return commit.title
  if (revision === null) return status === 'failed' ? 'Source not read' : 'Source to be read'
  return revision.startsWith('content:') ? 'Files of the folder' : `Commit ${shortRevision(revision)}`
}

export function shortRevision(revision: string): string {
  return revision.replace(/^content:/, '').slice(0, 10)
}

/** How long it took, or has taken so far. */
export function lengthOf({ createdAt, endedAt }: DeploymentState, now: number): string {
  return durationOf(Math.max(0, (endedAt === null ? now : Date.parse(endedAt)) - Date.parse(createdAt)))
}
