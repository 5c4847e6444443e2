/** Insights: what to write next, traffic, and the activity of readers and their agents. */

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'preact/hooks'
import {
  INSIGHT_AUDIENCES,
  type InsightAudience,
  OVERVIEW_DAYS,
  type OverviewDays,
} from '../../../../../src/base/api/form-choices.ts'
import type { InsightRow, Insights } from '../../../../../src/features/analytics/operations/insights.ts'
import { internalQuery } from '../../api/internal.ts'
import { useCommands } from '../../app/commands.ts'
import { useProjectId, useProjectSummary } from '../../app/current-project.ts'
import { useEscapeTo } from '../../app/frame.tsx'
import type { Preload } from '../../app/pages.tsx'
import { queryClient } from '../../app/query-client.ts'
import { useQueryParameters } from '../../app/query-parameters.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Chart } from '../../ui/chart.tsx'
import { SegmentedControl } from '../../ui/choice.tsx'
import { classes } from '../../ui/classes.ts'
import { Select } from '../../ui/input.tsx'
import { PageBody, PageHeader } from '../../ui/page.tsx'
import { Panel } from '../../ui/panel.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { SplitView } from '../../ui/split-view.tsx'
import { ErrorState, Loaded, Skeleton } from '../../ui/states.tsx'
import { plural, t } from '../../words/words.ts'
import { StaleTranslations } from '../statements/statement-notes.tsx'
import { AssistantSection } from './assistant-section.tsx'
import { AUDIENCE_LABELS, isListShownFor, SHOW_AUDIENCE_LABELS } from './insight-labels.ts'
import { InsightSections, InsightsSkeleton } from './insight-sections.tsx'
import { CountingNotice, NothingCounted } from './insights-empty.tsx'
import {
  createInsightLinks,
  DEFAULT_INSIGHT_DAYS,
  type InsightLinks,
  type InsightPeriod,
  type OpenPanel,
  parseOpenPanel,
  parsePeriod,
} from './insights-url.ts'
import { formatPeriod, InsightRows, ListPanel, NamePanel, Part, useInsightRows } from './rows-panel.tsx'

/** Polling interval; new data is available within seconds. */
const POLL_INTERVAL_MS = 60_000

function insightsQuery(projectId: string, period: InsightPeriod) {
  return internalQuery('getInsights', { params: { projectId }, query: { ...period } })
}

export const preload: Preload = ({ params, search }) => {
  void queryClient.prefetchQuery(insightsQuery(params.projectId ?? '', parsePeriod(search)))
}

export function InsightsPage() {
  const projectId = useProjectId()
  const [parameters, change] = useQueryParameters()
  const period = parsePeriod(parameters)
  const shown = parseOpenPanel(parameters)
  const links = createInsightLinks(projectId, period)
  const query = useQuery({
    ...insightsQuery(projectId, period),
    placeholderData: keepPreviousData,
    refetchInterval: POLL_INTERVAL_MS,
  })
  const { data, error, refetch, isPlaceholderData } = query
  useEscapeTo(shown === null ? `/p/${projectId}` : links.page)
  const show = ({ days, audience }: Partial<InsightPeriod>) =>
    change(
      {
        ...(days === undefined ? {} : { days: days === DEFAULT_INSIGHT_DAYS ? undefined : days }),
        ...(audience === undefined ? {} : { audience: audience === 'all' ? undefined : audience }),
      },
      { replace: true },
    )
  useInsightCommands(period, show)
  const isEmpty = data !== undefined && !data.hasAny
  return (
    <div class="flex min-h-0 flex-1 flex-col">
      <div class={shown === null ? 'contents' : 'contents max-md:hidden'}>
        <PageHeader
          title={t('Insights')}
          about={t('How readers use the site, counted without cookies.')}
          actions={!isEmpty && <Filters period={period} onChange={show} />}
        />
      </div>
      <SplitView
        name="insights"
        backHref={links.page}
        backLabel={t('Insights')}
        list={
          <PageBody>
            {data === undefined && error !== null && <ErrorState error={error} onRetry={refetch} />}
            {data === undefined && error === null && <InsightsSkeleton />}
            {data !== undefined && (
              <div
                class={classes('transition-opacity', isPlaceholderData && 'opacity-60')}
                aria-busy={isPlaceholderData}
              >
                <TrafficSections projectId={projectId} insights={data} links={links} />
              </div>
            )}
          </PageBody>
        }
        detail={
          shown === null || isEmpty ? null : (
            <Beside shown={shown} period={period} links={links} insights={data} />
          )
        }
      />
    </div>
  )
}

interface TrafficSectionsProps {
  projectId: string
  insights: Insights
  links: InsightLinks
}

function TrafficSections({ projectId, insights, links }: TrafficSectionsProps) {
  const { hasAny, counting } = insights
  if (!hasAny)
    return (
      <>
        <NothingCounted projectId={projectId} counting={counting} />
        <AssistantSection days={insights.days as OverviewDays} />
        <StaleTranslations projectId={projectId} />
      </>
    )
  return (
    <>
      <CountingNotice projectId={projectId} counting={counting} />
      <InsightSections insights={insights} links={links} />
      <StaleTranslations projectId={projectId} />
    </>
  )
}

function Filters({
  period,
  onChange,
}: {
  period: InsightPeriod
  onChange: (change: Partial<InsightPeriod>) => void
}) {
  return (
    <>
      <Select
        size="small"
        aria-label={t('Readers')}
        value={period.audience}
        options={INSIGHT_AUDIENCES.map((audience) => ({ value: audience, label: AUDIENCE_LABELS[audience] }))}
        onChange={(audience) => onChange({ audience: audience as InsightAudience })}
      />
      <SegmentedControl
        label={t('Period')}
        value={String(period.days)}
        choices={OVERVIEW_DAYS.map((days) => ({
          value: String(days),
          label: plural(days, '{count} day', '{count} days'),
        }))}
        onChange={(days) => onChange({ days: Number(days) as OverviewDays })}
      />
    </>
  )
}

function useInsightCommands(period: InsightPeriod, show: (change: Partial<InsightPeriod>) => void): void {
  useCommands([
    ...OVERVIEW_DAYS.map((days) => ({
      id: `insights-${days}`,
      label: plural(days, 'Show the last {count} day', 'Show the last {count} days'),
      group: 'insights' as const,
      icon: 'calendar' as const,
      isOff: days === period.days,
      run: () => show({ days }),
    })),
    ...INSIGHT_AUDIENCES.map((audience) => ({
      id: `insights-${audience}`,
      label: SHOW_AUDIENCE_LABELS[audience],
      group: 'insights' as const,
      icon: 'users' as const,
      isOff: audience === period.audience,
      run: () => show({ audience }),
    })),
  ])
}

interface BesideProps {
  shown: OpenPanel
  period: InsightPeriod
  links: InsightLinks
  insights: Insights | undefined
}

function Beside({ shown, period, links, insights }: BesideProps) {
  const days = useMemo(() => insights?.series.map(({ date }) => date) ?? [], [insights])
  switch (shown.kind) {
    case 'page':
      return (
        <PagePanel
          path={shown.path}
          title={insights === undefined ? null : findPageTitle(insights, shown.path)}
          {...{ period, links, days }}
        />
      )
    case 'name':
      return <NamePanel list={shown.list} name={shown.name} {...{ period, links }} />
    case 'list':
      return <ListPanel list={shown.list} {...{ period, links }} />
  }
}

function findPageTitle({ lists, troubled }: Insights, path: string): string | null {
  const rows = [lists.pages, lists.rising, lists.falling, lists.copies].flat()
  const known = rows.find(({ name }) => name === path) ?? troubled.find((page) => page.path === path)
  return known?.title ?? null
}

const HEIGHT = 140
const ROWS = 10

const LISTS = [
  { list: 'referrers', title: t('Where its readers come from') },
  { list: 'searches', title: t('Searches on this page') },
  { list: 'agents', title: t('AI agents that read this page') },
  { list: 'outbound', title: t('Outbound links') },
  { list: 'copies', title: t('Code copied from this page') },
] as const

interface PagePanelProps {
  path: string
  title: string | null
  period: InsightPeriod
  links: InsightLinks
  /** Days of the period, oldest first. */
  days: readonly string[]
}

function PagePanel({ path, title, period, links, days }: PagePanelProps) {
  const url = useProjectSummary()?.url ?? null
  return (
    <Panel
      title={<PlainText text={title ?? path} />}
      about={title === null ? formatPeriod(period) : `${path} · ${formatPeriod(period)}`}
      closeHref={links.page}
      actions={
        <div class="flex gap-2">
          <ButtonLink size="small" icon="inbox" href={links.feedback(path)}>
            {t('Feedback')}
          </ButtonLink>
          {url !== null && (
            <ButtonLink size="small" icon="external-link" href={buildPageUrl(url, path)} target="_blank">
              {t('Open')}
            </ButtonLink>
          )}
        </div>
      }
    >
      <ViewsByDay path={path} period={period} days={days} />
      {LISTS.filter(({ list }) => isListShownFor(list, period.audience)).map(({ list, title: name }) => (
        <Part key={list} title={name}>
          <InsightRows
            period={period}
            asked={{ list, page: path, ...(list === 'copies' ? { by: 'day' as const } : {}) }}
            links={links}
            limit={ROWS}
          />
        </Part>
      ))}
    </Panel>
  )
}

interface ViewsByDayProps {
  path: string
  period: InsightPeriod
  days: readonly string[]
}

function ViewsByDay({ path, period, days }: ViewsByDayProps) {
  const rows = useInsightRows(period, { list: 'pages', page: path, by: 'day' }, period.days)
  return (
    <div class="mb-6">
      <Loaded query={rows} skeleton={<Skeleton class="h-[176px] w-full rounded-md" />} isSmall>
        {({ pages: [part] }) => <DayChart days={days} rows={part?.rows ?? []} />}
      </Loaded>
    </div>
  )
}

function DayChart({ days, rows }: { days: readonly string[]; rows: readonly InsightRow[] }) {
  const lines = useMemo(() => {
    const byDay = new Map(rows.map((row) => [row.name, row]))
    return [
      { label: t('Views'), colour: 1 as const, values: days.map((day) => byDay.get(day)?.now ?? 0) },
      { label: t('Visitors'), colour: 2 as const, values: days.map((day) => byDay.get(day)?.visitors ?? 0) },
    ]
  }, [days, rows])
  return <Chart label={t('Daily views and visitors of the page')} days={days} lines={lines} height={HEIGHT} />
}

/** Encodes the path, because paths are stored decoded. */
function buildPageUrl(url: string, path: string): string {
  return new URL(path.split('/').map(encodeURIComponent).join('/'), url).href
}
