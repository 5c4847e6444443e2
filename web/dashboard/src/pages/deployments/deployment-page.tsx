/** Page of a deployment: progress or result, stages, changes, problems and log. */

import { useQuery } from '@tanstack/react-query'
import type { DeploymentWorkDetail } from '../../../../../src/features/dashboard/operations/work.ts'
import { internalQuery } from '../../api/internal.ts'
import { useProjectId } from '../../app/current-project.ts'
import { queryClient } from '../../app/query-client.ts'
import { usePathParameters } from '../../app/query-parameters.ts'
import { useHasPermission } from '../../app/session.ts'
import { classes } from '../../ui/classes.ts'
import { CopyId } from '../../ui/copy.tsx'
import { Fact, Part } from '../../ui/fact.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Link } from '../../ui/link.tsx'
import { formatCount } from '../../ui/numbers.ts'
import { Section } from '../../ui/page.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { Progress } from '../../ui/progress.tsx'
import { formatDuration, formatExactTime, RelativeTime } from '../../ui/time.tsx'
import { plural, rich, t } from '../../words/words.ts'
import { shortRevision } from '../background-jobs/short-revision.ts'
import {
  FactList,
  polled,
  WorkDetail,
  WorkFailure,
  WorkLoading,
  WorkProblems,
} from '../background-jobs/work-detail.tsx'
import { describeReason } from '../job-reason.tsx'
import { formatPageDifferences, formatPageProgress } from '../page-counts.ts'
import { useNow } from '../use-now.ts'
import { DeploymentActions, PinnedNotice } from './deployment-actions.tsx'
import {
  deploymentTitle,
  describeDeploymentState,
  describeDeploymentTrigger,
  formatDeploymentDuration,
  isDeploymentFinished,
  PAGE_CHANGE_LABELS,
  STAGE_LABELS,
} from './deployment-labels.ts'

function workQuery(projectId: string, deploymentId: string) {
  return internalQuery('getDeploymentWork', { params: { projectId, deploymentId } })
}

export function preload({ params }: { params: Record<string, string> }): void {
  void queryClient.prefetchQuery(workQuery(params.projectId ?? '', params.deploymentId ?? ''))
}

export function DeploymentPage() {
  const projectId = useProjectId()
  const { deploymentId = '' } = usePathParameters()
  const mayDeploy = useHasPermission('deployments')
  const {
    data: work,
    error,
    refetch,
  } = useQuery(
    polled(
      workQuery(projectId, deploymentId),
      ({ deployment }: DeploymentWorkDetail) => !isDeploymentFinished(deployment),
    ),
  )
  const back = { href: `/p/${projectId}/deployments`, label: t('Deployments') }
  if (work === undefined)
    return <WorkLoading title={t('Deployment')} back={back} error={error} onRetry={refetch} />
  const { deployment, pointer } = work
  const { status, warnings, warningCount } = deployment
  const here = `${back.href}/${deploymentId}`
  return (
    <WorkDetail
      key={deploymentId}
      name="deployment"
      noun={t('Deployment')}
      title={deploymentTitle(deployment, deployment.changedPages[0] ?? null)}
      here={here}
      back={back}
      state={describeDeploymentState(deployment)}
      by={describeDeploymentTrigger(work)}
      at={deployment.createdAt}
      id={deploymentId}
      idLabel={t('Copy the deployment ID')}
      actions={mayDeploy && <DeploymentActions projectId={projectId} deployment={deployment} />}
      factsLabel={t('About the deployment')}
      facts={
        <>
          <Stages work={work} />
          <Facts work={work} />
        </>
      }
      warnings={warnings}
      version={{ deploymentId }}
    >
      {deployment.isLive && <PinnedNotice projectId={projectId} pointer={pointer} />}
      {status === 'failed' && (
        <WorkFailure job={deployment} otherwise={t('The deployment failed.')}>
          {t('Readers continue to see the version that was live before, if there was one.')}
        </WorkFailure>
      )}
      {!isDeploymentFinished(deployment) && <Running deployment={deployment} />}
      {status === 'published' && <ChangedPages work={work} />}
      {(status === 'published' || warningCount > 0) && (
        <WorkProblems warnings={warnings} count={warningCount} here={here} version={{ deploymentId }} />
      )}
      {deployment.log.length > 0 && (
        <Section title={t('Log')}>
          <ol class="overflow-hidden rounded-md border border-line bg-raised py-1 font-mono text-12">
            {deployment.log.map(({ at, text }, index) => (
              <li key={index} class="flex gap-3 px-3 py-0.5">
                <time dateTime={at} title={formatExactTime(at)} class="shrink-0 text-faint tabular-nums">
                  {at.slice(11, 23)}
                </time>
                <span class="min-w-0 flex-1 break-words" dir="auto">
                  <PlainText text={text} />
                </span>
              </li>
            ))}
          </ol>
          <p class="mt-1 text-12 text-faint">{t('Times are UTC.')}</p>
        </Section>
      )}
    </WorkDetail>
  )
}

function Running({ deployment }: Pick<DeploymentWorkDetail, 'deployment'>) {
  const { status, pageCount, totalPages } = deployment
  const reason = describeReason(deployment)
  return (
    <section aria-label={t('Progress')} class="mb-8">
      <p class="mb-2 text-13 text-soft tabular-nums">
        {status === 'queued'
          ? t('Waiting in the queue')
          : totalPages === null
            ? t('Reading the source')
            : formatPageProgress(deployment)}
      </p>
      <Progress isBare label={t('Deployment')} value={pageCount} total={Math.max(1, totalPages ?? 1)} />
      {reason !== null && (
        <p class="mt-2 text-13 break-words text-warning">
          {rich('The previous attempt ended: {error}', { error: <PlainText text={reason} /> })}
        </p>
      )}
    </section>
  )
}

function ChangedPages({ work: { deployment, url } }: { work: DeploymentWorkDetail }) {
  const { changes, changedPages } = deployment
  const total = changes === null ? 0 : changes.added + changes.changed + changes.removed
  return (
    <Section
      title={t('What changed')}
      about={
        changes === null
          ? t('The first version of this site.')
          : total === 0
            ? t('The text of the pages is the same as before.')
            : formatPageDifferences(changes).join(' · ')
      }
    >
      {total > 0 && (
        <ul class="divide-y divide-line border-y border-line text-13">
          {changedPages.map(({ path, change }) => (
            <li key={path} class="flex min-h-(--row) items-center gap-3 py-1">
              <span
                class={classes('w-4 shrink-0 text-center font-mono', PAGE_CHANGE_LABELS[change].tone)}
                aria-hidden="true"
              >
                {PAGE_CHANGE_LABELS[change].mark}
              </span>
              <span class="sr-only">{PAGE_CHANGE_LABELS[change].label}</span>
              <span class="min-w-0 flex-1 font-mono text-12 break-words">
                {change === 'removed' || url === null || !deployment.isLive ? (
                  <PlainText text={path} />
                ) : (
                  <Link look="quiet" href={new URL(encodeURI(path), url).href} target="_blank">
                    <PlainText text={path} />
                  </Link>
                )}
              </span>
            </li>
          ))}
        </ul>
      )}
      {total > changedPages.length && (
        <p class="mt-2 text-13 text-soft">
          {plural(total - changedPages.length, '{count} more page.', '{count} more pages.')}
        </p>
      )}
    </Section>
  )
}

function Stages({ work: { deployment } }: { work: DeploymentWorkDetail }) {
  const { stages, status } = deployment
  const now = useNow(isDeploymentFinished(deployment) ? null : 500)
  if (stages.length === 0) return null
  return (
    <Part class="mb-6" title={t('Stages')}>
      <ol class="space-y-1 text-13">
        {stages.map(({ name, startedAt, endedAt }) => {
          const isOpen = endedAt === null && status === 'running'
          const hasEnded = endedAt === null && status === 'failed'
          const ends = endedAt ?? (isOpen ? new Date(now).toISOString() : deployment.endedAt)
          return (
            <li key={name} class="flex items-center gap-2">
              <Icon
                name={isOpen ? 'circle-dot' : hasEnded ? 'circle-x' : 'check'}
                size={14}
                class={isOpen ? 'text-accent-11' : hasEnded ? 'text-danger' : 'text-soft'}
              />
              <span class="min-w-0 flex-1">{STAGE_LABELS[name]}</span>
              <span class="text-soft tabular-nums">
                {ends === null ? '' : formatDuration(Math.max(0, Date.parse(ends) - Date.parse(startedAt)))}
              </span>
            </li>
          )
        })}
        <li class="flex gap-2 border-t border-line pt-1 font-medium">
          <span class="flex-1">{t('Total')}</span>
          <span class="tabular-nums">{formatDeploymentDuration(deployment, now)}</span>
        </li>
      </ol>
    </Part>
  )
}

function Facts({ work }: { work: DeploymentWorkDetail }) {
  const { deployment, commitUrl, url } = work
  const { commit, revision } = deployment
  return (
    <FactList title={t('Source')}>
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
    </FactList>
  )
}
