import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { AuditQuery } from '../../../../../src/contract/dashboard-organization.ts'
import { addressOf, internal, internalKey, internalQuery } from '../../api/internal.ts'
import { type QueryParameters, useQueryParameters } from '../../app/address.ts'
import { useCommands } from '../../app/commands.ts'
import { useMayDo, useMembership } from '../../app/session.ts'
import { Button } from '../../ui/button.tsx'
import { Input, Select } from '../../ui/input.tsx'
import { Menu } from '../../ui/menu.tsx'
import { PageHeader } from '../../ui/page.tsx'
import { EmptyState, ErrorState, SkeletonRows } from '../../ui/states.tsx'
import { AuditRows } from './audit-rows.tsx'
import { downloadAudit } from './download-audit.ts'

const FIRST_PARTS = [
  'api_key',
  'project',
  'organization',
  'member',
  'invitation',
  'session',
  'webhook',
  'feedback',
  'agent_job',
  'export',
  'deployment',
]

function filtersOf({ actor, action, subject, dateFrom, dateTo }: QueryParameters): AuditQuery {
  return Object.fromEntries(
    Object.entries({ actor, action, subject, dateFrom, dateTo }).filter(
      ([, value]) => value !== undefined && value !== '',
    ),
  )
}

export function AuditPage() {
  const { name } = useMembership()
  const [parameters, change] = useQueryParameters()
  const filters = filtersOf(parameters)
  const isFiltered = Object.keys(filters).length > 0
  const canSee = useMayDo('audit')
  const list = useInfiniteQuery({
    queryKey: internalKey('listAudit', { query: filters }),
    queryFn: ({ pageParam, signal }) =>
      internal(
        'listAudit',
        { query: { ...filters, ...(pageParam === null ? {} : { cursor: pageParam }) } },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.nextCursor,
    enabled: canSee,
  })
  const clear = () =>
    change({
      actor: undefined,
      action: undefined,
      subject: undefined,
      dateFrom: undefined,
      dateTo: undefined,
    })
  const download = (format: 'csv' | 'jsonl') =>
    void downloadAudit(addressOf('exportAudit', { query: { ...filters, format } }), format)
  useCommands([
    {
      id: 'audit-csv',
      label: 'Download as CSV',
      icon: 'download',
      isOff: !canSee,
      run: () => download('csv'),
    },
    {
      id: 'audit-jsonl',
      label: 'Download as JSON lines',
      icon: 'download',
      isOff: !canSee,
      run: () => download('jsonl'),
    },
    { id: 'audit-clear', label: 'Clear the filters', icon: 'x', isOff: !isFiltered, run: clear },
  ])
  const rows = list.data?.pages.flatMap((page) => page.rows) ?? []
  if (!canSee) return <NotForYou organization={name} />
  return (
    <>
      <PageHeader
        title="Audit log"
        about={name}
        actions={
          <Menu
            label="Download"
            align="end"
            items={[
              { label: 'CSV', about: 'For a spreadsheet', run: () => download('csv') },
              { label: 'JSON lines', about: 'For a program', run: () => download('jsonl') },
            ]}
            trigger={(props) => (
              <Button {...props} icon="download">
                Download
              </Button>
            )}
          />
        }
      >
        <Filters parameters={parameters} onChange={change} onClear={isFiltered ? clear : null} />
      </PageHeader>
      {list.error !== null && <ErrorState error={list.error} onRetry={list.refetch} />}
      {list.data === undefined && list.error === null && <SkeletonRows count={10} />}
      {list.data && rows.length === 0 && <Nothing isFiltered={isFiltered} onClear={clear} />}
      {rows.length > 0 && (
        <AuditRows
          rows={rows}
          isMore={list.hasNextPage}
          onMore={() => void (list.hasNextPage && !list.isFetchingNextPage && list.fetchNextPage())}
          onActor={(actor) => change({ actor })}
        />
      )}
    </>
  )
}

function NotForYou({ organization }: { organization: string }) {
  return (
    <>
      <PageHeader title="Audit log" about={organization} />
      <EmptyState icon="lock" title="Admins and owners see the audit log">
        <p>It says who signed in and who changed what. Ask one of them for the role.</p>
      </EmptyState>
    </>
  )
}

function Nothing({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) {
  return (
    <EmptyState
      icon="scroll-text"
      title={isFiltered ? 'Nothing matches these filters' : 'Nothing has happened yet'}
      actions={isFiltered && <Button onClick={onClear}>Clear the filters</Button>}
    >
      <p>Here stands who signed in, and who changed what: members, keys, settings, webhooks.</p>
    </EmptyState>
  )
}

function Filters({
  parameters,
  onChange,
  onClear,
}: {
  parameters: QueryParameters
  onChange: (changes: Record<string, string | undefined>, more?: { replace?: boolean }) => void
  onClear: (() => void) | null
}) {
  const { data } = useQuery(internalQuery('listMembers'))
  const actors = [
    { value: '', label: 'Anyone' },
    ...(data?.members ?? []).map(({ userId, name }) => ({ value: userId, label: name })),
    { value: 'cli', label: 'Command line' },
    { value: 'system', label: 'The server' },
  ]
  const known = actors.some(({ value }) => value === (parameters.actor ?? ''))
  return (
    <div
      class="flex flex-wrap items-center gap-2 pb-3 max-md:grid max-md:grid-cols-2"
      role="search"
      aria-label="Filters"
    >
      <Select
        size="small"
        isFluid
        class="w-48 max-md:w-full"
        aria-label="Who"
        value={parameters.actor ?? ''}
        options={
          known ? actors : [...actors, { value: parameters.actor ?? '', label: parameters.actor ?? '' }]
        }
        onChange={(actor) => onChange({ actor })}
      />
      <Select
        size="small"
        isFluid
        class="w-36 max-md:w-full"
        aria-label="What"
        value={parameters.action ?? ''}
        options={[
          { value: '', label: 'Anything' },
          ...FIRST_PARTS.map((part) => ({ value: part, label: part.replace('_', ' ') })),
        ].concat(
          parameters.action && !FIRST_PARTS.includes(parameters.action)
            ? [{ value: parameters.action, label: parameters.action }]
            : [],
        )}
        onChange={(action) => onChange({ action })}
      />
      <Input
        aria-label="Subject"
        placeholder="Id or host name"
        size="small"
        class="w-48! max-md:col-span-2 max-md:w-full!"
        value={parameters.subject ?? ''}
        onChange={(event) => onChange({ subject: event.currentTarget.value.trim() })}
      />
      <Input
        type="date"
        aria-label="From"
        size="small"
        class="w-36! max-md:w-full!"
        value={parameters.dateFrom ?? ''}
        onChange={(event) => onChange({ dateFrom: event.currentTarget.value })}
      />
      <span class="text-faint max-md:hidden" aria-hidden="true">
        –
      </span>
      <Input
        type="date"
        aria-label="Until before"
        size="small"
        class="w-36! max-md:w-full!"
        value={parameters.dateTo ?? ''}
        onChange={(event) => onChange({ dateTo: event.currentTarget.value })}
      />
      {onClear && (
        <Button size="small" look="quiet" icon="x" onClick={onClear}>
          Clear
        </Button>
      )}
    </div>
  )
}
