import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { AuditQuery } from '../../../../../src/features/accounts/operations/organization.ts'
import type { AuditAction } from '../../../../../src/features/audit-actions.ts'
import { addressOf, internalPages, internalQuery } from '../../api/internal.ts'
import { caller } from '../../api/send.ts'
import { useCommands } from '../../app/commands.ts'
import { type QueryParameters, useQueryParameters } from '../../app/query-parameters.ts'
import { saveFile } from '../../app/save-file.ts'
import { useHasPermission, useMembership } from '../../app/session.ts'
import { toastFailure } from '../../app/toasts.ts'
import { Button } from '../../ui/button.tsx'
import { SearchInput, Select } from '../../ui/input.tsx'
import { Menu } from '../../ui/menu.tsx'
import { PageBody, PageHeader } from '../../ui/page.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { EmptyState, Loaded, SkeletonRows } from '../../ui/states.tsx'
import { t } from '../../words/words.ts'
import { DateFilter } from '../date-filter.tsx'
import { useDebouncedInput } from '../use-debounced-input.ts'
import { PROGRAM_NAMES, subjectDisplayName } from './audit-labels.tsx'
import { AuditRows } from './audit-rows.tsx'

/** Filter options: the part of an action before the dot. */
const ACTION_AREAS = [
  { value: 'agent_job', label: t('Agent jobs') },
  { value: 'api_key', label: t('API keys') },
  { value: 'audit', label: t('Audit log') },
  { value: 'deployment', label: t('Deployments') },
  { value: 'static_export', label: t('Exports') },
  { value: 'feedback', label: t('Feedback') },
  { value: 'feedback_label', label: t('Feedback labels') },
  { value: 'feedback_view', label: t('Feedback views') },
  { value: 'git_credential', label: t('Git access') },
  { value: 'invitation', label: t('Invitations') },
  { value: 'member', label: t('Members and sign-in') },
  { value: 'organization', label: t('Organization') },
  { value: 'passkey', label: t('Passkeys') },
  { value: 'project', label: t('Projects') },
  { value: 'second_factor', label: t('Two-step verification') },
  { value: 'session', label: t('Sessions') },
  { value: 'webhook', label: t('Webhooks') },
] as const satisfies readonly { value: Area; label: string }[]

type Area = AuditAction extends `${infer Before}.${string}` ? Before : never

const FORMAT_NAMES = { csv: 'CSV', jsonl: t('JSON lines') }
const FORMATS = [
  { format: 'csv', label: FORMAT_NAMES.csv, about: t('For a spreadsheet') },
  { format: 'jsonl', label: FORMAT_NAMES.jsonl, about: t('For a program') },
] as const

function toAuditQuery({ actor, action, subject, q, dateFrom, dateTo }: QueryParameters): AuditQuery {
  return Object.fromEntries(
    Object.entries({ actor, action, subject, q, dateFrom, dateTo }).filter(
      ([, value]) => value !== undefined && value !== '',
    ),
  )
}

export function AuditPage() {
  const { name } = useMembership()
  const [parameters, change] = useQueryParameters()
  const filters = toAuditQuery(parameters)
  const isFiltered = Object.keys(filters).length > 0
  const canSee = useHasPermission('audit')
  const list = useInfiniteQuery({ ...internalPages('listAudit', { query: filters }), enabled: canSee })
  const clear = () => change(Object.fromEntries(Object.keys(filters).map((name) => [name, undefined])))
  const download = async (format: 'csv' | 'jsonl') => {
    const path = addressOf('exportAudit', { query: { ...filters, format, bom: true } })
    const type = format === 'csv' ? 'text/csv' : 'application/x-ndjson'
    const name = `audit-${new Date().toISOString().slice(0, 10)}.${format}`
    await caller
      .stream({ method: 'GET', path })
      .then((stream) => saveFile(stream, { name, type }))
      .catch((error) => toastFailure(t('The audit log was not downloaded'), error))
  }
  useCommands([
    ...FORMATS.map(({ format, label }) => ({
      id: `audit-${format}`,
      label: t('Download as {format}', { format: label }),
      icon: 'download' as const,
      isOff: !canSee,
      run: () => void download(format),
    })),
    { id: 'audit-clear', label: t('Clear the filters'), icon: 'x', isOff: !isFiltered, run: clear },
  ])
  const rows = list.data?.pages.flatMap((page) => page.rows) ?? []
  const [first] = rows
  if (!canSee) return <NoAuditPermission organization={name} />
  return (
    <>
      <PageHeader
        isFull
        title={t('Audit log')}
        about={name}
        actions={<DownloadMenu onChoose={(format) => void download(format)} />}
      >
        <Filters
          parameters={parameters}
          // With this filter, all rows have the same subject.
          subjectName={first && subjectDisplayName(first)}
          onChange={change}
          onClear={isFiltered ? clear : null}
        />
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

function DownloadMenu({ onChoose }: { onChoose: (format: 'csv' | 'jsonl') => void }) {
  return (
    <Menu
      label={t('Download')}
      align="end"
      items={FORMATS.map(({ format, label, about }) => ({ label, about, run: () => onChoose(format) }))}
      trigger={(props) => (
        <Button {...props} icon="download">
          {t('Download')}
        </Button>
      )}
    />
  )
}

function NoAuditPermission({ organization }: { organization: string }) {
  return (
    <>
      <PageHeader title={t('Audit log')} about={organization} />
      <PageBody>
        <EmptyState icon="lock" title={t('Only admins and owners can view the audit log')}>
          <p>{t('It shows who signed in and who changed what. Ask an admin or owner for access.')}</p>
        </EmptyState>
      </PageBody>
    </>
  )
}

function Nothing({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) {
  return (
    <PageBody>
      <EmptyState
        icon="scroll-text"
        title={isFiltered ? t('Nothing matches these filters') : t('Nothing has happened yet')}
        actions={isFiltered && <Button onClick={onClear}>{t('Clear the filters')}</Button>}
      >
        <p>{t('Sign-ins and changes to members, keys, settings and webhooks show up here.')}</p>
      </EmptyState>
    </PageBody>
  )
}

interface FilterProps {
  parameters: QueryParameters
  subjectName: string | undefined
  onChange: (changes: Record<string, string | undefined>, more?: { replace?: boolean }) => void
}

function useActors(): readonly Option[] {
  const { data } = useQuery(internalQuery('listMembers'))
  return [
    { value: '', label: t('Anyone') },
    ...(data?.members ?? []).map(({ userId, name }) => ({ value: userId, label: name })),
    ...Object.entries(PROGRAM_NAMES).map(([value, label]) => ({ value, label })),
  ]
}

function TextFilters({ parameters: { q = '', subject = '' }, subjectName = subject, onChange }: FilterProps) {
  const [typed, setTyped] = useDebouncedInput(q, (text) => onChange({ q: text }, { replace: true }))
  return (
    <>
      <SearchInput
        aria-label={t('Search in the log')}
        placeholder={t('Name, ID or detail')}
        class="max-w-72 min-w-40 flex-1 max-md:col-span-2 max-md:max-w-none"
        maxLength={200}
        value={typed}
        onInput={(event) => setTyped(event.currentTarget.value)}
        onClear={() => setTyped('')}
      />
      {subject !== '' && (
        <Button size="small" icon="x" title={subject} onClick={() => onChange({ subject: undefined })}>
          <span class="max-w-56 truncate" dir="auto">
            <PlainText text={subjectName} />
          </span>
        </Button>
      )}
    </>
  )
}

function Filters({
  parameters,
  subjectName,
  onChange,
  onClear,
}: {
  onClear: (() => void) | null
} & FilterProps) {
  const { actor = '', action = '', dateFrom = '', dateTo = '' } = parameters
  const actors = useActors()
  const select = { size: 'small', isFluid: true } as const
  return (
    <div
      class="flex flex-wrap items-center gap-2 pb-3 max-md:grid max-md:grid-cols-2"
      role="search"
      aria-label={t('Filters')}
    >
      <Select
        {...select}
        class="w-40 max-md:w-full"
        aria-label={t('Who')}
        value={actor}
        options={includeValue(actors, actor)}
        onChange={(value) => onChange({ actor: value })}
      />
      <Select
        {...select}
        class="w-36 max-md:w-full"
        aria-label={t('What')}
        value={action}
        options={includeValue([{ value: '', label: t('Anything') }, ...ACTION_AREAS], action)}
        onChange={(value) => onChange({ action: value })}
      />
      <TextFilters parameters={parameters} subjectName={subjectName} onChange={onChange} />
      <div class="flex items-center gap-2 max-md:contents">
        <DateFilter
          label={t('From', { context: 'date' })}
          date={dateFrom}
          onChange={(date) => onChange({ dateFrom: date })}
        />
        <DateFilter
          label={t('Before', { context: 'date' })}
          date={dateTo}
          onChange={(date) => onChange({ dateTo: date })}
        />
      </div>
      {onClear && (
        <Button size="small" look="quiet" icon="x" onClick={onClear}>
          {t('Clear')}
        </Button>
      )}
    </div>
  )
}

interface Option {
  value: string
  label: string
}

function includeValue(options: readonly Option[], value: string): readonly Option[] {
  return options.some((option) => option.value === value) ? options : [...options, { value, label: value }]
}
