/** Automatic publishing: a push webhook of the forge, or polling of the source. */

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'preact/hooks'
import type { Publishing } from '../../../../../src/features/hosting/operations/publishing.ts'
import { internal, internalQuery } from '../../api/internal.ts'
import { ActionButton } from '../../app/action.tsx'
import { useHasPermission } from '../../app/session.ts'
import { toast, toastFailure } from '../../app/toasts.ts'
import { Button } from '../../ui/button.tsx'
import { CopyField } from '../../ui/copy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Loaded, Skeleton } from '../../ui/states.tsx'
import { Switch } from '../../ui/switch.tsx'
import { formatRelativeTime } from '../../ui/time.tsx'
import { t } from '../../words/words.ts'
import { PreviewSettingsForm } from './preview-settings.tsx'

const FORGES = { github: 'GitHub', gitlab: 'GitLab', gitea: 'Gitea', bitbucket: 'Bitbucket' } as const

export function publishingQuery(projectId: string) {
  return internalQuery('getPublishing', { params: { projectId } })
}

export function PublishingDialog({ projectId, onClose }: { projectId: string; onClose: () => void }) {
  const query = useQuery(publishingQuery(projectId))
  const queries = useQueryClient()
  const mayChange = useHasPermission('projects')
  return (
    <Dialog
      title={t('Automatic publishing')}
      about={t('Publish whenever the source changes.')}
      width="lg"
      onClose={onClose}
      actions={<Button onClick={onClose}>{t('Close')}</Button>}
    >
      <Loaded query={query} skeleton={<Skeleton class="h-40 w-full rounded-md" />}>
        {(publishing) => (
          <div class="space-y-6">
            <Following projectId={projectId} publishing={publishing} />
            {publishing.sourceKind === 'git' && <Hook projectId={projectId} publishing={publishing} />}
            {publishing.sourceKind === 'git' && mayChange && (
              <PreviewSettingsForm
                projectId={projectId}
                publishing={publishing}
                onSaved={(answer) => queries.setQueryData(publishingQuery(projectId).queryKey, answer)}
              />
            )}
          </div>
        )}
      </Loaded>
    </Dialog>
  )
}

function Following({ projectId, publishing }: { projectId: string; publishing: Publishing }) {
  const queries = useQueryClient()
  const mayChange = useHasPermission('projects')
  const change = useMutation({
    mutationFn: (follows: boolean) =>
      internal('updatePublishing', { params: { projectId }, body: { follows } }),
    onSuccess: (answer) => queries.setQueryData(publishingQuery(projectId).queryKey, answer),
    onError: (error) => void toastFailure(t('The setting was not changed'), error),
  })
  const isFolder = publishing.sourceKind === 'folder'
  return (
    <Switch
      label={isFolder ? t('Watch the folder') : t('Check for new commits')}
      about={
        isFolder
          ? t('Changes in the folder are published a moment later.')
          : t('The repository is checked once a minute. A webhook is faster.')
      }
      isOn={change.isPending ? change.variables : publishing.follows}
      isOff={!mayChange}
      onChange={(follows) => change.mutate(follows)}
    />
  )
}

function Hook({ projectId, publishing: { hook, branch } }: { projectId: string; publishing: Publishing }) {
  const params = { projectId }
  const mayChange = useHasPermission('projects')
  const [secret, setSecret] = useState<string | null>(null)
  return (
    <section class="space-y-3">
      <div>
        <h3 class="font-medium">{t('Push webhook')}</h3>
        <p class="text-13 text-soft">
          {t('For GitHub, GitLab, Gitea, Forgejo or Bitbucket, sent as JSON.')}{' '}
          {branch === null
            ? t('Pushes to the default branch start a deployment.')
            : t('Only pushes to {branch} start a deployment.', { branch })}
        </p>
      </div>
      <CopyField text={hook.url} label={t('Webhook URL')} />
      {secret !== null && (
        <div>
          <p class="mb-1 text-13">{t('The secret is shown only once. Enter it in the webhook now.')}</p>
          <CopyField text={secret} label={t('Webhook secret')} />
        </div>
      )}
      <p class="text-13 text-soft">{describeHookState(hook)}</p>
      {mayChange && (
        <div class="flex gap-2">
          <ActionButton
            icon="key-round"
            run={() => internal('makePushSecret', { params })}
            done={(made) => setSecret(made.secret)}
            failed={t('No secret was created')}
            refreshes={['getPublishing']}
          >
            {hook.secretMadeAt === null ? t('Create a secret') : t('Replace the secret')}
          </ActionButton>
          {hook.secretMadeAt !== null && (
            <ActionButton
              look="quiet"
              run={() => internal('deletePushSecret', { params })}
              done={() => {
                setSecret(null)
                toast({ kind: 'done', title: t('Push webhooks are no longer accepted') })
              }}
              failed={t('The secret was not deleted')}
              refreshes={['getPublishing']}
            >
              {t('Remove')}
            </ActionButton>
          )}
        </div>
      )}
    </section>
  )
}

function describeHookState(hook: Publishing['hook']): string {
  if (hook.secretMadeAt === null) return t('No pushes are accepted until there is a secret.')
  if (hook.calledAt === null || hook.forge === null) return t('No message received yet.')
  return t('Last message from {forge}: {time}.', {
    forge: FORGES[hook.forge],
    time: formatRelativeTime(hook.calledAt),
  })
}
