/** Static exports of the project: start one, follow the running ones, download the finished ones. */

import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { ExportWork } from '../../../../../src/features/dashboard/operations/work.ts'
import { internalPages, internalQuery } from '../../api/internal.ts'
import { useCommands } from '../../app/commands.ts'
import { useProjectId } from '../../app/current-project.ts'
import { queryClient } from '../../app/query-client.ts'
import { useQueryParameters } from '../../app/query-parameters.ts'
import { useHasPermission, useMembership } from '../../app/session.ts'
import { StatusDot } from '../../ui/badge.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { Icon } from '../../ui/icon.tsx'
import { Link } from '../../ui/link.tsx'
import { MoreButton } from '../../ui/more-button.tsx'
import { formatBytes, formatCount, formatPercent } from '../../ui/numbers.ts'
import { PageBody, PageHeader } from '../../ui/page.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { Progress } from '../../ui/progress.tsx'
import { EmptyState, Loaded, SkeletonRows } from '../../ui/states.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { plural, t } from '../../words/words.ts'
import { describeReason } from '../job-reason.tsx'
import { displayPersonName } from '../person-name.ts'
import { useRowNavigation } from '../row-navigation.ts'
import { DEPLOYMENT_LABELS, describeExportState, exportName, isExportFinished } from './export-labels.ts'
import { StartExport } from './start-export.tsx'

function workQuery(projectId: string) {
  return internalPages('listExportWork', { params: { projectId } })
}

export function preload({ params }: { params: Record<string, string> }): void {
  const projectId = params.projectId ?? ''
  void queryClient.prefetchInfiniteQuery(workQuery(projectId))
  void queryClient.prefetchQuery(internalQuery('getProject', { params: { projectId } }))
  void queryClient.prefetchQuery(internalQuery('getOrganization'))
}

export function ExportsPage() {
  const projectId = useProjectId()
  const [parameters, change] = useQueryParameters()
  const pages = useInfiniteQuery(workQuery(projectId))
  const { data: project } = useQuery(internalQuery('getProject', { params: { projectId } }))
  const { data: organization } = useQuery(internalQuery('getOrganization'))
  const isPossible = organization?.capabilities.static_export !== false
  const mayExport = useHasPermission('exports') && isPossible
  const exports = pages.data?.pages.flatMap((page) => page.exports) ?? []
  const rows = useRowNavigation(
    exports.map(({ job }) => `/p/${projectId}/exports/${job.jobId}`),
    pages,
  )
  const open = () => change({ new: '1' })
  useStartCommand(!mayExport, open)
  return (
    <>
      <PageHeader
        title={t('Exports')}
        about={
          <p class="max-md:hidden">{t('The site as one archive of plain files, for any web server.')}</p>
        }
        actions={
          // When the list is empty, the empty state has the button.
          mayExport &&
          exports.length > 0 && (
            <Button look="primary" icon="plus" onClick={open}>
              {t('New export')}
            </Button>
          )
        }
      />
      <PageBody>
        <div>
          {!isPossible && <NoPlan />}
          <Loaded query={pages} skeleton={<SkeletonRows />}>
            {() =>
              exports.length === 0 ? (
                isPossible && <NoExports mayExport={mayExport} onNew={open} />
              ) : (
                <ol {...rows} aria-label={t('Exports')} class="border-t border-line">
                  {exports.map((work) => (
                    <ExportRow key={work.job.jobId} work={work} projectId={projectId} />
                  ))}
                </ol>
              )
            }
          </Loaded>
          <MoreButton pages={pages} label={t('Show older exports')} />
        </div>
      </PageBody>
      {parameters.new !== undefined && mayExport && project !== undefined && (
        <StartExport project={project} onClose={() => change({ new: undefined }, { replace: true })} />
      )}
    </>
  )
}

function useStartCommand(isOff: boolean, run: () => void) {
  useCommands([{ id: 'export-new', label: t('Start an export'), icon: 'package', keys: 'c', isOff, run }])
}

function ExportRow({ work, projectId }: { work: ExportWork; projectId: string }) {
  const { job, startedBy } = work
  const state = describeExportState(job)
  const reason = state.tone === 'danger' ? describeReason(job) : null
  return (
    <li class="border-b border-line">
      <Link
        look="none"
        href={`/p/${projectId}/exports/${job.jobId}`}
        class="grid min-h-(--row) grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 -mx-2 rounded-sm px-2 py-1.5 outline-offset-[-2px] hover:bg-hover @max-xl:gap-y-0.5 @max-xl:py-2.5 @xl:grid-cols-[120px_minmax(0,1fr)_92px_184px_120px_80px]"
      >
        <span class="@max-xl:order-2 @max-xl:text-13">
          <StatusDot {...state} />
        </span>
        <span class="flex min-w-0 items-baseline gap-x-3 @max-xl:order-1 @xl:h-5 @xl:flex-wrap @xl:overflow-hidden">
          <span class="truncate @xl:max-w-full @xl:shrink-0" dir="auto">
            <PlainText text={exportName(job)} />
          </span>
          <span
            class={classes(
              'min-w-24 flex-1 truncate text-13 text-faint',
              reason === null ? '@max-xl:hidden' : '@max-2xl:hidden',
            )}
            dir="auto"
          >
            <PlainText text={reason ?? (job.version === null ? '' : job.domain)} />
          </span>
        </span>
        {reason !== null && (
          <span
            class="order-3 col-span-2 truncate text-13 text-faint @xl:col-span-5 @xl:col-start-2 @2xl:hidden"
            dir="auto"
          >
            <PlainText text={reason} />
          </span>
        )}
        <span class="flex flex-wrap items-center gap-x-3 text-13 whitespace-nowrap text-soft @max-xl:order-4 @max-xl:col-span-2 @max-xl:text-12 @xl:contents">
          <span>{DEPLOYMENT_LABELS[job.deployment].label}</span>
          <span class="flex items-center justify-end gap-3 tabular-nums empty:hidden @xl:empty:block">
            <Extent work={work} />
          </span>
          <span class="truncate @max-xl:hidden">{displayPersonName(startedBy)}</span>
          <span class="@xl:text-right">
            <RelativeTime at={job.createdAt} />
          </span>
        </span>
      </Link>
    </li>
  )
}

/** Shows the progress, or the size and content problems of a finished export. */
function Extent({ work: { job, bundle } }: { work: ExportWork }) {
  if (!isExportFinished(job))
    return (
      <>
        <span class="w-24">
          <Progress isBare label={t('Progress')} value={Math.floor(job.progress)} total={100} />
        </span>
        <span class="w-9 text-right">{formatPercent(Math.floor(job.progress) / 100)}</span>
      </>
    )
  if (bundle === null) return null
  const problems = plural(job.warningCount, '{count} problem', '{count} problems')
  return (
    <>
      {job.warningCount > 0 && (
        <span class="inline-flex items-center gap-1 text-warning" title={problems}>
          <Icon name="triangle-alert" size={12} />
          <span aria-hidden="true">{formatCount(job.warningCount)}</span>
          <span class="sr-only">{problems}</span>
        </span>
      )}
      <span>{plural(job.pageCount, '{count} page', '{count} pages')}</span>
      <span class="@xl:w-14 @xl:text-right">{formatBytes(bundle.sizeBytes)}</span>
    </>
  )
}

function NoExports({ mayExport, onNew }: { mayExport: boolean; onNew: () => void }) {
  return (
    <EmptyState
      icon="package"
      title={t('No export yet')}
      actions={
        mayExport && (
          <Button look="primary" icon="plus" onClick={onNew}>
            {t('New export')}
          </Button>
        )
      }
    >
      <p>
        {t(
          'An export renders every page into plain HTML, CSS and JavaScript, and packs them into one archive with a hash for each file. It needs no server of ours: unpack it and serve the folder.',
        )}
      </p>
    </EmptyState>
  )
}

function NoPlan() {
  const { id, role } = useMembership()
  return (
    <EmptyState
      icon="lock"
      title={t('Static export requires an Enterprise plan')}
      actions={role === 'owner' && <ButtonLink href={`/o/${id}/plan`}>{t('Plan and limits')}</ButtonLink>}
    >
      <p>
        {role === 'owner'
          ? t(
              'It packs the whole site into one archive that runs on your own hosts, also without any network. As an owner you can change the plan of the organization.',
            )
          : t(
              'It packs the whole site into one archive that runs on your own hosts, also without any network. An owner of the organization can change its plan.',
            )}
      </p>
    </EmptyState>
  )
}
