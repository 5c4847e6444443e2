/** Key that signs the agent's commits: shows the public part, and replaces or removes the key. */

import { queryOptions, useQuery } from '@tanstack/react-query'
import { octavo } from '../../api/octavo.ts'
import { useAction } from '../../app/action.tsx'
import { confirmFirst } from '../../app/dialogs.tsx'
import { queryClient } from '../../app/query-client.ts'
import { useHasPermission } from '../../app/session.ts'
import { toast } from '../../app/toasts.ts'
import { Button } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { FieldSet } from '../../ui/field.tsx'
import { Loaded, SkeletonRows } from '../../ui/states.tsx'
import { t } from '../../words/words.ts'

const commitKeyQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['getCommitKey', projectId],
    queryFn: () => octavo.call('getCommitKey', { params: { projectId } }),
  })

async function changeKey(projectId: string, operation: 'makeCommitKey' | 'removeCommitKey'): Promise<void> {
  const changed = await octavo.call(operation, { params: { projectId } })
  queryClient.setQueryData(commitKeyQuery(projectId).queryKey, changed)
  toast({
    kind: 'done',
    title:
      operation === 'makeCommitKey' ? t('Commits are signed from now on') : t('Commits are no longer signed'),
  })
}

export function CommitKeySection({ projectId }: { projectId: string }) {
  const mayChange = useHasPermission('projects')
  const query = useQuery(commitKeyQuery(projectId))
  const create = useAction({
    failed: t('The key was not created'),
    run: () => changeKey(projectId, 'makeCommitKey'),
  })
  return (
    <div class="mt-8">
      <FieldSet
        label={t('Signed commits')}
        hint={t(
          'With a key, every commit by the agent has an SSH signature. The private key stays on the server, encrypted.',
        )}
      >
        <Loaded query={query} skeleton={<SkeletonRows label={t('Loading the signing key')} />}>
          {({ commitKey }) =>
            commitKey === null ? (
              <Button disabled={!mayChange} isBusy={create.isPending} onClick={() => create.mutate()}>
                {t('Create a signing key')}
              </Button>
            ) : (
              <>
                <p class="mb-2 text-13 text-soft">
                  {t(
                    'Add this public key on the forge as a signing key. Use the account that has the email address of the commits.',
                  )}
                </p>
                <CodeBlock text={commitKey.publicKey} />
                <p class="mt-2 mb-3 font-mono text-12 text-soft">{commitKey.fingerprint}</p>
                {mayChange && <KeyActions projectId={projectId} />}
              </>
            )
          }
        </Loaded>
      </FieldSet>
    </div>
  )
}

function KeyActions({ projectId }: { projectId: string }) {
  const replace = () =>
    confirmFirst({
      title: t('Replace the signing key?'),
      action: t('Replace it'),
      text: t(
        'Later commits are signed with the new key, which you must add on the forge. Earlier commits stay verified while the forge still has the old key.',
      ),
      run: () => changeKey(projectId, 'makeCommitKey'),
    })
  const remove = () =>
    confirmFirst({
      title: t('Remove the signing key?'),
      action: t('Remove it'),
      text: t('Later commits are not signed: branches that require signatures refuse them.'),
      run: () => changeKey(projectId, 'removeCommitKey'),
    })
  return (
    <div class="flex flex-wrap gap-2">
      <Button onClick={replace}>{t('Replace the key')}</Button>
      <Button look="quiet" onClick={remove}>
        {t('Remove the key')}
      </Button>
    </div>
  )
}
