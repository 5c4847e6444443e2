/** Previews of branches and pull requests: their URLs, changes and build states. */

import { useQuery } from '@tanstack/react-query'
import type { ComponentChildren } from 'preact'
import type { Preview, PreviewList } from '../../../../../src/features/hosting/operations/previews.ts'
import { octavo } from '../../api/octavo.ts'
import { ActionButton } from '../../app/action.tsx'
import { useProjectId } from '../../app/current-project.ts'
import { queryClient } from '../../app/query-client.ts'
import { useOpenParameter } from '../../app/query-parameters.ts'
import { useHasPermission, useMembership } from '../../app/session.ts'
import { FieldsDialog } from '../../forms/fields-form.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { PageBody, PageHeader } from '../../ui/page.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { formatTimeUntil } from '../../ui/time.tsx'
import { plural, t } from '../../words/words.ts'
import { WorkList, type WorkRow } from '../background-jobs/work-list.tsx'
import { describeReason } from '../job-reason.tsx'
import { formatPageDifferences, formatPageProgress } from '../page-counts.ts'
import { PublishingDialog, publishingQuery } from './publishing-dialog.tsx'

/** Polling intervals in ms: while a preview is being built, and otherwise. */
const BUILDING_POLL_INTERVAL_MS = 1000
const IDLE_POLL_INTERVAL_MS = 10_000

function previewsQuery(projectId: string) {
  return {
    queryKey: ['listPreviews', projectId],
    queryFn: () => octavo.listPreviews(projectId),
    refetchInterval: ({ state: { data } }: { state: { data: PreviewList | undefined } }) =>
      data?.previews.some(({ state }) => state === 'building') === true
        ? BUILDING_POLL_INTERVAL_MS
        : IDLE_POLL_INTERVAL_MS,
  }
}

export function preload({ params }: { params: Record<string, string> }): void {
  const { queryKey, queryFn } = previewsQuery(params.projectId ?? '')
  void queryClient.prefetchQuery({ queryKey, queryFn })
}

export function PreviewsPage() {
  const projectId = useProjectId()
  const [isAutomatic, setAutomatic] = useOpenParameter('automatic')
  const mayDeploy = useHasPermission('deployments')
  const query = useQuery(previewsQuery(projectId))
  const isFolder = useQuery(publishingQuery(projectId)).data?.sourceKind === 'folder'
  const { previews = [], most = 0 } = query.data ?? {}
  const [asks, setAsks] = useOpenParameter('new')
  const make = mayDeploy && !isFolder && (
    <Button look="primary" icon="plus" onClick={() => setAsks(true)}>
      {t('New preview')}
    </Button>
  )
  return (
    <>
      <PageHeader
        title={t('Previews')}
        back={{ href: `/p/${projectId}/deployments`, label: t('Deployments') }}
        about={<p class="max-md:hidden">{t('Branches and pull requests, each at its own URL.')}</p>}
        actions={
          <>
            <Button icon="zap" onClick={() => setAutomatic(true)}>
              {t('Automatic')}
            </Button>
            {previews.length > 0 && make}
          </>
        }
      />
      <PageBody>
        <WorkList
          label={t('Previews')}
          columns={[{ isWide: true }, { isWide: true }]}
          pages={query}
          rows={previews.map((preview) => toRow(preview, mayDeploy))}
          empty={<NoPreviews hasPlan={most > 0} isFolder={isFolder} make={make} />}
        />
        {previews.length > 0 && (
          <p class="mt-3 text-13 text-faint">
            {t('{count} of {most}. Beyond that, the preview with the oldest push is removed.', {
              count: previews.length,
              most,
            })}
          </p>
        )}
      </PageBody>
      {asks && <NewPreview projectId={projectId} onClose={() => setAsks(false)} />}
      {isAutomatic && <PublishingDialog projectId={projectId} onClose={() => setAutomatic(false)} />}
    </>
  )
}

interface NoPreviewsProps {
  hasPlan: boolean
  isFolder: boolean
  make: ComponentChildren
}

function NoPreviews({ hasPlan, isFolder, make }: NoPreviewsProps) {
  const projectId = useProjectId()
  const { id, role } = useMembership()
  const mayChange = useHasPermission('projects')
  if (!hasPlan)
    return (
      <EmptyState
        icon="git-branch"
        title={t('No previews')}
        actions={role === 'owner' && <ButtonLink href={`/o/${id}/plan`}>{t('Plan and limits')}</ButtonLink>}
      >
        <p>{t('Previews require a paid plan.')}</p>
      </EmptyState>
    )
  const source = mayChange && (
    <ButtonLink href={`/p/${projectId}/settings/source`}>{t('Change the source')}</ButtonLink>
  )
  return (
    <EmptyState icon="git-branch" title={t('No previews')} actions={isFolder ? source : make}>
      <p>
        {isFolder
          ? t('The source of this project is a folder, which has no branches to preview.')
          : t(
              'A preview shows a branch before it is merged. Choose under Automatic which branches get one, or create one now.',
            )}
      </p>
    </EmptyState>
  )
}

const STATES = {
  building: { label: t('Building'), tone: 'accent', isLive: true },
  ready: { label: t('Ready'), tone: 'success' },
  failed: { label: t('Failed'), tone: 'danger' },
} as const

function toRow(preview: Preview, mayDeploy: boolean): WorkRow {
  const { projectId, previewId, branch, pullRequest, isFork, state, deployment, report } = preview
  return {
    id: previewId,
    href: `/p/${projectId}/deployments/${deployment.deploymentId}`,
    state: STATES[state],
    title: branch,
    marks: (
      <>
        {pullRequest !== null && <Badge>#{pullRequest}</Badge>}
        {isFork && <Badge tone="warning">{t('From a fork')}</Badge>}
      </>
    ),
    note: state === 'failed' ? describeReason(deployment) : (deployment.commit?.title ?? null),
    about: summarizeChanges(preview),
    cells: [summarizeChanges(preview), t('Removed {time}', { time: formatTimeUntil(preview.expiresAt) })],
    at: preview.pushedAt,
    actions: <PreviewActions preview={preview} mayDeploy={mayDeploy} />,
    details: report !== null && (
      <p class="flex gap-1.5 text-13 text-warning">
        <Icon name="triangle-alert" size={14} class="mt-0.5 shrink-0" />
        <span class="min-w-0 break-words">
          {t('Could not report to the forge: {error}', { error: report.error })}
        </span>
      </p>
    ),
  }
}

function summarizeChanges({
  state,
  deployment: { changes, pageCount, totalPages, warningCount },
}: Preview): string {
  if (state === 'building')
    return totalPages === null ? t('Not started') : formatPageProgress({ pageCount, totalPages })
  if (state === 'failed') return t('The previous version, if any, stays online')
  const problems = warningCount === 0 ? [] : [plural(warningCount, '{count} problem', '{count} problems')]
  return [...summarizePages(changes, pageCount), ...problems].join(' · ')
}

/** Returns the number of pages, or the number of pages that differ from the live site. */
function summarizePages(changes: Preview['deployment']['changes'], pageCount: number): string[] {
  if (changes === null) return [plural(pageCount, '{count} page', '{count} pages')]
  const differences = formatPageDifferences(changes)
  return differences.length === 0 ? [t('No page differs from the live site')] : differences
}

function PreviewActions({ preview, mayDeploy }: { preview: Preview; mayDeploy: boolean }) {
  const { projectId, previewId, branch, state, isServed, previewUrl } = preview
  return (
    <>
      {isServed && previewUrl !== null && (
        <ButtonLink size="small" icon="external-link" href={previewUrl} target="_blank">
          {t('Open')}
        </ButtonLink>
      )}
      {mayDeploy && (
        <>
          <ActionButton
            icon="rotate-ccw"
            aria-label={t('Rebuild the preview of {branch}', { branch })}
            disabled={state === 'building'}
            run={() => octavo.rebuildPreview(projectId, previewId)}
            failed={t('The preview could not be rebuilt')}
            refreshes={['listPreviews']}
          >
            {t('Rebuild')}
          </ActionButton>
          <ActionButton
            look="quiet"
            icon="trash-2"
            aria-label={t('Remove the preview of {branch}', { branch })}
            confirm={{
              title: t('Remove this preview?'),
              action: t('Remove the preview'),
              text: t(
                'The URL of {branch} will stop working. The next push may create a new preview at another URL.',
                { branch },
              ),
            }}
            run={() => octavo.removePreview(projectId, previewId)}
            done={t('The preview was removed')}
            refreshes={['listPreviews']}
          >
            {t('Remove')}
          </ActionButton>
        </>
      )}
    </>
  )
}

function NewPreview({ projectId, onClose }: { projectId: string; onClose: () => void }) {
  const field = {
    name: 'branch',
    label: t('Branch'),
    isMono: true,
    input: { autoFocus: true, required: true },
  }
  return (
    <FieldsDialog<{ branch: string }>
      title={t('New preview')}
      about={t('It is updated with each push.')}
      action={t('Create the preview')}
      fields={() => [field]}
      onClose={onClose}
      onSubmit={async ({ branch }) => {
        await octavo.createPreview(projectId, branch)
        void queryClient.invalidateQueries({ queryKey: ['listPreviews'] })
        onClose()
      }}
    />
  )
}
