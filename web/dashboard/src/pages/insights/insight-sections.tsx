/** Content of the page: figures, suggestions for what to write, traffic by day, and the top of each list. */

import { useMemo } from 'preact/hooks'
import type { InsightList, OverviewDays } from '../../../../../src/base/api/form-choices.ts'
import type { Insights } from '../../../../../src/features/analytics/operations/insights.ts'
import { Chart, type ChartLine } from '../../ui/chart.tsx'
import { formatCount, formatPercent, formatShortCount } from '../../ui/numbers.ts'
import { Skeleton } from '../../ui/states.tsx'
import { plural, t } from '../../words/words.ts'
import { CountChange, Figure, FigureGrid, FigureSkeletons } from '../figure.tsx'
import { AssistantSection } from './assistant-section.tsx'
import { isListShownFor, LIST_LABELS, PAGE_LISTS } from './insight-labels.ts'
import { InsightTable } from './insight-table.tsx'
import type { InsightLinks } from './insights-url.ts'
import { buildRowHref } from './rows-panel.tsx'
import { ShowAll } from './show-all.tsx'
import { WriteNext } from './write-next.tsx'

type ListName = keyof Insights['lists'] & InsightList

/** Two independent columns, because the lists differ in length. */
const COLUMNS = [
  ['pages', 'searches', 'referrers', 'countries', 'devices'],
  ['rising', 'falling', 'agents', 'outbound', 'copies'],
] as const satisfies readonly ListName[][]

export function InsightSections({ insights, links }: { insights: Insights; links: InsightLinks }) {
  return (
    <>
      <Figures insights={insights} links={links} />
      <WriteNext insights={insights} links={links} />
      <AssistantSection days={insights.days as OverviewDays} />
      <TrafficSection insights={insights} />
      <div class="@container mt-8">
        <div class="grid grid-cols-1 gap-x-8 gap-y-8 @min-[760px]:grid-cols-2">
          {COLUMNS.map((lists) => (
            <div key={lists[0]} class="min-w-0 space-y-8">
              {lists
                .filter((list) => isListShownFor(list, insights.audience))
                .filter((list) => list !== 'countries' || insights.counting.countries)
                .map((list) => (
                  <ListSection key={list} list={list} insights={insights} links={links} />
                ))}
            </div>
          ))}
        </div>
      </div>
    </>
  )
}

function Figures({ insights, links }: { insights: Insights; links: InsightLinks }) {
  const { days, views, visitors, searches, unfound, aiViews, allViews } = insights
  const listed = (list: InsightList) => links.shown({ kind: 'list', list })
  return (
    <FigureGrid>
      <Figure
        label={t('Views')}
        value={formatShortCount(views.now)}
        exact={formatCount(views.now)}
        href={listed('pages')}
        about={<CountChange {...views} days={days} />}
      />
      <Figure
        label={t('Visitors')}
        value={visitors === null ? '–' : formatShortCount(visitors.now)}
        {...(visitors === null ? {} : { exact: formatCount(visitors.now) })}
        href={listed('visitors')}
        about={
          visitors === null ? (
            t('Programs are not counted separately')
          ) : (
            <CountChange {...visitors} days={days} />
          )
        }
      />
      <Figure
        label={t('Searches without a result')}
        value={formatShortCount(unfound.now)}
        exact={formatCount(unfound.now)}
        href={listed('unfound')}
        about={
          searches.now === 0
            ? t('Nobody has searched')
            : t('of {searches}', { searches: formatShortCount(searches.now) })
        }
      />
      <Figure
        label={t('Read by AI agents')}
        value={allViews.now === 0 ? '–' : formatShare(aiViews.now, allViews.now)}
        href={listed('agents')}
        about={
          aiViews.now === 0
            ? t('No views')
            : plural(allViews.now, '{aiViews} of {views} view', '{aiViews} of {views} views', {
                aiViews: formatShortCount(aiViews.now),
                views: formatShortCount(allViews.now),
              })
        }
      />
    </FigureGrid>
  )
}

/** Formats a share; small but nonzero shares are not rounded to zero. */
function formatShare(some: number, all: number): string {
  return some > 0 && some / all < 0.01 ? `<${formatPercent(0.01)}` : formatPercent(some / all)
}

function TrafficSection({ insights }: { insights: Insights }) {
  const { series, audience } = insights
  const days = useMemo(() => series.map(({ date }) => date), [series])
  const lines = useMemo(() => toChartLines(insights), [insights])
  return (
    <section class="mt-8" aria-labelledby="traffic">
      <h2 id="traffic" class="mb-2 text-14 font-semibold">
        {t('Daily traffic')}
      </h2>
      <Chart
        label={audience === 'all' ? t('Daily views by people and AI agents') : t('Daily views and visitors')}
        days={days}
        lines={lines}
        height={220}
      />
    </section>
  )
}

function toChartLines({ series, audience }: Insights): ChartLine[] {
  const visitors = { label: t('Visitors'), values: series.map((day) => day.visitors) }
  switch (audience) {
    case 'all':
      return [
        { label: t('People'), colour: 1, values: series.map(({ human }) => human) },
        { label: t('AI agents'), colour: 2, values: series.map(({ ai }) => ai) },
        { ...visitors, colour: 3 },
      ]
    case 'human':
      return [
        { label: t('Views'), colour: 1, values: series.map(({ human }) => human) },
        { ...visitors, colour: 3 },
      ]
    case 'ai':
      return [
        { label: t('Views'), colour: 2, values: series.map(({ ai }) => ai) },
        { ...visitors, colour: 3 },
      ]
    case 'bot':
      return [{ label: t('Views'), colour: 4, values: series.map(({ bots }) => bots) }]
  }
}

function ListSection({ list, insights, links }: { list: ListName; insights: Insights; links: InsightLinks }) {
  const rows = insights.lists[list]
  const { title, none } = LIST_LABELS[list]
  const kind = PAGE_LISTS.includes(list) ? 'page' : 'name'
  const hasBefore = insights.views.before > 0
  const isCompared = hasBefore || (list !== 'rising' && list !== 'falling')
  return (
    <section class="min-w-0" aria-labelledby={`insights-${list}`}>
      <div class="mb-1 flex items-baseline justify-between gap-3">
        <h2 id={`insights-${list}`} class="text-14 font-semibold">
          {title}
        </h2>
        {isCompared && rows.length > 0 && <ShowAll href={links.shown({ kind: 'list', list })} list={title} />}
      </div>
      {!isCompared || rows.length === 0 ? (
        <p class="border-t border-line py-3 text-13 text-soft">
          {isCompared ? none : t('There is no earlier period to compare with yet.')}
        </p>
      ) : (
        <InsightTable
          list={list}
          rows={rows}
          kind={kind}
          label={title}
          hrefOf={(row) => buildRowHref(list, kind, row, links)}
          hasBefore={hasBefore}
        />
      )}
    </section>
  )
}

/** Placeholder with the layout of the page, so that nothing shifts when the data arrives. */
export function InsightsSkeleton() {
  return (
    <div role="status" aria-label={t('Loading insights')}>
      <FigureSkeletons />
      <div class="mt-8 grid gap-8 @xl:grid-cols-2">
        <Skeleton class="h-64 w-full" />
        <Skeleton class="h-64 w-full" />
      </div>
      <Skeleton class="mt-8 h-[260px] w-full" />
    </div>
  )
}
