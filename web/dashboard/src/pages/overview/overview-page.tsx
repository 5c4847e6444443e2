/** Overview of the project: feedback, open tasks and running jobs. */

import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense } from 'preact/compat'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { OVERVIEW_DAYS, type OverviewDays } from '../../../../../src/base/api/form-choices.ts'
import type { Overview } from '../../../../../src/features/dashboard/operations/overview.ts'
import { internalQuery } from '../../api/internal.ts'
import { useCommands } from '../../app/commands.ts'
import { useProjectId, useProjectSummary } from '../../app/current-project.ts'
import type { Preload } from '../../app/pages.tsx'
import { queryClient } from '../../app/query-client.ts'
import { type QueryParameters, useQueryParameters } from '../../app/query-parameters.ts'
import { Chart, type ChartLine } from '../../ui/chart.tsx'
import { SegmentedControl } from '../../ui/choice.tsx'
import { classes } from '../../ui/classes.ts'
import { Icon } from '../../ui/icon.tsx'
import { Link } from '../../ui/link.tsx'
import { formatCount, formatPercent } from '../../ui/numbers.ts'
import { PageBody, PageHeader } from '../../ui/page.tsx'
import { ErrorState, Skeleton } from '../../ui/states.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { plural, richPlural, t } from '../../words/words.ts'
import { NoFeedbackYet } from '../feedback/inbox-empty.tsx'
import { SOURCE_NAMES, SOURCES, STATUSES } from '../feedback/labels.ts'
import { Change, CountChange, Figure, FigureGrid, FigureSkeletons } from '../figure.tsx'
import { Work } from './work.tsx'
import { WorstPages } from './worst-pages.tsx'

const FirstSteps = lazy(async () => ({ default: (await import('./first-steps.tsx')).FirstSteps }))

const DEFAULT_DAYS: OverviewDays = 30

function overviewQuery(projectId: string, days: OverviewDays) {
  return {
    ...internalQuery('getOverview', { params: { projectId }, query: { days } }),
    meta: { live: ['feedback', 'agent_job', 'export', 'deployment', 'project'] },
  }
}

function parseDays({ days }: QueryParameters): OverviewDays {
  return OVERVIEW_DAYS.find((known) => String(known) === days) ?? DEFAULT_DAYS
}

export const preload: Preload = ({ params, search }) => {
  void queryClient.prefetchQuery(overviewQuery(params.projectId ?? '', parseDays(search)))
}

export function OverviewPage() {
  const projectId = useProjectId()
  const project = useProjectSummary()
  const [parameters, change] = useQueryParameters()
  const days = parseDays(parameters)
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...overviewQuery(projectId, days),
    placeholderData: keepPreviousData,
    // Expensive figures are cached by the server; refetch when newer figures are available.
    refetchInterval: ({ state }) => state.data?.newerInMs ?? false,
  })
  usePeriodPrefetch(projectId, days, data !== undefined)
  const show = (period: OverviewDays) =>
    change({ days: period === DEFAULT_DAYS ? undefined : period }, { replace: true })
  useCommands(
    OVERVIEW_DAYS.map((period) => ({
      id: `overview-${period}`,
      label: plural(period, 'Show the last {count} day', 'Show the last {count} days'),
      group: 'overview' as const,
      icon: 'calendar' as const,
      isOff: period === days,
      run: () => show(period),
    })),
  )
  return (
    <div class="flex min-h-0 flex-1 flex-col">
      <PageHeader
        title={t('Overview')}
        about={
          project?.url && (
            <Link look="quiet" href={project.url} target="_blank" class="inline-flex items-center gap-1">
              {project.url.replace(/^https?:\/\//, '')} <Icon name="arrow-up-right" size={12} />
            </Link>
          )
        }
        actions={
          <SegmentedControl
            label={t('Period')}
            value={String(days)}
            choices={periodChoices()}
            onChange={(value) => show(Number(value) as OverviewDays)}
          />
        }
      />
      <PageBody>
        {data === undefined && error !== null && <ErrorState error={error} onRetry={refetch} />}
        {data === undefined && error === null && (
          <div role="status" aria-label={t('Loading the overview')}>
            <FigureSkeletons />
            <div class="mt-8 h-[292px]">
              <Skeleton class="h-5 w-36" />
              <Skeleton class="mt-6 h-[220px] w-full" />
            </div>
            <div class="mt-8 grid gap-8 @xl:grid-cols-[minmax(0,7fr)_minmax(0,5fr)]">
              <Skeleton class="h-64 w-full" />
              <Skeleton class="h-64 w-full" />
            </div>
          </div>
        )}
        {data !== undefined && (
          <div
            class={classes('transition-opacity', isPlaceholderData && 'opacity-60')}
            aria-busy={isPlaceholderData}
          >
            <Health projectId={projectId} overview={data} />
          </div>
        )}
      </PageBody>
    </div>
  )
}

function periodChoices() {
  return OVERVIEW_DAYS.map((period) => ({
    value: String(period),
    label: plural(period, '{count} day', '{count} days'),
  }))
}

function Health({ projectId, overview }: { projectId: string; overview: Overview }) {
  const { votes, open } = overview
  const isSilent = votes.now.total + votes.before.total + open.pending + open.inProgress === 0
  return (
    <>
      <Suspense fallback={null}>
        <FirstSteps projectId={projectId} hasFeedback={!isSilent} />
      </Suspense>
      <Figures projectId={projectId} overview={overview} isSilent={isSilent} />
      {isSilent ? (
        <div class="mt-6 rounded-md border border-line">
          <NoFeedbackYet projectId={projectId} />
        </div>
      ) : (
        <FeedbackOverTime overview={overview} />
      )}
      <div class="mt-8 grid gap-8 @xl:grid-cols-[minmax(0,7fr)_minmax(0,5fr)]">
        <WorstPages projectId={projectId} overview={overview} />
        <Work projectId={projectId} overview={overview} />
      </div>
    </>
  )
}

function usePeriodPrefetch(projectId: string, days: OverviewDays, isReady: boolean): void {
  const client = useQueryClient()
  useEffect(() => {
    if (!isReady) return
    const later = setTimeout(() => {
      for (const period of OVERVIEW_DAYS)
        if (period !== days) void client.prefetchQuery(overviewQuery(projectId, period))
    }, 300)
    return () => clearTimeout(later)
  }, [client, projectId, days, isReady])
}

const CHART_BREAKDOWNS = {
  vote: { label: t('Votes'), chart: t('Daily positive and negative votes') },
  source: { label: t('Source'), chart: t('Daily feedback by source') },
  status: { label: t('Status'), chart: t('Daily feedback by current status') },
} as const
type Side = keyof typeof CHART_BREAKDOWNS

const COLOURS = [1, 2, 3, 4] as const

function FeedbackOverTime({ overview }: { overview: Overview }) {
  const [side, setSide] = useState<Side>('source')
  const { series } = overview
  const days = useMemo(() => series.map(({ date }) => date), [series])
  const lines = useMemo(() => toChartLines(series, side), [series, side])
  return (
    <section class="mt-8" aria-labelledby="feedback-over-time">
      <div class="mb-2 flex flex-wrap items-center justify-between gap-2">
        <h2 id="feedback-over-time" class="text-14 font-semibold">
          {t('Daily feedback')}
        </h2>
        <SegmentedControl
          label={t('Lines', { context: 'of a chart' })}
          value={side}
          choices={(Object.keys(CHART_BREAKDOWNS) as Side[]).map((value) => ({
            value,
            label: CHART_BREAKDOWNS[value].label,
          }))}
          onChange={setSide}
        />
      </div>
      <Chart label={CHART_BREAKDOWNS[side].chart} days={days} lines={lines} height={220} />
    </section>
  )
}

function toChartLines(series: Overview['series'], side: Side): ChartLine[] {
  if (side === 'vote') {
    return [
      { label: t('Helpful'), colour: 1, values: series.map(({ thumbsUp }) => thumbsUp) },
      { label: t('Not helpful'), colour: 2, values: series.map(({ thumbsDown }) => thumbsDown) },
    ]
  }
  if (side === 'source') {
    return SOURCE_NAMES.map((source, index) => ({
      label: SOURCES[source].label,
      colour: COLOURS[index] ?? 5,
      values: series.map(({ bySource }) => bySource[source] ?? 0),
    }))
  }
  return STATUSES.map(({ status, label }, index) => ({
    label,
    colour: COLOURS[index] ?? 5,
    values: series.map(({ byStatus }) => byStatus[status] ?? 0),
  }))
}

interface FiguresProps {
  projectId: string
  overview: Overview
  /** True if there is no feedback at all, neither in these periods nor before. */
  isSilent: boolean
}

function Figures({ projectId, overview, isSilent }: FiguresProps) {
  const { votes, open, site, days } = overview
  const inbox = `/p/${projectId}/feedback`
  const waiting = open.pending + open.inProgress
  const problems = site.published?.problemCount ?? 0
  return (
    <FigureGrid>
      <Figure
        label={t('Helpful')}
        value={votes.now.rate === null ? '–' : formatPercent(votes.now.rate)}
        href={`${inbox}?status=any&source=any&vote=down&since=${days}`}
        about={<RateChange now={votes.now.rate} before={votes.before.rate} days={days} />}
      />
      <Figure
        label={plural(days, 'Feedback, {count} day', 'Feedback, {count} days')}
        value={formatCount(votes.now.total)}
        href={`${inbox}?status=any&source=any&since=${days}`}
        about={<CountChange now={votes.now.total} before={votes.before.total} days={days} />}
      />
      <Figure
        label={t('Open', { context: 'state' })}
        value={open.isMore ? `${formatCount(waiting)}+` : formatCount(waiting)}
        href={inbox}
        about={formatOpenCounts(open, isSilent)}
      />
      <Figure
        label={t('Site issues')}
        value={site.published === null ? '–' : formatCount(problems)}
        href={`/p/${projectId}/site`}
        about={
          site.published === null
            ? t('Not published yet')
            : richPlural(
                site.published.pageCount,
                '{count} page, published {time}',
                '{count} pages, published {time}',
                { time: <RelativeTime at={site.published.publishedAt} class="whitespace-nowrap" /> },
              )
        }
      />
    </FigureGrid>
  )
}

function formatOpenCounts({ pending, inProgress, isMore }: Overview['open'], isSilent: boolean): string {
  if (isSilent) return t('Nothing yet')
  if (pending + inProgress === 0) return t('All handled')
  if (isMore) return t('Counting stops at this number')
  return [
    plural(pending, '{count} pending', '{count} pending'),
    plural(inProgress, '{count} in progress', '{count} in progress'),
  ].join(' · ')
}

function RateChange({ now, before, days }: { now: number | null; before: number | null; days: number }) {
  if (now === null) return t('No votes yet')
  if (before === null) return t('No votes in the previous period')
  const points = Math.round(now * 100) - Math.round(before * 100)
  if (points === 0) return t('Same as before')
  return (
    <Change
      isUp={points > 0}
      isGood={points > 0}
      amount={plural(Math.abs(points), '{count} point', '{count} points')}
      days={days}
    />
  )
}
