/** Version that readers see, and the progress of the next version. */

import type { ComponentChildren } from 'preact'
import type { PublishedSite } from '../../../../../src/features/projects/operations/projects.ts'
import { useHasPermission } from '../../app/session.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Notice } from '../../ui/card.tsx'
import { CopyId } from '../../ui/copy.tsx'
import { formatCount } from '../../ui/numbers.ts'
import { PlainText } from '../../ui/plain-text.tsx'
import { Progress } from '../../ui/progress.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { formatDuration, RelativeTime } from '../../ui/time.tsx'
import { rich, t } from '../../words/words.ts'
import { describeReason } from '../job-reason.tsx'
import { formatPageProgress } from '../page-counts.ts'
import { useNow } from '../use-now.ts'

export function Version({
  site: { published, current, last },
  projectId,
}: {
  site: PublishedSite
  projectId: string
}) {
  const failed = last?.status === 'failed' && current === null ? last : null
  return (
    <div class="mb-10" aria-live="polite">
      {current !== null && <DeploymentAtWork current={current} isFirst={published === null} />}
      {failed !== null && (
        <FailedDeployment
          projectId={projectId}
          error={describeReason(failed) ?? ''}
          isFirst={published === null}
        />
      )}
      {published === null && current === null && failed === null && (
        <EmptyState icon="globe" title={t('Nothing is published yet')}>
          <p>
            {rich(
              'Publishing reads the source, renders every page and makes the site available at its URL. From a terminal: {command}',
              { command: <code class="font-mono text-13">octavo projects sync</code> },
            )}
          </p>
        </EmptyState>
      )}
      {published !== null && (
        <dl class="grid grid-cols-2 overflow-hidden rounded-md border border-line sm:grid-cols-4">
          <Figure label={t('Published')}>
            <RelativeTime at={published.publishedAt} />
          </Figure>
          <Figure label={t('Pages')}>{formatCount(published.pageCount)}</Figure>
          <Figure label={t('Problems')}>{formatCount(published.problemCount)}</Figure>
          <Figure label={t('Revision')}>
            {published.revision === null ? (
              '–'
            ) : (
              <CopyId id={published.revision} label={t('Copy the revision')} isWhole={false} />
            )}
          </Figure>
        </dl>
      )}
    </div>
  )
}

function DeploymentAtWork({
  current,
  isFirst,
}: {
  current: NonNullable<PublishedSite['current']>
  isFirst: boolean
}) {
  const now = useNow(1000)
  const duration = formatDuration(Math.max(0, now - Date.parse(current.createdAt)))
  const rendering = current.totalPages === null ? t('Reading the source') : t('Rendering')
  return (
    <div class="mb-4 rounded-md border border-line px-4 py-3">
      <Progress
        label={current.status === 'queued' ? t('The queued deployment') : rendering}
        value={current.pageCount}
        total={current.totalPages}
        extent={formatPageProgress(current)}
      />
      <p class="mt-1.5 text-12 text-soft tabular-nums">
        {isFirst
          ? duration
          : t('{duration}; readers see the previous version until it is done', { duration })}
      </p>
    </div>
  )
}

interface FailedDeploymentProps {
  projectId: string
  error: string
  isFirst: boolean
}

function FailedDeployment({ projectId, error, isFirst }: FailedDeploymentProps) {
  const mayChange = useHasPermission('projects')
  return (
    <Notice
      tone="danger"
      title={isFirst ? t('The first deployment failed') : t('The last deployment failed')}
      actions={
        mayChange && (
          <ButtonLink size="small" href={`/p/${projectId}/settings/source`}>
            {t('Source settings')}
          </ButtonLink>
        )
      }
    >
      <span class="break-words">
        <PlainText text={error} />
      </span>{' '}
      {isFirst
        ? t('The site has no published version yet. Correct the error and publish again.')
        : t('Readers still see the previous version. Correct the error and publish again.')}
    </Notice>
  )
}

function Figure({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    <div class="-mr-px -mb-px border-r border-b border-line px-4 py-3">
      <dt class="text-12 text-soft">{label}</dt>
      <dd class="mt-0.5 truncate text-16 font-semibold tabular-nums">{children}</dd>
    </div>
  )
}
