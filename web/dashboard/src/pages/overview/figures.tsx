/** Four key figures, each linked to its details. */

import type { Overview } from '../../../../../src/features/dashboard/operations/overview.ts'
import { formatCount, formatPercent } from '../../ui/numbers.ts'
import { RelativeTime } from '../../ui/time.tsx'
import { plural, richPlural, t } from '../../words/words.ts'
import { Change, CountChange, Figure, FigureGrid } from '../figure.tsx'

export function Figures({
  projectId,
  overview,
  isSilent,
}: {
  projectId: string
  overview: Overview
  /** There is no feedback at all, neither in these periods nor before. */
  isSilent: boolean
}) {
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
        label={t('Problems of the site')}
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
  if (pending + inProgress === 0) return t('All dealt with')
  if (isMore) return t('Counted no further')
  return [
    plural(pending, '{count} pending', '{count} pending'),
    plural(inProgress, '{count} in progress', '{count} in progress'),
  ].join(' · ')
}

function RateChange({ now, before, days }: { now: number | null; before: number | null; days: number }) {
  if (now === null) return t('No votes yet')
  if (before === null) return t('No votes before')
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
