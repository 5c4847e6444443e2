/** Feedback by day, grouped by vote, source or status. */

import { useMemo, useState } from 'preact/hooks'
import type { Overview } from '../../../../../src/features/dashboard/operations/overview.ts'
import { Chart, type ChartLine } from '../../ui/chart.tsx'
import { SegmentedControl } from '../../ui/choice.tsx'
import { t } from '../../words/words.ts'
import { SOURCE_NAMES, SOURCES, STATUSES } from '../feedback/labels.ts'

const SIDES = {
  vote: { label: t('Votes'), chart: t('Each day: votes for and against') },
  source: { label: t('Source'), chart: t('Each day: feedback by where it comes from') },
  status: { label: t('Status'), chart: t('Each day: feedback by where it stands now') },
} as const
type Side = keyof typeof SIDES

const COLOURS = [1, 2, 3, 4] as const

export function FeedbackOverTime({ overview }: { overview: Overview }) {
  const [side, setSide] = useState<Side>('source')
  const { series } = overview
  const days = useMemo(() => series.map(({ date }) => date), [series])
  const lines = useMemo(() => toChartLines(series, side), [series, side])
  return (
    <section class="mt-8" aria-labelledby="feedback-over-time">
      <div class="mb-2 flex flex-wrap items-center justify-between gap-2">
        <h2 id="feedback-over-time" class="text-14 font-semibold">
          {t('Feedback a day')}
        </h2>
        <SegmentedControl
          label={t('Lines', { context: 'of a chart' })}
          value={side}
          choices={(Object.keys(SIDES) as Side[]).map((value) => ({ value, label: SIDES[value].label }))}
          onChange={setSide}
        />
      </div>
      <Chart label={SIDES[side].chart} days={days} lines={lines} height={220} />
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
