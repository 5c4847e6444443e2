import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { AuditQuery } from '../../../../../src/contract/dashboard-organization.ts'
import { addressOf, internalPages, internalQuery } from '../../api/internal.ts'
import { type QueryParameters, useQueryParameters } from '../../app/address.ts'
import { useCommands } from '../../app/commands.ts'
import { useMayDo, useMembership } from '../../app/session.ts'
import { Button } from '../../ui/button.tsx'
import { Input, Select } from '../../ui/input.tsx'
import { Menu } from '../../ui/menu.tsx'
import { PageHeader } from '../../ui/page.tsx'
import { EmptyState, Loaded, SkeletonRows } from '../../ui/states.tsx'
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

const FORMATS = [
  { format: 'csv', label: 'CSV', about: 'For a spreadsheet' },
  { format: 'jsonl', label: 'JSON lines', about: 'For a program' },
] as const

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
  const list = useInfiniteQuery({ ...internalPages('listAudit', { query: filters }), enabled: canSee })
  const clear = () => change(Object.fromEntries(Object.keys(filters).map((name) => [name, undefined])))
  const download = (format: 'csv' | 'jsonl') =>
    void downloadAudit(addressOf('exportAudit', { query: { ...filters, format } }), format)
  useCommands([
    ...FORMATS.map(({ format, label }) => ({
      id: `audit-${format}`,
      label: `Download as ${label}`,
      icon: 'download' as const,
      isOff: !canSee,
      run: () => download(format),
    })),
    { id: 'audit-clear', label: 'Clear the filters', icon: 'x', isOff: !isFiltered, run: clear },
  ])
  const rows = list.data?.pages.flatMap((page) => page.rows) ?? []
  if (!canSee) return <NotForYou organization={name} />
  return (
    <>
      <PageHeader
        width="full"
        title="Audit log"
        about={name}
        actions={
          <Menu
            label="Download"
            align="end"
            items={FORMATS.map(({ format, label, about }) => ({
              label,
              about,
              run: () => download(format),
            }))}
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
      <Loaded query={list} skeleton={<SkeletonRows count={10} />}>
        {() =>
          rows.length === 0 ? (
            <Nothing isFiltered={isFiltered} onClear={clear} />
          ) : (
            <AuditRows
              rows={rows}
              isMore={list.hasNextPage}
              onMore={() => void (list.hasNextPage && !list.isFetchingNextPage && list.fetchNextPage())}
              onActor={(actor) => change({ actor })}
            />
          )
        }
      </Loaded>
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
  const { actor = '', action = '', subject = '' } = parameters
  const actors = [
    { value: '', label: 'Anyone' },
    ...(data?.members ?? []).map(({ userId, name }) => ({ value: userId, label: name })),
    { value: 'cli', label: 'Command line' },
    { value: 'system', label: 'The server' },
  ]
  const actions = [
    { value: '', label: 'Anything' },
    ...FIRST_PARTS.map((part) => ({ value: part, label: part.replace('_', ' ') })),
  ]
  const select = { size: 'small', isFluid: true } as const
  const date = (name: 'dateFrom' | 'dateTo', label: string) => (
    <Input
      type="date"
      aria-label={label}
      size="small"
      class="w-36! max-md:w-full!"
      value={parameters[name] ?? ''}
      onChange={(event) => onChange({ [name]: event.currentTarget.value })}
    />
  )
  return (
    <div
      class="flex flex-wrap items-center gap-2 pb-3 max-md:grid max-md:grid-cols-2"
      role="search"
      aria-label="Filters"
    >
      <Select
        {...select}
        class="w-48 max-md:w-full"
        aria-label="Who"
        value={actor}
        options={withValue(actors, actor)}
        onChange={(value) => onChange({ actor: value })}
      />
      <Select
        {...select}
        class="w-36 max-md:w-full"
        aria-label="What"
        value={action}
        options={withValue(actions, action)}
        onChange={(value) => onChange({ action: value })}
      />
      <Input
        aria-label="Subject"
        placeholder="Id or host name"
        size="small"
        class="w-48! max-md:col-span-2 max-md:w-full!"
        value={subject}
        onChange={(event) => onChange({ subject: event.currentTarget.value.trim() })}
      />
      {date('dateFrom', 'From')}
      <span class="text-faint max-md:hidden" aria-hidden="true">
        –
      </span>
      {date('dateTo', 'Until before')}
      {onClear && (
        <Button size="small" look="quiet" icon="x" onClick={onClear}>
          Clear
        </Button>
      )}
    </div>
  )
}

interface Option {
  value: string
  label: string
}

/** What an address asks for is shown, also when it is in no list. */
function withValue(options: readonly Option[], value: string): readonly Option[] {
  return options.some((option) => option.value === value) ? options : [...options, { value, label: value }]
}
