/** Actions on deployments: publish, cancel, retry, pin a version and release it. */

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'preact/hooks'
import type {
  DeploymentState,
  SitePointer,
} from '../../../../../src/features/hosting/operations/deployments.ts'
import { octavo } from '../../api/octavo.ts'
import { useCommands } from '../../app/commands.ts'
import { useHasPermission } from '../../app/session.ts'
import { toast, toastFailure } from '../../app/toasts.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/card.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Link } from '../../ui/link.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { rich, t } from '../../words/words.ts'
import { isDeploymentFinished } from './deployment-labels.ts'

const READS = ['listDeploymentWork', 'getDeploymentWork', 'getPublishedSite'] as const

function useRefresh(): () => void {
  const queries = useQueryClient()
  return () => {
    for (const read of READS) void queries.invalidateQueries({ queryKey: [read] })
  }
}

/** Publishes the site. The idempotency key prevents a second click from starting another deployment. */
export function PublishButton({ projectId, isAtWork = false }: { projectId: string; isAtWork?: boolean }) {
  const refresh = useRefresh()
  const key = useRef(crypto.randomUUID())
  const publish = useMutation({
    mutationFn: () => octavo.startDeployment(projectId, { idempotencyKey: key.current }),
    onSettled: () => {
      key.current = crypto.randomUUID()
      refresh()
    },
    onError: (error) => void toastFailure(t('The site was not published'), error),
  })
  const isBusy = publish.isPending || isAtWork
  useCommands([
    {
      id: 'deployment-new',
      label: t('Publish the site'),
      icon: 'rocket',
      keys: 'c',
      isOff: isBusy,
      run: () => publish.mutate(),
    },
  ])
  return (
    <Button look="primary" icon="rocket" isBusy={isBusy} onClick={() => publish.mutate()}>
      {isAtWork ? t('Publishing …') : t('Publish')}
    </Button>
  )
}

/** Warns that newer versions are not visible while a version is pinned. */
export function PinnedNotice({ projectId, pointer }: { projectId: string; pointer: SitePointer | null }) {
  const mayDeploy = useHasPermission('deployments')
  const refresh = useRefresh()
  const release = useMutation({
    mutationFn: () => octavo.releaseSite(projectId),
    onSettled: refresh,
    onSuccess: () => void toast({ kind: 'done', title: t('The newest version is live') }),
    onError: (error) => void toastFailure(t('The version is still pinned'), error),
  })
  if (pointer?.pinnedAt == null) return null
  return (
    <Notice
      tone="warning"
      title={t('A version is pinned')}
      actions={
        mayDeploy && (
          <Button size="small" isBusy={release.isPending} onClick={() => release.mutate()}>
            {t('Release', { context: 'verb' })}
          </Button>
        )
      }
    >
      <p>
        {rich(
          'Readers see <a>an earlier choice</a>, pinned {time}. New versions are made and wait until it is released.',
          {
            a: (inner) => <Link href={`/p/${projectId}/deployments/${pointer.deploymentId}`}>{inner}</Link>,
            time: <RelativeTime at={pointer.pinnedAt} />,
          },
        )}
      </p>
    </Notice>
  )
}

export function DeploymentActions({
  projectId,
  deployment,
}: {
  projectId: string
  deployment: DeploymentState
}) {
  if (!isDeploymentFinished(deployment)) return <Cancel projectId={projectId} deployment={deployment} />
  if (deployment.status === 'failed') return <Retry projectId={projectId} deployment={deployment} />
  if (deployment.isLive || !deployment.isKept || deployment.previewId !== null) return null
  return <Promote projectId={projectId} deployment={deployment} />
}

interface Acting {
  projectId: string
  deployment: DeploymentState
}

function Cancel({ projectId, deployment: { deploymentId } }: Acting) {
  const refresh = useRefresh()
  const [asks, setAsks] = useState(false)
  return (
    <>
      <Button size="small" icon="circle-x" onClick={() => setAsks(true)}>
        {t('Cancel')}
      </Button>
      {asks && (
        <ConfirmDialog
          title={t('Cancel this deployment?')}
          action={t('Cancel the deployment')}
          cancel={t('Keep it')}
          onClose={() => setAsks(false)}
          onConfirm={async () => {
            await octavo.cancelDeployment(projectId, deploymentId).finally(refresh)
            toast({ kind: 'done', title: t('The deployment was cancelled') })
          }}
        >
          <p>{t('Readers keep the version that is live.')}</p>
        </ConfirmDialog>
      )}
    </>
  )
}

function Retry({ projectId, deployment: { deploymentId } }: Acting) {
  const refresh = useRefresh()
  const retry = useMutation({
    mutationFn: () => octavo.retryDeployment(projectId, deploymentId),
    onSettled: refresh,
    onSuccess: () => void toast({ kind: 'done', title: t('Another deployment has started') }),
    onError: (error) => void toastFailure(t('The retry did not start'), error),
  })
  return (
    <Button size="small" icon="rotate-ccw" isBusy={retry.isPending} onClick={() => retry.mutate()}>
      {t('Retry')}
    </Button>
  )
}

function Promote({ projectId, deployment: { deploymentId } }: Acting) {
  const refresh = useRefresh()
  const promote = useMutation({
    mutationFn: () => octavo.promoteDeployment(projectId, deploymentId),
    onSettled: refresh,
    onSuccess: () => void toast({ kind: 'done', title: t('This version is live') }),
    onError: (error) => void toastFailure(t('Readers still see the previous version'), error),
  })
  return (
    <Button
      size="small"
      look="primary"
      icon="history"
      isBusy={promote.isPending}
      onClick={() => promote.mutate()}
    >
      {t('Make live')}
    </Button>
  )
}
