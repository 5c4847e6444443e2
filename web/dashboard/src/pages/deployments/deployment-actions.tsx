/** Actions on deployments: publish, cancel, retry, pin a version and release it. */

import type {
  DeploymentState,
  SitePointer,
} from '../../../../../src/features/hosting/operations/deployments.ts'
import { octavo } from '../../api/octavo.ts'
import { ActionButton } from '../../app/action.tsx'
import { useHasPermission } from '../../app/session.ts'
import { Notice } from '../../ui/card.tsx'
import { Link } from '../../ui/link.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { rich, t } from '../../words/words.ts'
import { isDeploymentFinished } from './deployment-labels.ts'

const READS = ['listDeploymentWork', 'getDeploymentWork', 'getPublishedSite']

export function PublishButton({ projectId, isAtWork = false }: { projectId: string; isAtWork?: boolean }) {
  return (
    <ActionButton
      look="primary"
      size="medium"
      icon="rocket"
      isBusy={isAtWork}
      command={{ id: 'deployment-new', label: t('Publish the site'), icon: 'rocket', keys: 'c' }}
      run={(idempotencyKey) => octavo.startDeployment(projectId, { idempotencyKey })}
      failed={t('The site was not published')}
      refreshes={READS}
    >
      {isAtWork ? t('Publishing …') : t('Publish')}
    </ActionButton>
  )
}

export function PinnedNotice({ projectId, pointer }: { projectId: string; pointer: SitePointer | null }) {
  const mayDeploy = useHasPermission('deployments')
  if (pointer?.pinnedAt == null) return null
  return (
    <Notice
      tone="warning"
      title={t('A version is pinned')}
      actions={
        mayDeploy && (
          <ActionButton
            run={() => octavo.releaseSite(projectId)}
            done={t('The newest version is live')}
            failed={t('The version is still pinned')}
            refreshes={READS}
          >
            {t('Unpin', { context: 'verb' })}
          </ActionButton>
        )
      }
    >
      <p>
        {rich(
          'Readers see <a>an earlier version</a>, pinned {time}. New versions are built but do not go live until you unpin it.',
          {
            a: (inner) => <Link href={`/p/${projectId}/deployments/${pointer.deploymentId}`}>{inner}</Link>,
            time: <RelativeTime at={pointer.pinnedAt} />,
          },
        )}
      </p>
    </Notice>
  )
}

interface ActionProps {
  projectId: string
  deployment: DeploymentState
}

export function DeploymentActions({ projectId, deployment }: ActionProps) {
  const { deploymentId } = deployment
  if (!isDeploymentFinished(deployment))
    return (
      <ActionButton
        icon="circle-x"
        confirm={{
          title: t('Cancel this deployment?'),
          action: t('Cancel the deployment'),
          cancel: t('Keep it'),
          text: t('Readers continue to see the version that is live.'),
        }}
        run={() => octavo.cancelDeployment(projectId, deploymentId)}
        done={t('The deployment was cancelled')}
        refreshes={READS}
      >
        {t('Cancel')}
      </ActionButton>
    )
  if (deployment.status === 'failed')
    return (
      <ActionButton
        icon="rotate-ccw"
        run={(idempotencyKey) => octavo.retryDeployment(projectId, deploymentId, { idempotencyKey })}
        done={t('Another deployment has started')}
        failed={t('The retry did not start')}
        refreshes={READS}
      >
        {t('Retry')}
      </ActionButton>
    )
  return canPromote(deployment) ? (
    <Promote projectId={projectId} deployment={deployment} look="primary" />
  ) : null
}

export function canPromote({ status, isLive, isKept, previewId }: DeploymentState): boolean {
  return status === 'published' && !isLive && isKept && previewId === null
}

export function Promote({ projectId, deployment, look }: ActionProps & { look: 'primary' | 'quiet' }) {
  return (
    <ActionButton
      look={look}
      icon="history"
      run={() => octavo.promoteDeployment(projectId, deployment.deploymentId)}
      done={t('This version is live')}
      failed={t('Readers still see the previous version')}
      refreshes={READS}
    >
      {t('Make live')}
    </ActionButton>
  )
}
