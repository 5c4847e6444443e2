/** History of deployments: the live version, what each changed, and rollback. */

import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type {
  DeploymentWork,
  DeploymentWorkList,
} from '../../../../../src/features/dashboard/operations/work.ts'
import { internalPages } from '../../api/internal.ts'
import { useProjectId } from '../../app/current-project.ts'
import { queryClient } from '../../app/query-client.ts'
import { useQueryParameters } from '../../app/query-parameters.ts'
import { useHasPermission } from '../../app/session.ts'
import { StatusDot } from '../../ui/badge.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Link } from '../../ui/link.tsx'
import { MoreButton } from '../../ui/more-button.tsx'
import { formatCount } from '../../ui/numbers.ts'
import { PageBody, PageHeader } from '../../ui/page.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { EmptyState, Loaded, SkeletonRows } from '../../ui/states.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { plural, richPlural, t } from '../../words/words.ts'
import { describeReason } from '../job-reason.tsx'
import { useRowNavigation } from '../row-navigation.ts'
import { useNow } from '../use-now.ts'
import { PinnedNotice, PublishButton } from './deployment-actions.tsx'
import {
  deploymentTitle,
  describeDeploymentState,
  describeDeploymentTrigger,
  formatDeploymentDuration,
  hasFailed,
  isDeploymentFinished,
  PAGE_CHANGE_LABELS,
  shortRevision,
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
  const [parameters, change] = useQueryParameters()
  const mayDeploy = useHasPermission('deployments')
  const pages = useInfiniteQuery(workQuery(projectId))
  const works = pages.data?.pages.flatMap((page) => page.deployments) ?? []
  const pointer = pages.data?.pages[0]?.pointer ?? null
  const rows = useRowNavigation(
    works.map(({ deployment }) => `/p/${projectId}/deployments/${deployment.deploymentId}`),
    pages,
  )
  return (
    <>
      <PageHeader
        title={t('Deployments')}
        about={<p class="max-md:hidden">{t('Every version of the site, and which one readers see.')}</p>}
        actions={
          <>
            <PreviewsLink projectId={projectId} />
            <Button icon="zap" onClick={() => change({ automatic: '1' })}>
              <span class="max-md:sr-only">{t('Automatic')}</span>
            </Button>
            {mayDeploy && works.length > 0 && <PublishButton projectId={projectId} />}
          </>
        }
      />
      <PageBody>
        <PinnedNotice projectId={projectId} pointer={pointer} />
        <Loaded query={pages} skeleton={<SkeletonRows />}>
          {() =>
            works.length === 0 ? (
              <NoDeployments projectId={projectId} mayDeploy={mayDeploy} />
            ) : (
              <ol {...rows} aria-label={t('Deployments')} class="border-t border-line">
                {works.map((work) => (
                  <DeploymentRow
                    key={work.deployment.deploymentId}
                    work={work}
                    projectId={projectId}
                    pointer={pointer}
                  />
                ))}
              </ol>
            )
          }
        </Loaded>
        <MoreButton pages={pages} label={t('Show older deployments')} />
      </PageBody>
      {parameters.automatic !== undefined && (
        <PublishingDialog
          projectId={projectId}
          onClose={() => change({ automatic: undefined }, { replace: true })}
        />
      )}
    </>
  )
}

function DeploymentRow({
  work,
  projectId,
  pointer,
}: {
  work: DeploymentWork
  projectId: string
  pointer: DeploymentWorkList['pointer']
}) {
  const { deployment, firstChange } = work
  const now = useNow(isDeploymentFinished(deployment) ? null : 1000)
  const state = describeDeploymentState(deployment)
  const isPinned = deployment.isLive && pointer?.pinnedAt != null
  const { commit } = deployment
  const reason = hasFailed(deployment) ? describeReason(deployment) : null
  return (
    <li class="border-b border-line">
      <Link
        look="none"
        href={`/p/${projectId}/deployments/${deployment.deploymentId}`}
        class="grid min-h-(--row) grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-0.5 -mx-2 rounded-sm px-2 py-2.5 outline-offset-[-2px] hover:bg-hover @xl:grid-cols-[120px_minmax(0,1fr)_120px_64px_80px] @xl:py-1.5"
      >
        <span class="order-2 text-13 @xl:order-none">
          <StatusDot {...state} label={isPinned ? t('Live, pinned') : state.label} />
        </span>
        <span class="order-1 flex min-w-0 items-baseline gap-x-3 @xl:order-none @xl:h-5 @xl:flex-wrap @xl:overflow-hidden">
          <span class="truncate @xl:max-w-full @xl:shrink-0" dir="auto">
            <PlainText text={deploymentTitle(deployment, firstChange)} />
          </span>
          <span class="min-w-24 flex-1 truncate text-13 text-faint @max-xl:hidden" dir="auto">
            <PlainText text={reason ?? commit?.author ?? ''} />
          </span>
        </span>
        {reason !== null && (
          <span class="order-3 col-span-2 truncate text-13 text-faint @xl:hidden" dir="auto">
            <PlainText text={reason} />
          </span>
        )}
        <span class="order-4 col-span-2 flex flex-wrap items-center gap-x-3 text-12 whitespace-nowrap text-soft @xl:contents @xl:text-13">
          <span class="min-w-0 truncate @xl:hidden">{describeDeployment(work)}</span>
          <span class="flex items-center gap-3 tabular-nums empty:hidden @xl:justify-end @xl:text-13 @xl:empty:block">
            <Extent work={work} />
          </span>
          <span class="tabular-nums @xl:text-right @xl:text-13">
            {formatDeploymentDuration(deployment, now)}
          </span>
          <span class="@xl:text-right @xl:text-13">
            <RelativeTime at={deployment.createdAt} />
          </span>
        </span>
        <span class="order-5 hidden truncate text-12 text-faint @xl:col-span-4 @xl:col-start-2 @xl:-mt-1 @xl:block">
          {describeDeployment(work)}
        </span>
      </Link>
    </li>
  )
}

/** Returns `Push · 3f9c1d2e4a`. */
function describeDeployment({ deployment, startedBy }: DeploymentWork): string {
  const { revision } = deployment
  const of = revision === null || revision.startsWith('content:') ? '' : ` · ${shortRevision(revision)}`
  return `${describeDeploymentTrigger({ deployment, startedBy })}${of}`
}

/** Shows changed pages and content problems, or the number of finished pages while it is running. */
function Extent({ work: { deployment } }: { work: DeploymentWork }) {
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
      {warningCount > 0 && (
        <span
          class="inline-flex items-center gap-1 text-warning"
          title={plural(warningCount, '{count} problem', '{count} problems')}
        >
          <Icon name="triangle-alert" size={12} />
          {richPlural(warningCount, '{count}<a> problem</a>', '{count}<a> problems</a>', {
            a: (inner) => <span class="sr-only">{inner}</span>,
          })}
        </span>
      )}
      {changes === null ? (
        <span>{plural(pageCount, '{count} page', '{count} pages')}</span>
      ) : (
        (['added', 'changed', 'removed'] as const).map(
          (change) =>
            changes[change] > 0 && (
              <span
                key={change}
                class={PAGE_CHANGE_LABELS[change].tone}
                title={PAGE_CHANGE_LABELS[change].pages(changes[change])}
              >
                <span aria-hidden="true">
                  {PAGE_CHANGE_LABELS[change].mark}
                  {formatCount(changes[change])}
                </span>
                <span class="sr-only">{PAGE_CHANGE_LABELS[change].pages(changes[change])}</span>
              </span>
            ),
        )
      )}
    </>
  )
}

function NoDeployments({ projectId, mayDeploy }: { projectId: string; mayDeploy: boolean }) {
  return (
    <EmptyState
      icon="rocket"
      title={t('Nothing published yet')}
      actions={mayDeploy && <PublishButton projectId={projectId} />}
    >
      <p>
        {t(
          'Publishing reads the source, renders every page and puts the new version in front of readers. Each version is listed here, with what changed in it, and can be put back.',
        )}
      </p>
    </EmptyState>
  )
}

/** Hidden for a folder, which has no branches to preview. */
function PreviewsLink({ projectId }: { projectId: string }) {
  const { data: publishing } = useQuery(publishingQuery(projectId))
  return publishing?.sourceKind === 'git' ? (
    <ButtonLink icon="git-branch" href={`/p/${projectId}/deployments/previews`}>
      <span class="max-md:sr-only">{t('Previews')}</span>
    </ButtonLink>
  ) : null
}
