/** Previews of branches and pull requests: their URLs, changes and build states. */

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { Preview, PreviewList } from '../../../../../src/features/hosting/operations/previews.ts'
import { octavo } from '../../api/octavo.ts'
import { useProjectId } from '../../app/current-project.ts'
import { queryClient } from '../../app/query-client.ts'
import { useQueryParameters } from '../../app/query-parameters.ts'
import { useHasPermission, useMembership } from '../../app/session.ts'
import { toast, toastFailure } from '../../app/toasts.ts'
import { Badge, StatusDot } from '../../ui/badge.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Link } from '../../ui/link.tsx'
import { PageBody, PageHeader } from '../../ui/page.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { EmptyState, Loaded, SkeletonRows } from '../../ui/states.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { formatTimeUntil, RelativeTime } from '../../ui/time.tsx'
import { plural, rich, t } from '../../words/words.ts'
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
  const [parameters, change] = useQueryParameters()
  const mayDeploy = useHasPermission('deployments')
  const query = useQuery(previewsQuery(projectId))
  const isFolder = useQuery(publishingQuery(projectId)).data?.sourceKind === 'folder'
  const [asks, setAsks] = useState(false)
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
        about={<p class="max-md:hidden">{t('Branches and pull requests, each at an address of its own.')}</p>}
        actions={
          <>
            <Button icon="zap" onClick={() => change({ automatic: '1' })}>
              {t('Automatic')}
            </Button>
            {(query.data?.previews.length ?? 0) > 0 && make}
          </>
        }
      />
      <PageBody>
        <Loaded query={query} skeleton={<SkeletonRows />}>
          {({ previews, most }) =>
            previews.length === 0 ? (
              <NoPreviews hasPlan={most > 0} isFolder={isFolder} actions={isFolder ? <SourceLink /> : make} />
            ) : (
              <PreviewRows previews={previews} most={most} mayDeploy={mayDeploy} />
            )
          }
        </Loaded>
      </PageBody>
      {asks && <NewPreview projectId={projectId} onClose={() => setAsks(false)} />}
      {parameters.automatic !== undefined && (
        <PublishingDialog
          projectId={projectId}
          onClose={() => change({ automatic: undefined }, { replace: true })}
        />
      )}
    </>
  )
}

interface PreviewRowsProps {
  previews: readonly Preview[]
  /** Limit of the plan. */
  most: number
  mayDeploy: boolean
}

function PreviewRows({ previews, most, mayDeploy }: PreviewRowsProps) {
  return (
    <>
      <ul aria-label={t('Previews')} class="border-t border-line">
        {previews.map((preview) => (
          <PreviewRow key={preview.previewId} preview={preview} mayDeploy={mayDeploy} />
        ))}
      </ul>
      <p class="mt-3 text-13 text-faint">
        {t('{count} of {most}. Beyond that, the preview with the oldest push is removed.', {
          count: previews.length,
          most,
        })}
      </p>
    </>
  )
}

function SourceLink() {
  const projectId = useProjectId()
  if (!useHasPermission('projects')) return null
  return <ButtonLink href={`/p/${projectId}/settings/source`}>{t('Change the source')}</ButtonLink>
}

function PlanLink() {
  const { id, role } = useMembership()
  return role === 'owner' && <ButtonLink href={`/o/${id}/plan`}>{t('Plan and limits')}</ButtonLink>
}

interface NoPreviewsProps {
  hasPlan: boolean
  isFolder: boolean
  actions: ComponentChildren
}

function NoPreviews({ hasPlan, isFolder, actions }: NoPreviewsProps) {
  const branches = t(
    'A preview shows a branch before it is merged. Choose under Automatic what gets one by itself, or make one of a branch now.',
  )
  const folder = t('The source of this project is a folder, which has no branches to preview.')
  return (
    <EmptyState icon="git-branch" title={t('No previews')} actions={hasPlan ? actions : <PlanLink />}>
      <p>{hasPlan ? (isFolder ? folder : branches) : t('Previews require a paid plan.')}</p>
    </EmptyState>
  )
}

const STATES = {
  building: { label: t('Building'), tone: 'accent', isLive: true },
  ready: { label: t('Ready'), tone: 'success' },
  failed: { label: t('Failed'), tone: 'danger' },
} as const

function PreviewRow({ preview, mayDeploy }: { preview: Preview; mayDeploy: boolean }) {
  const { branch, pullRequest, isFork, state, previewUrl, isServed, deployment, report } = preview
  const { commit } = deployment
  const reason = state === 'failed' ? describeReason(deployment) : (commit?.title ?? null)
  return (
    <li class="grid gap-x-4 gap-y-1 border-b border-line py-3 lg:grid-cols-[120px_minmax(0,1fr)_auto]">
      <span class="text-13 lg:pt-0.5">
        <StatusDot {...STATES[state]} />
      </span>
      <div class="min-w-0 space-y-1">
        <p class="flex min-w-0 flex-wrap items-baseline gap-x-2 gap-y-1">
          <Link
            href={`/p/${preview.projectId}/deployments/${deployment.deploymentId}`}
            class="min-w-0 break-words"
            dir="auto"
          >
            {branch}
          </Link>
          {pullRequest !== null && <Badge>#{pullRequest}</Badge>}
          {isFork && <Badge tone="warning">{t('From a fork')}</Badge>}
        </p>
        {reason !== null && (
          <p class="line-clamp-2 text-13 break-words text-soft" dir="auto">
            <PlainText text={reason} />
          </p>
        )}
        {report !== null && (
          <p class="flex gap-1.5 text-13 text-warning">
            <Icon name="triangle-alert" size={14} class="mt-0.5 shrink-0" />
            <span class="min-w-0 break-words">
              {t('The forge was not told: {error}', { error: report.error })}
            </span>
          </p>
        )}
        <p class="flex flex-wrap gap-x-3 text-12 text-faint">
          <span>{summarizeChanges(preview)}</span>
          <span>{rich('Pushed {time}', { time: <RelativeTime at={preview.pushedAt} /> })}</span>
          <span>{t('Removed {time}', { time: formatTimeUntil(preview.expiresAt) })}</span>
        </p>
      </div>
      <div class="flex flex-wrap items-start gap-2 max-lg:mt-1">
        {isServed && previewUrl !== null && (
          <ButtonLink size="small" icon="external-link" href={previewUrl} target="_blank">
            {t('Open')}
          </ButtonLink>
        )}
        {mayDeploy && <PreviewActions preview={preview} />}
      </div>
    </li>
  )
}

function summarizeChanges({
  state,
  deployment: { changes, pageCount, totalPages, warningCount },
}: Preview): string {
  if (state === 'building')
    return totalPages === null ? t('Not started') : formatPageProgress({ pageCount, totalPages })
  if (state === 'failed') return t('The previous version stays up, if there is one')
  const problems = warningCount === 0 ? [] : [plural(warningCount, '{count} problem', '{count} problems')]
  return [...summarizePages(changes, pageCount), ...problems].join(' · ')
}

/** Returns the number of pages, or of those that differ from the live site. */
function summarizePages(changes: Preview['deployment']['changes'], pageCount: number): string[] {
  if (changes === null) return [plural(pageCount, '{count} page', '{count} pages')]
  const differences = formatPageDifferences(changes)
  return differences.length === 0 ? [t('No page differs from the live site')] : differences
}

function useRefresh(): () => void {
  const queries = useQueryClient()
  return () => void queries.invalidateQueries({ queryKey: ['listPreviews'] })
}

function PreviewActions({ preview: { projectId, previewId, branch, state } }: { preview: Preview }) {
  const refresh = useRefresh()
  const [asks, setAsks] = useState(false)
  const rebuild = useMutation({
    mutationFn: () => octavo.rebuildPreview(projectId, previewId),
    onSettled: refresh,
    onError: (error) => void toastFailure(t('The preview could not be rebuilt'), error),
  })
  return (
    <>
      <Button
        size="small"
        icon="rotate-ccw"
        aria-label={t('Rebuild the preview of {branch}', { branch })}
        isBusy={rebuild.isPending}
        disabled={state === 'building'}
        onClick={() => rebuild.mutate()}
      >
        {t('Rebuild')}
      </Button>
      <Button
        size="small"
        look="quiet"
        icon="trash-2"
        aria-label={t('Remove the preview of {branch}', { branch })}
        onClick={() => setAsks(true)}
      >
        {t('Remove')}
      </Button>
      {asks && (
        <ConfirmDialog
          title={t('Remove this preview?')}
          action={t('Remove the preview')}
          onClose={() => setAsks(false)}
          onConfirm={async () => {
            await octavo.removePreview(projectId, previewId).finally(refresh)
            toast({ kind: 'done', title: t('The preview was removed') })
          }}
        >
          <p class="break-words">
            {t(
              'The address of {branch} will stop working. The next push may make another preview, at another address.',
              { branch },
            )}
          </p>
        </ConfirmDialog>
      )}
    </>
  )
}

function NewPreview({ projectId, onClose }: { projectId: string; onClose: () => void }) {
  const refresh = useRefresh()
  const [branch, setBranch] = useState('')
  return (
    <FormDialog
      title={t('New preview')}
      about={t('It is brought up to date with each push.')}
      action={t('Make the preview')}
      fields={['branch']}
      onClose={onClose}
      onSubmit={async () => {
        await octavo.createPreview(projectId, branch.trim()).finally(refresh)
        onClose()
      }}
    >
      {(faults) => (
        <TextField
          label={t('Branch')}
          error={faults.branch}
          value={branch}
          autoFocus
          required
          autocomplete="off"
          spellcheck={false}
          onText={setBranch}
        />
      )}
    </FormDialog>
  )
}
