import { useQuery } from '@tanstack/react-query'
import { KEY_PREFIXES } from '../../../../../src/base/api/operation.ts'
import type { ApiKey } from '../../../../../src/features/accounts/operations/organization.ts'
import { internal, internalKey, internalQuery } from '../../api/internal.ts'
import { useCommands } from '../../app/commands.ts'
import { projectsQuery } from '../../app/current-project.ts'
import { confirmFirst } from '../../app/dialogs.tsx'
import type { Preload } from '../../app/pages.tsx'
import { queryClient } from '../../app/query-client.ts'
import { useDialogParameter } from '../../app/query-parameters.ts'
import { useHasPermission, useMembership, useSession } from '../../app/session.ts'
import { toast } from '../../app/toasts.ts'
import { SaveBar } from '../../forms/save-bar.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { CopyId } from '../../ui/copy.tsx'
import { FactRows } from '../../ui/fact.tsx'
import { PageBody, PageHeader, Section } from '../../ui/page.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { EmptyState, Loaded, SkeletonRows } from '../../ui/states.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { formatExactTime, formatTimeUntil, LastUsed, RelativeTime } from '../../ui/time.tsx'
import { plural, rich, t } from '../../words/words.ts'
import { ROLE_NAMES } from '../organization/role-labels.ts'
import { curlLine } from './curl-line.ts'
import { KeyLifetimes } from './key-lifetimes.tsx'
import { createKey } from './new-key-dialog.tsx'

export const preload: Preload = () => void queryClient.prefetchQuery(internalQuery('listApiKeys'))

const EXPIRING_SOON_MS = 14 * 86_400_000

export function KeysPage() {
  const { name } = useMembership()
  const query = useQuery(internalQuery('listApiKeys'))
  const mayMake = useHasPermission('apiKeys')
  useDialogParameter('new', mayMake ? createKey : null)
  useCommands([
    { id: 'new-key', label: t('New API key'), icon: 'plus', keys: 'c', isOff: !mayMake, run: createKey },
  ])
  return (
    <>
      <PageHeader
        title={t('API keys')}
        about={name}
        actions={
          mayMake &&
          // When there are no keys, the empty state has the create button.
          query.data?.keys.length !== 0 && (
            <Button look="primary" icon="plus" onClick={createKey}>
              {t('New key')}
            </Button>
          )
        }
      />
      <PageBody>
        <Loaded query={query} skeleton={<SkeletonRows label={t('Loading keys')} />}>
          {({ keys }) => (
            <>
              {keys.length === 0 ? <NoKeys onNew={mayMake ? createKey : null} /> : <KeyTable keys={keys} />}
              <KeyLifetimes keys={keys} />
            </>
          )}
        </Loaded>
        <ProjectIds />
        {mayMake && <FirstCallExample />}
        <SaveBar />
      </PageBody>
    </>
  )
}

function revokeKey({ id, name }: ApiKey): void {
  confirmFirst({
    title: t('Revoke this key?'),
    name,
    action: t('Revoke the key'),
    text: t('All programs that use “{name}” lose access immediately. This cannot be undone.', {
      name,
    }),
    run: async () => {
      await internal('revokeApiKey', { params: { keyId: id } })
      await queryClient.invalidateQueries({ queryKey: internalKey('listApiKeys') })
      toast({ kind: 'done', title: t('The key “{name}” is revoked', { name }) })
    },
  })
}

/** `onNew` is null for members who may not create keys. */
function NoKeys({ onNew }: { onNew: (() => void) | null }) {
  return (
    <EmptyState
      icon="key-round"
      title={t('No keys yet')}
      actions={
        onNew !== null && (
          <Button look="primary" icon="plus" onClick={onNew}>
            {t('New key')}
          </Button>
        )
      }
    >
      <p>
        {t(
          'A key lets a program call the API for this organization: read feedback, start agent jobs and exports.',
        )}
      </p>
    </EmptyState>
  )
}

const COLUMNS: readonly Column<ApiKey>[] = [
  { label: t('Name'), isWide: true, cell: (key) => <KeyName apiKey={key} /> },
  {
    label: t('Key'),
    cell: ({ kind, lastFour }) => (
      <code class="font-mono text-12 text-soft">
        {KEY_PREFIXES[kind]}…{lastFour}
      </code>
    ),
  },
  {
    label: t('Access'),
    from: 'lg',
    cell: (key) => <span class="text-soft">{describeScopes(key)}</span>,
  },
  { label: t('Projects'), from: 'xl', cell: (key) => <Projects apiKey={key} /> },
  { label: t('Created by'), from: 'xl', cell: (key) => <KeyCreator apiKey={key} /> },
  {
    label: t('From', { context: 'addresses' }),
    from: '2xl',
    cell: ({ allowList }) => (
      <span class="text-soft" title={allowList.join('\n')}>
        {allowList.length > 1
          ? plural(allowList.length, '{count} range', '{count} ranges')
          : (allowList[0] ?? t('anywhere'))}
      </span>
    ),
  },
  { label: t('Last used'), from: 'lg', cell: ({ lastUsedAt }) => <LastUsed at={lastUsedAt} /> },
  {
    label: t('Created'),
    from: '2xl',
    cell: ({ createdAt }) => <RelativeTime at={createdAt} class="text-soft" />,
  },
]

function KeyTable({ keys }: { keys: readonly ApiKey[] }) {
  const revoke: Column<ApiKey> = {
    label: t('Revoke'),
    isBare: true,
    align: 'end',
    cell: (key) =>
      key.state === 'valid' && (
        <Button size="small" look="quiet" onClick={() => revokeKey(key)}>
          {t('Revoke')}
        </Button>
      ),
  }
  return (
    <Section title={t('Keys')} about={t('Only the last four characters of a key are shown.')}>
      <Table label={t('API keys')} rows={keys} rowKey={({ id }) => id} columns={[...COLUMNS, revoke]} />
    </Section>
  )
}

function KeyName({ apiKey }: { apiKey: ApiKey }) {
  const look = apiKey.state === 'valid' ? 'font-medium' : 'text-soft'
  return (
    <span class="flex flex-wrap items-center gap-x-2 gap-y-0.5 py-1.5">
      <span class={`max-w-full truncate ${look}`}>
        <PlainText text={apiKey.name} />
      </span>
      <KeyExpiry apiKey={apiKey} />
      {/* The columns of a wide table. */}
      <span class="basis-full text-12 whitespace-normal text-soft @xl:hidden">
        {describeScopes(apiKey)} · <PlainText text={describeProjects(apiKey)} />
        <span class="@lg:hidden">
          {' · '}
          {apiKey.lastUsedAt === null
            ? t('never used')
            : rich('last used {when}', { when: <RelativeTime at={apiKey.lastUsedAt} /> })}
        </span>
      </span>
    </span>
  )
}

function describeScopes({ kind, scopes }: ApiKey): string {
  return kind === 'assistant' ? t('assistant') : scopes.join(', ')
}

function describeProjects({ projects }: ApiKey): string {
  if (projects === null) return t('all projects')
  return projects.map(({ id, name }) => name ?? t('{id} (deleted)', { id })).join(', ')
}

function Projects({ apiKey }: { apiKey: ApiKey }) {
  const names = describeProjects(apiKey)
  return (
    <span class="block max-w-48 truncate text-soft" title={names}>
      <PlainText text={names} />
    </span>
  )
}

function KeyCreator({ apiKey: { maker, role } }: { apiKey: ApiKey }) {
  return (
    <span
      class="block max-w-40 truncate text-soft"
      title={
        role === null
          ? t('Created on the command line: its scopes define what it can do')
          : t('It can do what the role “{role}” allows', { role: ROLE_NAMES[role] })
      }
    >
      {maker === null ? t('command line') : <PlainText text={maker.name} />}
    </span>
  )
}

function KeyExpiry({ apiKey: { state, expiresAt, revokedAt } }: { apiKey: ApiKey }) {
  if (state === 'revoked')
    return <Badge title={revokedAt ? formatExactTime(revokedAt) : ''}>{t('revoked')}</Badge>
  if (expiresAt === null) return null
  if (state === 'expired') {
    return (
      <Badge tone="danger" title={formatExactTime(expiresAt)}>
        {t('expired')}
      </Badge>
    )
  }
  const isSoon = Date.parse(expiresAt) - Date.now() < EXPIRING_SOON_MS
  return (
    <Badge tone={isSoon ? 'warning' : 'neutral'} title={formatExactTime(expiresAt)}>
      {t('expires {when}', { when: formatTimeUntil(expiresAt) })}
    </Badge>
  )
}

function ProjectIds() {
  const { data } = useQuery(projectsQuery())
  if (data === undefined || data.projects.length === 0) return null
  return (
    <Section title={t('Project IDs')} about={t('API calls name a project by its ID.')}>
      <FactRows
        rows={data.projects.map(({ id, name }) => [
          name,
          <CopyId key={id} id={id} label={t('Copy the project ID')} />,
        ])}
      />
    </Section>
  )
}

function FirstCallExample() {
  const { publicUrl } = useSession()
  const { data } = useQuery(projectsQuery())
  return (
    <Section
      title={t('A first call')}
      about={t('Put the key into the variable OCTAVO_KEY and request the newest feedback.')}
    >
      <CodeBlock lang="shell" text={curlLine(publicUrl, data?.projects[0]?.id ?? '{projectId}')} />
    </Section>
  )
}
