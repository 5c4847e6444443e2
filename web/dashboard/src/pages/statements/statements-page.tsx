/** Statements of the docs about code: the totals, and counts by state for each page or code file. */

import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { StatementSummary } from '../../../../../src/features/statements/operations/statements.ts'
import { internal, internalQuery } from '../../api/internal.ts'
import { useAction } from '../../app/action.tsx'
import { useProjectId } from '../../app/current-project.ts'
import { queryClient } from '../../app/query-client.ts'
import { useQueryParameters } from '../../app/query-parameters.ts'
import { useHasPermission } from '../../app/session.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Notice } from '../../ui/card.tsx'
import { SegmentedControl } from '../../ui/choice.tsx'
import { Link } from '../../ui/link.tsx'
import { formatCount } from '../../ui/numbers.ts'
import { PageBody, PageHeader, Section } from '../../ui/page.tsx'
import { EmptyState, Loaded, SkeletonRows } from '../../ui/states.tsx'
import { Switch } from '../../ui/switch.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { formatRelativeTime } from '../../ui/time.tsx'
import { plural, t } from '../../words/words.ts'
import { Figure, FigureGrid } from '../figure.tsx'
import { StatementRows } from './statement-rows.tsx'

const VIEWS = [
  { value: 'pages', label: t('By page') },
  { value: 'files', label: t('By file') },
] as const

function summaryQuery(projectId: string) {
  return internalQuery('getStatementSummary', { params: { projectId } })
}

export function preload({ params }: { params: Record<string, string> }): void {
  void queryClient.prefetchQuery(summaryQuery(params.projectId ?? ''))
}

export function StatementsPage() {
  const projectId = useProjectId()
  const [parameters, change] = useQueryParameters()
  const query = useQuery(summaryQuery(projectId))
  const { page, file, state } = parameters
  const view = parameters.by === 'files' ? 'files' : 'pages'
  const here = `/p/${projectId}/statements`
  const isList = page !== undefined || file !== undefined || state !== undefined
  const name = page ?? file ?? STATE_LABELS[state as keyof typeof STATE_LABELS] ?? t('Statements')
  return (
    <>
      <PageHeader
        title={isList ? name : t('Statements')}
        {...(isList && { back: { href: here, label: t('Statements') } })}
        about={
          <p class="max-md:hidden">
            {t('What the docs say about code, and the lines of code that each statement is based on.')}
          </p>
        }
        actions={
          !isList && (
            <SegmentedControl
              label={t('Statements')}
              choices={VIEWS}
              value={view}
              onChange={(by) => change({ by: by === 'files' ? by : undefined })}
            />
          )
        }
      />
      <PageBody>
        {isList ? (
          <StatementRows projectId={projectId} query={{ page, file, state }} />
        ) : (
          <Loaded query={query} skeleton={<SkeletonRows />}>
            {(summary) => <Summary here={here} summary={summary} view={view} />}
          </Loaded>
        )}
      </PageBody>
    </>
  )
}

const STATE_LABELS = { in_doubt: t('In doubt'), confirmed: t('Confirmed'), bound: t('Bound') } as const

interface SummaryProps {
  here: string
  summary: StatementSummary
  view: 'pages' | 'files'
}

function Summary(props: SummaryProps) {
  const { translations } = props.summary
  return (
    <>
      <Code {...props} />
      {translations.length > 0 && (
        <Section
          title={plural(translations.length, '{count} stale translation', '{count} stale translations')}
        >
          <ul
            class="divide-y divide-line rounded-md border border-line bg-raised"
            aria-label={t('Stale translations')}
          >
            {translations.map(({ file, message }) => (
              <li key={file} class="px-4 py-2 text-13 break-words">
                <span class="block font-mono text-12">{file}</span>
                <span class="text-soft">{message}</span>
              </li>
            ))}
          </ul>
        </Section>
      )}
    </>
  )
}

function Code({ here, summary, view }: SummaryProps) {
  const projectId = useProjectId()
  const { checkedAt, error, repositories, totals } = summary
  if (repositories === 0)
    return (
      <EmptyState
        icon="link"
        title={t('No code repository')}
        actions={<ButtonLink href={`/p/${projectId}/settings/code`}>{t('Code repositories')}</ButtonLink>}
      >
        <p>
          {t(
            'Add the repositories that the docs describe. Each code change is then compared with the pages.',
          )}
        </p>
      </EmptyState>
    )
  if (checkedAt === null)
    return (
      <EmptyState
        icon="link"
        title={error === null ? t('The first check is under way') : t('Not checked yet')}
      >
        <p>{error ?? t('The pages and the code are read for the first time.')}</p>
      </EmptyState>
    )
  return (
    <div class="mb-10 space-y-6">
      {error !== null && (
        <Notice tone="warning" title={t('The last check ended early')}>
          {error}
        </Notice>
      )}
      <FigureGrid>
        <Figure
          label={t('In doubt')}
          value={formatCount(totals.inDoubt)}
          href={`${here}?state=in_doubt`}
          about={t('May be false')}
        />
        <Figure
          label={t('Confirmed')}
          value={formatCount(totals.confirmed)}
          href={`${here}?state=confirmed`}
          about={t('Reviewed by someone')}
        />
        <Figure
          label={t('Bound')}
          value={formatCount(totals.bound)}
          href={`${here}?state=bound`}
          about={t('Names found in the code')}
        />
        <Figure
          label={t('Statements')}
          value={formatCount(totals.statements)}
          href={here}
          about={plural(totals.pages, 'On {count} page', 'On {count} pages')}
        />
      </FigureGrid>
      {totals.statements === 0 ? (
        <EmptyState icon="link" title={t('No statement about code')}>
          <p>{t('Names, defaults and routes are counted if a page formats them as code.')}</p>
        </EmptyState>
      ) : (
        <>
          <Counts here={here} summary={summary} view={view} />
          <p class="text-13 text-faint">
            {t('Checked {time}. “Bound” does not prove that a statement is correct.', {
              time: formatRelativeTime(checkedAt),
            })}
          </p>
        </>
      )}
      <StatusSetting projectId={projectId} hasStatus={summary.hasStatus} />
    </div>
  )
}

interface CountRow {
  name: string
  href: string
  bound: number
  confirmed: number
  inDoubt: number
  total: number | null
}

function Counts({ here, summary, view }: SummaryProps) {
  const rows: CountRow[] =
    view === 'pages'
      ? summary.pages.map(({ page: name, ...counts }) => ({
          ...counts,
          name,
          href: toHref(here, 'page', name),
        }))
      : summary.files.map(({ file: name, ...counts }) => ({
          ...{ ...counts, name, total: null },
          href: toHref(here, 'file', name),
        }))
  const number = (label: string, key: 'bound' | 'confirmed' | 'inDoubt'): Column<CountRow> => ({
    ...{ label, align: 'end', cell: (row) => formatCount(row[key]) },
    ...(key === 'inDoubt' ? {} : { from: 'md' }),
  })
  const columns: Column<CountRow>[] = [
    {
      label: view === 'pages' ? t('Page') : t('File'),
      isWide: true,
      cell: ({ name, href }) => (
        <Link href={href} class="block truncate font-mono text-12" title={name} dir="auto">
          {name}
        </Link>
      ),
    },
    number(t('In doubt'), 'inDoubt'),
    number(t('Confirmed'), 'confirmed'),
    number(t('Bound'), 'bound'),
    ...(view === 'pages'
      ? [{ label: t('All'), align: 'end', cell: ({ total }: CountRow) => formatCount(total ?? 0) } as const]
      : []),
  ]
  const all = view === 'pages' ? summary.totals.pages : summary.totals.files
  return (
    <>
      <Table label={t('Statements')} columns={columns} rows={rows} rowKey={({ name }) => name} />
      {all > rows.length && (
        <p class="text-13 text-faint">{t('The first {count} of {all}.', { count: rows.length, all })}</p>
      )}
    </>
  )
}

function toHref(here: string, kind: 'page' | 'file', name: string): string {
  return `${here}?${new URLSearchParams({ [kind]: name })}`
}

function StatusSetting({ projectId, hasStatus }: { projectId: string; hasStatus: boolean }) {
  const queries = useQueryClient()
  const mayChange = useHasPermission('projects')
  const change = useAction({
    failed: t('The setting was not changed'),
    run: async () => {
      const body = { hasStatus: !hasStatus }
      await internal('updateStatementSettings', { params: { projectId }, body })
      await queries.invalidateQueries({ queryKey: ['getStatementSummary'] })
    },
  })
  return (
    <Section
      title={t('Pull requests in code repositories')}
      about={t(
        'One comment lists the statements that a pull request would make false. The repository must send its pull requests to the push webhook.',
      )}
    >
      <Switch
        label={t('Set a commit status')}
        about={t('It fails while a statement is in doubt.')}
        isOn={change.isPending ? !hasStatus : hasStatus}
        isOff={!mayChange}
        onChange={() => change.mutate()}
      />
    </Section>
  )
}
