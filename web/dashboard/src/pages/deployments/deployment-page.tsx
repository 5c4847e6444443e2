/** Page of a deployment: progress or result, stages, changes, problems and log. */

import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { JOB_ERRORS } from '../../../../../src/base/errors/job-errors.ts'
import type { DeploymentWorkDetail } from '../../../../../src/features/dashboard/operations/work.ts'
import { internalQuery } from '../../api/internal.ts'
import { useProjectId } from '../../app/current-project.ts'
import { useEscapeTo } from '../../app/frame.tsx'
import { queryClient } from '../../app/query-client.ts'
import { useQueryParameters } from '../../app/query-parameters.ts'
import { useHasPermission } from '../../app/session.ts'
import { StatusDot } from '../../ui/badge.tsx'
import { Notice } from '../../ui/card.tsx'
import { classes } from '../../ui/classes.ts'
import { CopyId } from '../../ui/copy.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Link } from '../../ui/link.tsx'
import { PageHeader, Section } from '../../ui/page.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { Progress } from '../../ui/progress.tsx'
import { SplitView } from '../../ui/split-view.tsx'
import { ErrorState, Skeleton } from '../../ui/states.tsx'
import { formatExactTime, RelativeTime } from '../../ui/time.tsx'
import { plural, rich, t, translateSentence } from '../../words/words.ts'
import { describeReason, Reason, ReasonDetails } from '../job-reason.tsx'
import { formatPageDifferences, formatPageProgress } from '../page-counts.ts'
import { ProblemGroups, toProblems } from '../problem-groups.tsx'
import { ResultLayout } from '../result-layout.tsx'
import { SourcePanel } from '../source-panel.tsx'
import { DeploymentActions, PinnedNotice } from './deployment-actions.tsx'
import { Facts, Stages } from './deployment-facts.tsx'
import {
  deploymentTitle,
  describeDeploymentState,
  describeDeploymentTrigger,
  isDeploymentFinished,
  PAGE_CHANGE_LABELS,
} from './deployment-labels.ts'

const POLL_INTERVAL_MS = 700

function workQuery(projectId: string, deploymentId: string) {
  return {
    ...internalQuery('getDeploymentWork', { params: { projectId, deploymentId } }),
    // Live events arrive once per second; polling keeps the progress bar moving in between.
    refetchInterval: ({ state: { data } }: { state: { data: DeploymentWorkDetail | undefined } }) =>
      data === undefined || isDeploymentFinished(data.deployment) ? false : POLL_INTERVAL_MS,
  }
}

export function preload({ params }: { params: Record<string, string> }): void {
  const { projectId = '', deploymentId = '' } = params
  void queryClient.prefetchQuery(internalQuery('getDeploymentWork', { params: { projectId, deploymentId } }))
}

export function DeploymentPage() {
  const projectId = useProjectId()
  const { deploymentId = '' } = useParams({ strict: false })
  const { data: work, error, refetch } = useQuery(workQuery(projectId, deploymentId))
  if (work === undefined)
    return (
      <>
        <PageHeader
          title={t('Deployment')}
          back={{ href: `/p/${projectId}/deployments`, label: t('Deployments') }}
        />
        {error === null ? (
          <Skeleton class="m-6 h-32 rounded-md" />
        ) : (
          <ErrorState error={error} onRetry={refetch} />
        )}
      </>
    )
  return <DeploymentView key={deploymentId} projectId={projectId} work={work} />
}

function DeploymentView({ projectId, work }: { projectId: string; work: DeploymentWorkDetail }) {
  const { deployment, pointer } = work
  const [parameters] = useQueryParameters()
  const mayDeploy = useHasPermission('deployments')
  const here = `/p/${projectId}/deployments/${deployment.deploymentId}`
  const { file } = parameters
  useEscapeTo(file === undefined ? `/p/${projectId}/deployments` : here)
  return (
    <>
      <PageHeader
        title={deploymentTitle(deployment, deployment.changedPages[0] ?? null)}
        back={{ href: `/p/${projectId}/deployments`, label: t('Deployments') }}
        about={<About work={work} />}
        actions={mayDeploy && <DeploymentActions projectId={projectId} deployment={deployment} />}
      />
      <SplitView
        name="deployment"
        backHref={here}
        backLabel={t('Deployment')}
        list={
          <ResultLayout
            isNarrow={file !== undefined}
            factsLabel={t('About the deployment')}
            facts={
              <>
                <Stages work={work} />
                <Facts work={work} />
              </>
            }
          >
            {deployment.isLive && <PinnedNotice projectId={projectId} pointer={pointer} />}
            <Outcome work={work} />
            <ChangedPages work={work} />
            <Problems work={work} here={here} />
            <Log work={work} />
          </ResultLayout>
        }
        detail={
          file === undefined ? null : (
            <ProblemSource work={work} file={file} line={Number(parameters.line)} backHref={here} />
          )
        }
      />
    </>
  )
}

function About({ work }: { work: DeploymentWorkDetail }) {
  const { deployment } = work
  return (
    <span class="flex flex-wrap items-center gap-x-3 gap-y-1">
      <StatusDot {...describeDeploymentState(deployment)} />
      <span>{describeDeploymentTrigger(work)}</span>
      <RelativeTime at={deployment.createdAt} />
      <CopyId id={deployment.deploymentId} label={t('Copy the id of the deployment')} isWhole={false} />
    </span>
  )
}

/** Shows the source line of a problem, in the revision of this deployment. */
function ProblemSource({
  work: { deployment },
  file,
  line,
  backHref,
}: {
  work: DeploymentWorkDetail
  file: string
  /** NaN shows the whole file. */
  line: number
  backHref: string
}) {
  const query = { file, deploymentId: deployment.deploymentId, ...(line >= 1 ? { line } : {}) }
  return (
    <SourcePanel projectId={deployment.projectId} query={query} backHref={backHref}>
      {deployment.warnings
        .filter((warning) => warning.path === file && (warning.line ?? 0) === (line || 0))
        .map(({ message }) => (
          <Notice key={message} tone="warning" title="">
            <PlainText text={message} />
          </Notice>
        ))}
    </SourcePanel>
  )
}

function Outcome({ work: { deployment } }: { work: DeploymentWorkDetail }) {
  const { status, errorCode, pageCount, totalPages } = deployment
  const reason = describeReason(deployment)
  if (status === 'failed') {
    const wasCancelled = errorCode === 'cancelled'
    return (
      <div
        role="status"
        class={classes(
          'mb-8 flex gap-3 rounded-md px-4 py-3',
          wasCancelled ? 'border border-line' : 'bg-danger-ground',
        )}
      >
        <Icon
          name={wasCancelled ? 'circle-x' : 'circle-alert'}
          class={wasCancelled ? 'mt-0.5 text-soft' : 'mt-0.5 text-danger'}
        />
        <div class="min-w-0 flex-1 text-13">
          <Reason job={deployment} otherwise={t('The deployment failed.')} />
          <p class="mt-0.5 text-soft">
            {wasCancelled || errorCode === null ? '' : `${translateSentence(JOB_ERRORS[errorCode].remedy)} `}
            {t('Readers keep the version that was live.')}
          </p>
          <ReasonDetails job={deployment} />
        </div>
      </div>
    )
  }
  if (isDeploymentFinished(deployment)) return null
  return (
    <section aria-label={t('Progress')} class="mb-8">
      <p class="mb-2 text-13 text-soft tabular-nums">
        {status === 'queued'
          ? t('Waiting for its turn')
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
  const { status, changes, changedPages } = deployment
  if (status !== 'published') return null
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
          {plural(total - changedPages.length, '{count} further page.', '{count} further pages.')}
        </p>
      )}
    </Section>
  )
}

function Problems({ work: { deployment }, here }: { work: DeploymentWorkDetail; here: string }) {
  const { projectId, deploymentId, status, warnings, warningCount } = deployment
  const [parameters] = useQueryParameters()
  if (status !== 'published' && warningCount === 0) return null
  return (
    <Section
      title={t('Problems of the content')}
      about={warningCount === 0 ? undefined : plural(warningCount, '{count} problem.', '{count} problems.')}
    >
      {warningCount === 0 ? (
        <p class="flex items-center gap-2 text-13 text-soft">
          <Icon name="circle-check" class="text-success" /> {t('No problems.')}
        </p>
      ) : (
        <ProblemGroups
          problems={toProblems(warnings)}
          projectId={projectId}
          parameters={parameters}
          here={here}
          version={{ deploymentId }}
        />
      )}
      {warningCount > warnings.length && (
        <p class="mt-2 text-13 text-soft">
          {plural(
            warningCount - warnings.length,
            '{count} further problem. The check of the docs folder ({command}) lists all of them.',
            '{count} further problems. The check of the docs folder ({command}) lists all of them.',
            { command: 'octavo check' },
          )}
        </p>
      )}
    </Section>
  )
}

function Log({ work: { deployment } }: { work: DeploymentWorkDetail }) {
  if (deployment.log.length === 0) return null
  return (
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
  )
}
