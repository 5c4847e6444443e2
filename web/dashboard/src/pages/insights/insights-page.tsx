/** Insights: what to write next, traffic, and the activity of readers and their agents. */

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'preact/hooks'
import {
  INSIGHT_AUDIENCES,
  type InsightAudience,
  OVERVIEW_DAYS,
  type OverviewDays,
} from '../../../../../src/base/api/form-choices.ts'
import type { Insights } from '../../../../../src/features/analytics/operations/insights.ts'
import { internalQuery } from '../../api/internal.ts'
import { useCommands } from '../../app/commands.ts'
import { useProjectId } from '../../app/current-project.ts'
import { useEscapeTo } from '../../app/frame.tsx'
import type { Preload } from '../../app/pages.tsx'
import { queryClient } from '../../app/query-client.ts'
import { useQueryParameters } from '../../app/query-parameters.ts'
import { SegmentedControl } from '../../ui/choice.tsx'
import { classes } from '../../ui/classes.ts'
import { Select } from '../../ui/input.tsx'
import { PageBody, PageHeader } from '../../ui/page.tsx'
import { SplitView } from '../../ui/split-view.tsx'
import { ErrorState } from '../../ui/states.tsx'
import { plural, t } from '../../words/words.ts'
import { AssistantSection } from './assistant-section.tsx'
import { AUDIENCE_LABELS, SHOW_AUDIENCE_LABELS } from './insight-labels.ts'
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
import { PagePanel } from './page-panel.tsx'
import { ListPanel, NamePanel } from './rows-panel.tsx'

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
          about={t('How the site is read, counted without cookies.')}
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
                <Counted projectId={projectId} insights={data} links={links} />
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

function Counted({
  projectId,
  insights,
  links,
}: {
  projectId: string
  insights: Insights
  links: InsightLinks
}) {
  const { hasAny, counting } = insights
  if (!hasAny)
    return (
      <>
        <NothingCounted projectId={projectId} counting={counting} />
        <AssistantSection days={insights.days as OverviewDays} />
      </>
    )
  return (
    <>
      <CountingNotice projectId={projectId} counting={counting} />
      <InsightSections insights={insights} links={links} />
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

function Beside({
  shown,
  period,
  links,
  insights,
}: {
  shown: OpenPanel
  period: InsightPeriod
  links: InsightLinks
  insights: Insights | undefined
}) {
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

/** Returns the title of a page if it is in one of the lists. */
function findPageTitle({ lists, troubled }: Insights, path: string): string | null {
  const rows = [lists.pages, lists.rising, lists.falling, lists.copies].flat()
  const known = rows.find(({ name }) => name === path) ?? troubled.find((page) => page.path === path)
  return known?.title ?? null
}
