/** Page of an export: progress, content problems, the archive and how to verify it. */

import { useQuery } from '@tanstack/react-query'
import { BUILT_FEATURES } from '../../../../../src/base/api/features.ts'
import type { ExportWork } from '../../../../../src/features/dashboard/operations/work.ts'
import { internalQuery } from '../../api/internal.ts'
import { octavo } from '../../api/octavo.ts'
import { ActionButton } from '../../app/action.tsx'
import { useProjectId } from '../../app/current-project.ts'
import { queryClient } from '../../app/query-client.ts'
import { usePathParameters } from '../../app/query-parameters.ts'
import { useHasPermission } from '../../app/session.ts'
import { CopyId } from '../../ui/copy.tsx'
import { Fact } from '../../ui/fact.tsx'
import { Link } from '../../ui/link.tsx'
import { formatPercent } from '../../ui/numbers.ts'
import { Progress } from '../../ui/progress.tsx'
import { formatDuration } from '../../ui/time.tsx'
import { plural, t } from '../../words/words.ts'
import { shortRevision } from '../background-jobs/short-revision.ts'
import {
  FactList,
  polled,
  WorkDetail,
  WorkFailure,
  WorkLoading,
  WorkProblems,
} from '../background-jobs/work-detail.tsx'
import { formatPageProgress } from '../page-counts.ts'
import { displayPersonName } from '../person-name.ts'
import { useNow } from '../use-now.ts'
import { BundleCard, VerifyCommands } from './bundle-card.tsx'
import {
  DEPLOYMENT_LABELS,
  describeExportState,
  exportName,
  FEATURE_LABELS,
  isExportFinished,
} from './export-labels.ts'

function workQuery(projectId: string, jobId: string) {
  return internalQuery('getExportWork', { params: { projectId, jobId } })
}

export function preload({ params }: { params: Record<string, string> }): void {
  void queryClient.prefetchQuery(workQuery(params.projectId ?? '', params.jobId ?? ''))
}

export function ExportJobPage() {
  const projectId = useProjectId()
  const { jobId = '' } = usePathParameters()
  const query = polled(workQuery(projectId, jobId), ({ job }: ExportWork) => !isExportFinished(job))
  const { data: work, error, refetch } = useQuery(query)
  const mayExport = useHasPermission('exports')
  const noun = t('Export', { context: 'noun' })
  const back = { href: `/p/${projectId}/exports`, label: t('Exports') }
  if (work === undefined) return <WorkLoading title={noun} back={back} error={error} onRetry={refetch} />
  const { job, bundle } = work
  const here = `${back.href}/${jobId}`
  const isDone = job.status === 'completed'
  return (
    <WorkDetail
      key={jobId}
      name="export"
      noun={noun}
      title={exportName(job)}
      here={here}
      back={back}
      state={describeExportState(job)}
      by={displayPersonName(work.startedBy)}
      at={job.createdAt}
      id={jobId}
      idLabel={t('Copy the export ID')}
      actions={
        mayExport &&
        !isExportFinished(job) && (
          <ActionButton
            icon="circle-x"
            command={{ id: 'export-cancel', label: t('Cancel the export'), icon: 'circle-x' }}
            confirm={{
              title: t('Cancel this export?'),
              action: t('Cancel the export'),
              cancel: t('Keep it running'),
              text: t('Pages rendered so far are discarded. The next export starts over.'),
            }}
            run={() => octavo.cancelExport(jobId)}
            done={t('The export was cancelled')}
            refreshes={['getExportWork', 'listExportWork']}
          >
            {t('Cancel')}
          </ActionButton>
        )
      }
      factsLabel={t('About the export')}
      facts={<Facts work={work} />}
      warnings={job.warnings}
      version={{ exportId: jobId }}
    >
      {job.status === 'failed' && (
        <WorkFailure job={job} otherwise={t('The export failed.')}>
          {job.errorCode === 'cancelled' && `${t('No archive was stored.')} `}
          {job.errorCode === null && `${t('Nothing has changed since the previous export.')} `}
          <Link href={`${back.href}?new=1`}>{t('Start another export')}</Link>
        </WorkFailure>
      )}
      {!isExportFinished(job) && <Running job={job} />}
      {isDone && <BundleCard work={work} mayDownload={mayExport} />}
      {/* Unknown for an export that did not complete. */}
      {(isDone || job.warningCount > 0) && (
        <WorkProblems
          warnings={job.warnings}
          count={job.warningCount}
          about={t('The pages are in the bundle anyway.')}
          here={here}
          version={{ exportId: jobId }}
        />
      )}
      {isDone && bundle !== null && <VerifyCommands work={work} sha256={bundle.sha256} />}
    </WorkDetail>
  )
}

function Running({ job }: { job: ExportWork['job'] }) {
  const now = useNow(1000)
  const percent = Math.floor(job.progress)
  return (
    <section aria-label={t('Progress')} class="mb-8">
      <div class="mb-2 flex items-baseline justify-between gap-3">
        <p class="text-24 font-semibold tracking-tight tabular-nums">{formatPercent(percent / 100)}</p>
        <p class="text-13 text-soft tabular-nums">
          {job.status === 'queued'
            ? t('waiting in the queue')
            : job.totalPages === null
              ? t('reading the source')
              : formatPageProgress(job)}
          {' · '}
          {formatDuration(Math.max(0, now - Date.parse(job.createdAt)))}
        </p>
      </div>
      <Progress isBare label={t('Export', { context: 'noun' })} value={percent} total={100} />
    </section>
  )
}

function formatPageCount({ job, paths }: ExportWork): string {
  const isDone = job.status === 'completed'
  if (paths === null)
    return isDone
      ? plural(job.pageCount, 'all, {count} page', 'all, {count} pages')
      : t('all', { context: 'pages' })
  const chosen = plural(paths, '{count} page selected', '{count} pages selected')
  return isDone ? `${chosen} · ${plural(job.pageCount, '{count} rendered', '{count} rendered')}` : chosen
}

function Facts({ work }: { work: ExportWork }) {
  const { job, features, revision } = work
  return (
    <FactList title={job.status === 'completed' ? t('Exported') : t('Requested')}>
      <Fact label={t('Host name')}>{job.domain}</Fact>
      <Fact label={t('Deployment')}>{DEPLOYMENT_LABELS[job.deployment].label}</Fact>
      <Fact label={t('Pages')}>{formatPageCount(work)}</Fact>
      <Fact label={t('Features')}>
        {BUILT_FEATURES.filter((feature) => features[feature] && feature !== 'export')
          .map((feature) => FEATURE_LABELS[feature].label)
          .join(', ') || t('pages only')}
      </Fact>
      {revision !== null && (
        <Fact label={t('Revision')}>
          <CopyId id={revision} label={t('Copy the revision')} shown={shortRevision(revision)} />
        </Fact>
      )}
    </FactList>
  )
}
