/** Static exports of the project: start an export, follow running exports, download finished exports. */

import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { ExportWork } from '../../../../../src/features/dashboard/operations/work.ts'
import { internalPages, internalQuery } from '../../api/internal.ts'
import { useCommands } from '../../app/commands.ts'
import { useProjectId } from '../../app/current-project.ts'
import { queryClient } from '../../app/query-client.ts'
import { useOpenParameter } from '../../app/query-parameters.ts'
import { useHasPermission, useMembership } from '../../app/session.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { formatBytes, formatPercent } from '../../ui/numbers.ts'
import { PageBody, PageHeader } from '../../ui/page.tsx'
import { Progress } from '../../ui/progress.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { plural, t } from '../../words/words.ts'
import { ProblemCount, WorkList, type WorkRow } from '../background-jobs/work-list.tsx'
import { describeReason } from '../job-reason.tsx'
import { displayPersonName } from '../person-name.ts'
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
  const [isMaking, setMaking] = useOpenParameter('new')
  const pages = useInfiniteQuery(workQuery(projectId))
  const { data: project } = useQuery(internalQuery('getProject', { params: { projectId } }))
  const { data: organization } = useQuery(internalQuery('getOrganization'))
  const isPossible = organization?.capabilities.static_export !== false
  const mayExport = useHasPermission('exports') && isPossible
  const exports = pages.data?.pages.flatMap((page) => page.exports) ?? []
  const open = () => setMaking(true)
  useCommands([
    {
      id: 'export-new',
      label: t('Start an export'),
      icon: 'package',
      keys: 'c',
      isOff: !mayExport,
      run: open,
    },
  ])
  const newButton = mayExport && (
    <Button look="primary" icon="plus" onClick={open}>
      {t('New export')}
    </Button>
  )
  return (
    <>
      <PageHeader
        title={t('Exports')}
        about={
          <p class="max-md:hidden">{t('The site as one archive of plain files, for any web server.')}</p>
        }
        // When the list is empty, the empty state has the button.
        actions={exports.length > 0 && newButton}
      />
      <PageBody>
        {!isPossible && <NoPlan />}
        <WorkList
          label={t('Exports')}
          columns={[{}, { isEnd: true }, { isEnd: true }, {}]}
          pages={pages}
          rows={exports.map((work) => toRow(projectId, work))}
          moreLabel={t('Show older exports')}
          empty={
            isPossible && (
              <EmptyState icon="package" title={t('No export yet')} actions={newButton}>
                <p>
                  {t(
                    'An export renders every page into plain HTML, CSS and JavaScript, and packs them into one archive with a hash for each file. It does not need this server: unpack it and serve the folder.',
                  )}
                </p>
              </EmptyState>
            )
          }
        />
      </PageBody>
      {isMaking && mayExport && project !== undefined && (
        <StartExport project={project} onClose={() => setMaking(false)} />
      )}
    </>
  )
}

function toRow(projectId: string, work: ExportWork): WorkRow {
  const { job, bundle, startedBy } = work
  const state = describeExportState(job)
  const isRunning = !isExportFinished(job)
  return {
    id: job.jobId,
    href: `/p/${projectId}/exports/${job.jobId}`,
    state,
    title: exportName(job),
    note: state.tone === 'danger' ? describeReason(job) : job.version === null ? null : job.domain,
    at: job.createdAt,
    cells: [
      DEPLOYMENT_LABELS[job.deployment].label,
      isRunning ? (
        <span class="w-24">
          <Progress isBare label={t('Progress')} value={Math.floor(job.progress)} total={100} />
        </span>
      ) : (
        bundle !== null && (
          <>
            <ProblemCount count={job.warningCount} />
            <span>{plural(job.pageCount, '{count} page', '{count} pages')}</span>
          </>
        )
      ),
      isRunning
        ? formatPercent(Math.floor(job.progress) / 100)
        : bundle !== null && formatBytes(bundle.sizeBytes),
      displayPersonName(startedBy),
    ],
  }
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
              'A static export packs the whole site into one archive that runs on your own hosts, even without a network. As an owner, you can change the plan of the organization.',
            )
          : t(
              'A static export packs the whole site into one archive that runs on your own hosts, even without a network. An owner of the organization can change its plan.',
            )}
      </p>
    </EmptyState>
  )
}
