/** Page of an export: progress, content problems, the archive and how to verify it. */

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'preact/hooks'
import { BUILT_FEATURES } from '../../../../../src/base/api/features.ts'
import { JOB_ERRORS } from '../../../../../src/base/errors/job-errors.ts'
import type { ExportWork } from '../../../../../src/features/dashboard/operations/work.ts'
import { internalQuery } from '../../api/internal.ts'
import { octavo } from '../../api/octavo.ts'
import { useCommands } from '../../app/commands.ts'
import { useProjectId } from '../../app/current-project.ts'
import { useEscapeTo } from '../../app/frame.tsx'
import { queryClient } from '../../app/query-client.ts'
import { useQueryParameters } from '../../app/query-parameters.ts'
import { useHasPermission } from '../../app/session.ts'
import { toast } from '../../app/toasts.ts'
import { StatusDot } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/card.tsx'
import { classes } from '../../ui/classes.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { CopyId } from '../../ui/copy.tsx'
import { Fact } from '../../ui/fact.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Link } from '../../ui/link.tsx'
import { formatPercent } from '../../ui/numbers.ts'
import { PageHeader, Section } from '../../ui/page.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { Progress } from '../../ui/progress.tsx'
import { SplitView } from '../../ui/split-view.tsx'
import { ErrorState, Skeleton } from '../../ui/states.tsx'
import { formatDuration, RelativeTime } from '../../ui/time.tsx'
import { plural, t, translateSentence } from '../../words/words.ts'
import { Reason, ReasonDetails } from '../job-reason.tsx'
import { formatPageProgress } from '../page-counts.ts'
import { ProblemGroups, toProblems } from '../problem-groups.tsx'
import { ResultLayout } from '../result-layout.tsx'
import { SourcePanel } from '../source-panel.tsx'
import { StartedBy } from '../started-by.tsx'
import { useNow } from '../use-now.ts'
import { BundleCard, VerifyLines } from './bundle-card.tsx'
import {
  DEPLOYMENT_LABELS,
  describeExportState,
  exportName,
  FEATURE_LABELS,
  isExportFinished,
} from './export-labels.ts'

const POLL_INTERVAL_MS = 700

function workQuery(projectId: string, jobId: string) {
  return {
    ...internalQuery('getExportWork', { params: { projectId, jobId } }),
    // Live events arrive once per second; polling keeps the progress bar moving in between.
    refetchInterval: ({ state: { data } }: { state: { data: ExportWork | undefined } }) =>
      data === undefined || isExportFinished(data.job) ? false : POLL_INTERVAL_MS,
  }
}

export function preload({ params }: { params: Record<string, string> }): void {
  const { projectId = '', jobId = '' } = params
  void queryClient.prefetchQuery(internalQuery('getExportWork', { params: { projectId, jobId } }))
}

export function ExportJobPage() {
  const projectId = useProjectId()
  const { jobId = '' } = useParams({ strict: false })
  const { data: work, error, refetch } = useQuery(workQuery(projectId, jobId))
  if (work === undefined) {
    return (
      <>
        <PageHeader
          title={t('Export', { context: 'noun' })}
          back={{ href: `/p/${projectId}/exports`, label: t('Exports') }}
        />
        {error === null ? (
          <Skeleton class="m-6 h-32 rounded-md" />
        ) : (
          <ErrorState error={error} onRetry={refetch} />
        )}
      </>
    )
  }
  return <Export key={jobId} projectId={projectId} work={work} />
}

function Export({ projectId, work }: { projectId: string; work: ExportWork }) {
  const { job } = work
  const [parameters] = useQueryParameters()
  const mayExport = useHasPermission('exports')
  const here = `/p/${projectId}/exports/${job.jobId}`
  const line = Number(parameters.line)
  const isOpen = parameters.file !== undefined
  useEscapeTo(isOpen ? here : `/p/${projectId}/exports`)
  return (
    <>
      <PageHeader
        title={exportName(job)}
        back={{ href: `/p/${projectId}/exports`, label: t('Exports') }}
        about={
          <span class="flex flex-wrap items-center gap-x-3 gap-y-1">
            <StatusDot {...describeExportState(job)} />
            <StartedBy person={work.startedBy} />
            <RelativeTime at={job.createdAt} />
            <CopyId id={job.jobId} label={t('Copy the id of the export')} isWhole={false} />
          </span>
        }
        actions={mayExport && <Actions projectId={projectId} work={work} />}
      />
      <SplitView
        name="export"
        backHref={here}
        backLabel={t('Export', { context: 'noun' })}
        list={
          <ResultLayout isNarrow={isOpen} factsLabel={t('About the export')} facts={<Facts work={work} />}>
            <State work={work} projectId={projectId} />
            {job.status === 'completed' && <BundleCard work={work} mayDownload={mayExport} />}
            <Problems work={work} projectId={projectId} here={here} />
            {job.status === 'completed' && work.bundle !== null && (
              <VerifyLines sha256={work.bundle.sha256} />
            )}
          </ResultLayout>
        }
        detail={
          parameters.file === undefined ? null : (
            <WarningSource
              projectId={projectId}
              job={job}
              file={parameters.file}
              line={line}
              backHref={here}
            />
          )
        }
      />
    </>
  )
}

/** Shows the source line of a warning. */
function WarningSource({
  projectId,
  job,
  file,
  line,
  backHref,
}: {
  projectId: string
  job: ExportWork['job']
  file: string
  /** NaN shows the whole file. */
  line: number
  backHref: string
}) {
  return (
    <SourcePanel
      projectId={projectId}
      query={{ file, exportId: job.jobId, ...(line >= 1 ? { line } : {}) }}
      backHref={backHref}
    >
      {job.warnings
        .filter((warning) => warning.path === file && (warning.line ?? 0) === (line || 0))
        .map(({ message }) => (
          <Notice key={message} tone="warning" title="">
            <PlainText text={message} />
          </Notice>
        ))}
    </SourcePanel>
  )
}

function Actions({ projectId, work: { job } }: { projectId: string; work: ExportWork }) {
  const queries = useQueryClient()
  const [asks, setAsks] = useState(false)
  const mayCancel = !isExportFinished(job)
  useCommands([
    {
      id: 'export-cancel',
      label: t('Cancel the export'),
      icon: 'circle-x',
      isOff: !mayCancel,
      run: () => setAsks(true),
    },
  ])
  if (!mayCancel) return null
  return (
    <>
      <Button size="small" icon="circle-x" onClick={() => setAsks(true)}>
        {t('Cancel')}
      </Button>
      {asks && (
        <ConfirmDialog
          title={t('Cancel this export?')}
          action={t('Cancel the export')}
          cancel={t('Keep it running')}
          onClose={() => setAsks(false)}
          onConfirm={async () => {
            await octavo.cancelExport(job.jobId)
            toast({ kind: 'done', title: t('The export was cancelled') })
            await queries.invalidateQueries({ queryKey: ['getExportWork', { projectId, jobId: job.jobId }] })
            void queries.invalidateQueries({ queryKey: ['listExportWork'] })
          }}
        >
          <p>{t('What was rendered so far is discarded. The next export starts over.')}</p>
        </ConfirmDialog>
      )}
    </>
  )
}

function State({ work: { job }, projectId }: { work: ExportWork; projectId: string }) {
  const isRunning = !isExportFinished(job)
  const now = useNow(isRunning ? 1000 : null)
  if (job.status === 'failed') {
    const wasCancelled = job.errorCode === 'cancelled'
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
          <Reason job={job} otherwise={t('The export failed.')} />
          <p class="mt-0.5 text-soft">
            {wasCancelled ? t('Nothing of it is kept.') : adviceFor(job.errorCode)}{' '}
            <Link href={`/p/${projectId}/exports?new=1`}>{t('Start another one')}</Link>
          </p>
          <ReasonDetails job={job} />
        </div>
      </div>
    )
  }
  if (!isRunning) return null
  return (
    <section aria-label={t('Progress')} class="mb-8">
      <div class="mb-2 flex items-baseline justify-between gap-3">
        <p class="text-24 font-semibold tracking-tight tabular-nums">
          {formatPercent(Math.floor(job.progress) / 100)}
        </p>
        <p class="text-13 text-soft tabular-nums">
          {job.status === 'queued'
            ? t('waiting for its turn')
            : job.totalPages === null
              ? t('reading the source')
              : formatPageProgress(job)}
          {' · '}
          {formatDuration(Math.max(0, now - Date.parse(job.createdAt)))}
        </p>
      </div>
      <Progress
        isBare
        label={t('Export', { context: 'noun' })}
        value={Math.floor(job.progress)}
        total={100}
      />
    </section>
  )
}

function adviceFor(code: ExportWork['job']['errorCode']): string {
  return code === null
    ? t('Nothing has changed since the export before it.')
    : translateSentence(JOB_ERRORS[code].remedy)
}

function Problems({ work: { job }, projectId, here }: { work: ExportWork; projectId: string; here: string }) {
  const [parameters] = useQueryParameters()
  // Unknown for an export that did not complete.
  if (job.status !== 'completed' && job.warningCount === 0) return null
  return (
    <Section
      title={t('Problems of the content')}
      about={
        job.warningCount === 0
          ? undefined
          : plural(
              job.warningCount,
              '{count} problem; the pages are in the bundle all the same.',
              '{count} problems; the pages are in the bundle all the same.',
            )
      }
    >
      {job.warningCount === 0 ? (
        <p class="flex items-center gap-2 text-13 text-soft">
          <Icon name="circle-check" class="text-success" /> {t('None found.')}
        </p>
      ) : (
        <ProblemGroups
          problems={toProblems(job.warnings)}
          projectId={projectId}
          parameters={parameters}
          here={here}
          version={{ exportId: job.jobId }}
        />
      )}
      {job.warningCount > job.warnings.length && (
        <p class="mt-2 text-13 text-soft">
          {plural(
            job.warningCount - job.warnings.length,
            '{count} further problem is not kept here; the check of the docs folder ({command}) lists all of them.',
            '{count} further problems are not kept here; the check of the docs folder ({command}) lists all of them.',
            { command: 'octavo check' },
          )}
        </p>
      )}
    </Section>
  )
}

/** Shortens a commit id to its beginning, and the hash of a folder to its kind and beginning. */
function shortRevision(revision: string): string {
  return revision.replace(/([0-9a-f]{10})[0-9a-f]{10,}$/, '$1')
}

function formatPageCount({ job, paths }: ExportWork): string {
  const isDone = job.status === 'completed'
  if (paths === null)
    return isDone
      ? plural(job.pageCount, 'all, {count} page', 'all, {count} pages')
      : t('all', { context: 'pages' })
  const chosen = plural(paths, '{count} page chosen', '{count} pages chosen')
  return isDone ? `${chosen} · ${plural(job.pageCount, '{count} rendered', '{count} rendered')}` : chosen
}

function Facts({ work }: { work: ExportWork }) {
  const { job, features, revision } = work
  return (
    <section>
      <h2 class="mb-2 text-12 font-medium text-faint">
        {job.status === 'completed' ? t('What was exported') : t('What was asked for')}
      </h2>
      <dl class="space-y-1 text-13">
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
      </dl>
    </section>
  )
}
