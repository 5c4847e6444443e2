import { useQuery } from '@tanstack/react-query'
import type { GitCredential } from '../../../../../src/features/projects/operations/git-credentials.ts'
import { internal, internalKey, internalQuery } from '../../api/internal.ts'
import { confirmFirst, openDialog } from '../../app/dialogs.tsx'
import type { Preload } from '../../app/pages.tsx'
import { queryClient } from '../../app/query-client.ts'
import { useMembership } from '../../app/session.ts'
import { toast } from '../../app/toasts.ts'
import { Button } from '../../ui/button.tsx'
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

const editToken = (credential: GitCredential | null) =>
  openDialog((close) => <TokenDialog credential={credential} onClose={close} />)

export function GitPage() {
  const { name } = useMembership()
  const query = useQuery(internalQuery('listGitCredentials'))
  const add = (
    <Button look="primary" icon="plus" onClick={() => editToken(null)}>
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
                    'A token lets Octavo read the private repositories of this organization, and push branches and open pull requests there. Public repositories do not need one.',
                  )}
                </p>
              </EmptyState>
            ) : (
              <TokenTable credentials={credentials} />
            )
          }
        </Loaded>
      </PageBody>
    </>
  )
}

function deleteToken({ id, prefix }: GitCredential): void {
  confirmFirst({
    title: t('Delete this token?'),
    name: prefix,
    action: t('Delete the token'),
    text: t(
      'This organization’s projects can no longer read or push to private repositories at {prefix}. Also revoke the token at the forge.',
      { prefix },
    ),
    run: async () => {
      await internal('deleteGitCredential', { params: { credentialId: id } })
      await queryClient.invalidateQueries({ queryKey: internalKey('listGitCredentials') })
      toast({ kind: 'done', title: t('The token for {prefix} has been deleted', { prefix }) })
    },
  })
}

/** `name` is undefined for former members. */
function formatAdded(at: string, name: string | undefined) {
  const date = <RelativeTime at={at} />
  return name === undefined
    ? rich('{date} by a former member', { date })
    : rich('{date} by {name}', { date, name })
}

function TokenTable({ credentials }: { credentials: readonly GitCredential[] }) {
  const { data } = useQuery(internalQuery('listMembers'))
  const nameOf = (id: string) => data?.members.find(({ userId }) => userId === id)?.name
  return (
    <Section
      title={t('Tokens')}
      about={t(
        'Each token is sent only to its own host. If several match, the one with the longest path is used. Only the last four characters are shown.',
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
                <Button size="small" look="quiet" onClick={() => editToken(credential)}>
                  {t('Replace')}
                </Button>
                <Button size="small" look="quiet" onClick={() => deleteToken(credential)}>
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
