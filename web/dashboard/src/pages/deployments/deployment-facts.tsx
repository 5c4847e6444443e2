/** Sidebar of a deployment: stages with durations, and the source. */

import type { DeploymentWorkDetail } from '../../../../../src/features/dashboard/operations/work.ts'
import { CopyId } from '../../ui/copy.tsx'
import { Fact } from '../../ui/fact.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Link } from '../../ui/link.tsx'
import { formatCount } from '../../ui/numbers.ts'
import { PlainText } from '../../ui/plain-text.tsx'
import { formatDuration, RelativeTime } from '../../ui/time.tsx'
import { t } from '../../words/words.ts'
import { useNow } from '../use-now.ts'
import {
  formatDeploymentDuration,
  isDeploymentFinished,
  STAGE_LABELS,
  shortRevision,
} from './deployment-labels.ts'

export function Stages({ work: { deployment } }: { work: DeploymentWorkDetail }) {
  const { stages, status } = deployment
  const now = useNow(isDeploymentFinished(deployment) ? null : 500)
  if (stages.length === 0) return null
  return (
    <section class="mb-6">
      <h2 class="mb-2 text-12 font-medium text-faint">{t('Stages')}</h2>
      <ol class="space-y-1 text-13">
        {stages.map(({ name, startedAt, endedAt }) => {
          const isOpen = endedAt === null && status === 'running'
          const ends = endedAt ?? (isOpen ? new Date(now).toISOString() : deployment.endedAt)
          return (
            <li key={name} class="flex items-center gap-2">
              <Icon
                name={isOpen ? 'circle-dot' : endedAt === null && status === 'failed' ? 'circle-x' : 'check'}
                size={14}
                class={
                  isOpen
                    ? 'text-accent-11'
                    : endedAt === null && status === 'failed'
                      ? 'text-danger'
                      : 'text-soft'
                }
              />
              <span class="min-w-0 flex-1">{STAGE_LABELS[name]}</span>
              <span class="text-soft tabular-nums">
                {ends === null ? '' : formatDuration(Math.max(0, Date.parse(ends) - Date.parse(startedAt)))}
              </span>
            </li>
          )
        })}
        <li class="flex gap-2 border-t border-line pt-1 font-medium">
          <span class="flex-1">{t('In all')}</span>
          <span class="tabular-nums">{formatDeploymentDuration(deployment, now)}</span>
        </li>
      </ol>
    </section>
  )
}

export function Facts({ work }: { work: DeploymentWorkDetail }) {
  const { deployment, commitUrl, url } = work
  const { commit, revision } = deployment
  return (
    <section>
      <h2 class="mb-2 text-12 font-medium text-faint">{t('Source')}</h2>
      <dl class="space-y-1 text-13">
        {commit !== null && (
          <>
            <Fact label={t('Author')}>
              <PlainText text={commit.author} />
            </Fact>
            <Fact label={t('Committed')}>
              <RelativeTime at={commit.committedAt} />
            </Fact>
          </>
        )}
        {revision !== null && (
          <Fact label={commit === null ? t('Content') : t('Commit')}>
            {commitUrl === null ? (
              <CopyId id={revision} label={t('Copy the revision')} shown={shortRevision(revision)} />
            ) : (
              <Link href={commitUrl} target="_blank">
                {shortRevision(revision)}
              </Link>
            )}
          </Fact>
        )}
        <Fact label={t('Pages')}>{formatCount(deployment.pageCount)}</Fact>
        {deployment.isLive && url !== null && (
          <Fact label={t('Site')}>
            <Link href={url} target="_blank">
              {url.replace(/^https?:\/\//, '')}
            </Link>
          </Fact>
        )}
      </dl>
    </section>
  )
}
