/** The key that signs the agent's commits: shown in its public part, made anew, removed. */

import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'preact/hooks'
import { octavo } from '../../api/octavo.ts'
import { queryClient } from '../../app/query-client.ts'
import { useHasPermission } from '../../app/session.ts'
import { toast, toastFailure } from '../../app/toasts.ts'
import { Button } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { FieldSet } from '../../ui/field.tsx'
import { Loaded, SkeletonRows } from '../../ui/states.tsx'
import { t } from '../../words/words.ts'

const commitKeyQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['getCommitKey', projectId],
    queryFn: () => octavo.call('getCommitKey', { params: { projectId } }),
  })

type Change = 'makeCommitKey' | 'removeCommitKey'

export function CommitKeySection({ projectId }: { projectId: string }) {
  const mayChange = useHasPermission('projects')
  const query = useQuery(commitKeyQuery(projectId))
  const [asked, setAsked] = useState<Change | null>(null)
  const [isBusy, setBusy] = useState(false)
  const change = async (what: Change) => {
    queryClient.setQueryData(
      commitKeyQuery(projectId).queryKey,
      await octavo.call(what, { params: { projectId } }),
    )
    toast({
      kind: 'done',
      title:
        what === 'makeCommitKey' ? t('Commits are signed from now on') : t('Commits are not signed any more'),
    })
  }
  const makeFirst = async () => {
    setBusy(true)
    try {
      await change('makeCommitKey')
    } catch (error) {
      toastFailure(t('The key was not made'), error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <div class="mt-8">
      <FieldSet
        label={t('Signed commits')}
        hint={t(
          'With a key, every commit of the agent carries an SSH signature. The private key stays on the server, encrypted.',
        )}
      >
        <Loaded query={query} skeleton={<SkeletonRows label={t('Loading the signing key')} />}>
          {({ commitKey }) =>
            commitKey === null ? (
              <Button disabled={!mayChange} isBusy={isBusy} onClick={makeFirst}>
                {t('Make a signing key')}
              </Button>
            ) : (
              <>
                <p class="mb-2 text-13 text-soft">
                  {t(
                    'Add this public key at the forge, as a signing key of the account whose e-mail address the commits have.',
                  )}
                </p>
                <CodeBlock text={commitKey.publicKey} />
                <p class="mt-2 mb-3 font-mono text-12 text-soft">{commitKey.fingerprint}</p>
                {mayChange && (
                  <div class="flex flex-wrap gap-2">
                    <Button onClick={() => setAsked('makeCommitKey')}>{t('Replace the key')}</Button>
                    <Button look="quiet" onClick={() => setAsked('removeCommitKey')}>
                      {t('Remove the key')}
                    </Button>
                  </div>
                )}
              </>
            )
          }
        </Loaded>
      </FieldSet>
      {asked !== null && (
        <ConfirmDialog
          title={asked === 'makeCommitKey' ? t('Replace the signing key?') : t('Remove the signing key?')}
          action={asked === 'makeCommitKey' ? t('Replace it') : t('Remove it')}
          onClose={() => setAsked(null)}
          onConfirm={() => change(asked)}
        >
          <p>
            {asked === 'makeCommitKey'
              ? t(
                  'Later commits are signed with the new key, which the forge must know. Earlier ones stay verified as long as the forge keeps the old one.',
                )
              : t('Later commits are not signed: branches that demand signatures refuse them.')}
          </p>
        </ConfirmDialog>
      )}
    </div>
  )
}
