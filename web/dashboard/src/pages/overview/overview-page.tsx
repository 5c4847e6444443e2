/** Overview of the project: feedback, open tasks and running jobs. */

import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense } from 'preact/compat'
import { useEffect } from 'preact/hooks'
import { OVERVIEW_DAYS, type OverviewDays } from '../../../../../src/base/api/form-choices.ts'
import type { Overview } from '../../../../../src/features/dashboard/operations/overview.ts'
import { internalQuery } from '../../api/internal.ts'
import { useCommands } from '../../app/commands.ts'
import { useProjectId, useProjectSummary } from '../../app/current-project.ts'
import type { Preload } from '../../app/pages.tsx'
import { queryClient } from '../../app/query-client.ts'
import { type QueryParameters, useQueryParameters } from '../../app/query-parameters.ts'
import { SegmentedControl } from '../../ui/choice.tsx'
import { classes } from '../../ui/classes.ts'
import { Icon } from '../../ui/icon.tsx'
import { Link } from '../../ui/link.tsx'
import { PageBody, PageHeader } from '../../ui/page.tsx'
import { ErrorState } from '../../ui/states.tsx'
import { plural, t } from '../../words/words.ts'
import { NoFeedbackYet } from '../feedback/inbox-empty.tsx'
import { FeedbackOverTime } from './feedback-over-time.tsx'
import { Figures } from './figures.tsx'
import { OverviewSkeleton } from './overview-skeleton.tsx'
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
    // Expensive figures are cached by the server; refetch when newer ones are available.
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
        {data === undefined && error === null && <OverviewSkeleton />}
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

/** Prefetches the other periods. */
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
