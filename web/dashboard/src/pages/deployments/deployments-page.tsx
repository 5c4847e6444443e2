/** History of deployments: the live version, the changes of each version, and rollback. */

import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { DeploymentWork } from '../../../../../src/features/dashboard/operations/work.ts'
import type { DeploymentState } from '../../../../../src/features/hosting/operations/deployments.ts'
import { internalPages } from '../../api/internal.ts'
import { useProjectId } from '../../app/current-project.ts'
import { queryClient } from '../../app/query-client.ts'
import { useOpenParameter } from '../../app/query-parameters.ts'
import { useHasPermission } from '../../app/session.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { formatCount } from '../../ui/numbers.ts'
import { PageBody, PageHeader } from '../../ui/page.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { plural, t } from '../../words/words.ts'
import { shortRevision } from '../background-jobs/short-revision.ts'
import { ProblemCount, WorkList, type WorkRow } from '../background-jobs/work-list.tsx'
import { describeReason } from '../job-reason.tsx'
import { useNow } from '../use-now.ts'
import { canPromote, PinnedNotice, Promote, PublishButton } from './deployment-actions.tsx'
import {
  deploymentTitle,
  describeDeploymentState,
  describeDeploymentTrigger,
  formatDeploymentDuration,
  hasFailed,
  isDeploymentFinished,
  PAGE_CHANGE_LABELS,
} from './deployment-labels.ts'
import { PublishingDialog, publishingQuery } from './publishing-dialog.tsx'

function workQuery(projectId: string) {
  return internalPages('listDeploymentWork', { params: { projectId } })
}

export function preload({ params }: { params: Record<string, string> }): void {
  void queryClient.prefetchInfiniteQuery(workQuery(params.projectId ?? ''))
}

export function DeploymentsPage() {
  const projectId = useProjectId()
  const [isAutomatic, setAutomatic] = useOpenParameter('automatic')
  const mayDeploy = useHasPermission('deployments')
  const pages = useInfiniteQuery(workQuery(projectId))
  // A folder has no branches to preview.
  const hasPreviews = useQuery(publishingQuery(projectId)).data?.sourceKind === 'git'
  const works = pages.data?.pages.flatMap((page) => page.deployments) ?? []
  const pointer = pages.data?.pages[0]?.pointer ?? null
  const publish = mayDeploy && <PublishButton projectId={projectId} />
  return (
    <>
      <PageHeader
        title={t('Deployments')}
        about={
          <p class="max-md:hidden">{t('Every version of the site, including the one that readers see.')}</p>
        }
        actions={
          <>
            {hasPreviews && (
              <ButtonLink icon="git-branch" href={`/p/${projectId}/deployments/previews`}>
                <span class="max-md:sr-only">{t('Previews')}</span>
              </ButtonLink>
            )}
            <Button icon="zap" onClick={() => setAutomatic(true)}>
              <span class="max-md:sr-only">{t('Automatic')}</span>
            </Button>
            {works.length > 0 && publish}
          </>
        }
      />
      <PageBody>
        <PinnedNotice projectId={projectId} pointer={pointer} />
        <WorkList
          label={t('Deployments')}
          columns={[{ isWide: true }, { isWide: true }, { isEnd: true }, { isEnd: true }]}
          pages={pages}
          rows={works.map((work) => toRow(projectId, work, pointer?.pinnedAt != null, mayDeploy))}
          moreLabel={t('Show older deployments')}
          empty={
            <EmptyState icon="rocket" title={t('Nothing published yet')} actions={publish}>
              <p>
                {t(
                  'Publishing reads the source, renders every page and makes the new version live. Each version is listed here with its changes, and can be made live again.',
                )}
              </p>
            </EmptyState>
          }
        />
      </PageBody>
      {isAutomatic && <PublishingDialog projectId={projectId} onClose={() => setAutomatic(false)} />}
    </>
  )
}

function toRow(projectId: string, work: DeploymentWork, isPinned: boolean, mayDeploy: boolean): WorkRow {
  const { deployment, firstChange } = work
  const { deploymentId, commit, revision, isLive, createdAt } = deployment
  const state = describeDeploymentState(deployment)
  const trigger = describeDeploymentTrigger(work)
  const short = revision === null || revision.startsWith('content:') ? null : shortRevision(revision)
  return {
    id: deploymentId,
    href: `/p/${projectId}/deployments/${deploymentId}`,
    state: isLive && isPinned ? { ...state, label: t('Live, pinned') } : state,
    title: deploymentTitle(deployment, firstChange),
    note: hasFailed(deployment) ? describeReason(deployment) : null,
    about: [trigger, commit?.author, short].filter(Boolean).join(' · '),
    at: createdAt,
    cells: [
      commit?.author ?? trigger,
      short !== null && <span class="font-mono text-12">{short}</span>,
      <DeploymentExtent deployment={deployment} />,
      <Duration deployment={deployment} />,
    ],
    actions: mayDeploy && canPromote(deployment) && (
      <Promote projectId={projectId} deployment={deployment} look="quiet" />
    ),
  }
}

function Duration({ deployment }: { deployment: DeploymentState }) {
  const now = useNow(isDeploymentFinished(deployment) ? null : 1000)
  return <>{formatDeploymentDuration(deployment, now)}</>
}

function DeploymentExtent({ deployment }: { deployment: DeploymentState }) {
  const { status, pageCount, totalPages, changes, warningCount } = deployment
  if (status === 'running' && totalPages !== null)
    return (
      <span>
        {formatCount(pageCount)} / {formatCount(totalPages)}
      </span>
    )
  if (status !== 'published') return null
  return (
    <>
      <ProblemCount count={warningCount} />
      {changes === null ? (
        <span>{plural(pageCount, '{count} page', '{count} pages')}</span>
      ) : (
        (['added', 'changed', 'removed'] as const).map((change) => {
          const { tone, mark, pages } = PAGE_CHANGE_LABELS[change]
          const count = changes[change]
          if (count === 0) return null
          return (
            <span key={change} class={tone} title={pages(count)}>
              <span aria-hidden="true">
                {mark}
                {formatCount(count)}
              </span>
              <span class="sr-only">{pages(count)}</span>
            </span>
          )
        })
      )}
    </>
  )
}
