/** Panel with the statistics of one page. */

import { useMemo } from 'preact/hooks'
import type { InsightRow } from '../../../../../src/features/analytics/operations/insights.ts'
import { useProjectSummary } from '../../app/current-project.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Chart } from '../../ui/chart.tsx'
import { Loaded, Skeleton } from '../../ui/states.tsx'
import { t } from '../../words/words.ts'
import { isListShownFor } from './insight-labels.ts'
import type { InsightLinks, InsightPeriod } from './insights-url.ts'
import { formatPeriod, InsightRows, Panel, Part, useInsightRows } from './rows-panel.tsx'

const HEIGHT = 140
const ROWS = 10

const LISTS = [
  { list: 'referrers', title: t('Where its readers come from') },
  { list: 'searches', title: t('What was searched for here') },
  { list: 'agents', title: t('AI agents that read it') },
  { list: 'outbound', title: t('Outbound links') },
  { list: 'copies', title: t('Code that was copied') },
] as const

export function PagePanel({
  path,
  title,
  period,
  links,
  days,
}: {
  path: string
  /** Title of the published page, if known. */
  title: string | null
  period: InsightPeriod
  links: InsightLinks
  /** Days of the period, oldest first. */
  days: readonly string[]
}) {
  const url = useProjectSummary()?.url ?? null
  return (
    <Panel
      title={title ?? path}
      about={title === null ? formatPeriod(period) : `${path} · ${formatPeriod(period)}`}
      links={links}
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

function ViewsByDay({
  path,
  period,
  days,
}: {
  path: string
  period: InsightPeriod
  days: readonly string[]
}) {
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
  return (
    <Chart label={t('Views and visitors of the page each day')} days={days} lines={lines} height={HEIGHT} />
  )
}

/** Paths are stored decoded. */
function buildPageUrl(url: string, path: string): string {
  return new URL(path.split('/').map(encodeURIComponent).join('/'), url).href
}
