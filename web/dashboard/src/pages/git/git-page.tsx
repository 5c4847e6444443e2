import { useQuery } from '@tanstack/react-query'
import { useState } from 'preact/hooks'
import type { GitCredential } from '../../../../../src/features/projects/operations/git-credentials.ts'
import { internal, internalKey, internalQuery } from '../../api/internal.ts'
import type { Preload } from '../../app/pages.tsx'
import { queryClient } from '../../app/query-client.ts'
import { useMembership } from '../../app/session.ts'
import { toast } from '../../app/toasts.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { PageBody, PageHeader, Section } from '../../ui/page.tsx'
import { EmptyState, Loaded, SkeletonRows } from '../../ui/states.tsx'
import { Table } from '../../ui/table.tsx'
import { LastUsed, RelativeTime } from '../../ui/time.tsx'
import { rich, t } from '../../words/words.ts'
import { TokenDialog } from './token-dialog.tsx'

export const preload: Preload = () => {
  void queryClient.prefetchQuery(internalQuery('listGitCredentials'))
  void queryClient.prefetchQuery(internalQuery('listMembers'))
}

export function GitPage() {
  const { name } = useMembership()
  const query = useQuery(internalQuery('listGitCredentials'))
  const [asked, setAsked] = useState<GitCredential | 'new' | null>(null)
  const [leaving, setLeaving] = useState<GitCredential | null>(null)
  const add = (
    <Button look="primary" icon="plus" onClick={() => setAsked('new')}>
      {t('Add a token')}
    </Button>
  )
  return (
    <>
      <PageHeader
        title={t('Git access')}
        about={name}
        actions={query.data?.credentials.length === 0 ? undefined : add}
      />
      <PageBody>
        <Loaded query={query} skeleton={<SkeletonRows label={t('Loading tokens')} />}>
          {({ credentials }) =>
            credentials.length === 0 ? (
              <EmptyState icon="git-branch" title={t('No tokens yet')} actions={add}>
                <p>
                  {t(
                    'A token lets Octavo read the private repositories of this organization, and push branches and open pull requests there. Public repositories are read without one.',
                  )}
                </p>
              </EmptyState>
            ) : (
              <TokenTable credentials={credentials} onReplace={setAsked} onDelete={setLeaving} />
            )
          }
        </Loaded>
      </PageBody>
      {asked !== null && (
        <TokenDialog credential={asked === 'new' ? null : asked} onClose={() => setAsked(null)} />
      )}
      {leaving !== null && (
        <ConfirmDialog
          title={t('Delete this token?')}
          name={leaving.prefix}
          action={t('Delete the token')}
          onClose={() => setLeaving(null)}
          onConfirm={async () => {
            await internal('deleteGitCredential', { params: { credentialId: leaving.id } })
            await queryClient.invalidateQueries({ queryKey: internalKey('listGitCredentials') })
            toast({ kind: 'done', title: t('The token for {prefix} is deleted', { prefix: leaving.prefix }) })
          }}
        >
          <p>
            {t(
              'Private repositories at {prefix} are no longer read or pushed to by this organization’s projects. Revoke the token at the forge too.',
              { prefix: leaving.prefix },
            )}
          </p>
        </ConfirmDialog>
      )}
    </>
  )
}

/** `name` is undefined for former members. */
function formatAdded(at: string, name: string | undefined) {
  const date = <RelativeTime at={at} />
  return name === undefined
    ? rich('{date} by a former member', { date })
    : rich('{date} by {name}', { date, name })
}

interface TableProps {
  credentials: readonly GitCredential[]
  onReplace: (credential: GitCredential) => void
  onDelete: (credential: GitCredential) => void
}

function TokenTable({ credentials, onReplace, onDelete }: TableProps) {
  const { data } = useQuery(internalQuery('listMembers'))
  const nameOf = (id: string) => data?.members.find(({ userId }) => userId === id)?.name
  return (
    <Section
      title={t('Tokens')}
      about={t(
        'Each token is sent to its own host only; of several that match, the one with the longest path is used. Only the last four characters are shown.',
      )}
    >
      <Table
        label={t('Tokens for git hosts')}
        rows={credentials}
        rowKey={({ id }) => id}
        columns={[
          {
            label: t('For', { context: 'token' }),
            isWide: true,
            cell: ({ prefix }) => (
              <span class="block truncate font-medium" title={prefix}>
                {prefix}
              </span>
            ),
          },
          {
            label: t('Token'),
            cell: ({ lastFour }) => <code class="font-mono text-12 text-soft">…{lastFour}</code>,
          },
          {
            label: t('Last used'),
            from: 'lg',
            cell: ({ lastUsedAt }) => <LastUsed at={lastUsedAt} />,
          },
          {
            label: t('Added'),
            from: 'xl',
            cell: ({ createdAt, replacedAt, createdBy }) => (
              <span class="text-soft">{formatAdded(replacedAt ?? createdAt, nameOf(createdBy))}</span>
            ),
          },
          {
            label: t('Change'),
            isBare: true,
            align: 'end',
            cell: (credential) => (
              <span class="flex gap-1">
                <Button size="small" look="quiet" onClick={() => onReplace(credential)}>
                  {t('Replace')}
                </Button>
                <Button size="small" look="quiet" onClick={() => onDelete(credential)}>
                  {t('Delete')}
                </Button>
              </span>
            ),
          },
        ]}
      />
    </Section>
  )
}
