/** The four figures one looks at first; each leads to what it counts. */
import type { ComponentChildren } from 'preact'
import type { Overview } from '../../../../../src/contract/dashboard-overview.ts'
import { classes } from '../../ui/classes.ts'
import { Icon } from '../../ui/icon.tsx'
import { Link } from '../../ui/link.tsx'
import { count, counted, share } from '../../ui/numbers.ts'
import { RelativeTime } from '../../ui/time.tsx'

export function Figures({ projectId, overview }: { projectId: string; overview: Overview }) {
  const { votes, open, site, days } = overview
  const inbox = `/p/${projectId}/feedback`
  const waiting = open.pending + open.inProgress
  const problems = site.published?.problemCount ?? 0
  return (
    <div class="grid grid-cols-4 overflow-hidden rounded-md border border-line bg-raised max-lg:grid-cols-2">
      <Figure
        label="Helpful"
        value={votes.now.rate === null ? '–' : share(votes.now.rate)}
        href={`${inbox}?status=any&vote=down&since=${days}`}
        about={<RateChange now={votes.now.rate} before={votes.before.rate} days={days} />}
      />
      <Figure
        label={`Feedback, ${days} days`}
        value={count(votes.now.total)}
        href={`${inbox}?status=any&since=${days}`}
        about={<CountChange now={votes.now.total} before={votes.before.total} days={days} />}
      />
      <Figure
        label="Open"
        value={open.isMore ? `${count(waiting)}+` : count(waiting)}
        href={inbox}
        about={
          waiting === 0
            ? 'All dealt with'
            : open.isMore
              ? 'Counted no further'
              : `${count(open.pending)} pending, ${count(open.inProgress)} in progress`
        }
      />
      <Figure
        label="Problems of the site"
        value={site.published === null ? '–' : count(problems)}
        href={`/p/${projectId}/site`}
        about={
          site.published === null ? (
            'Not published yet'
          ) : (
            <>
              {counted(site.published.pageCount, 'page')}, published{' '}
              <RelativeTime at={site.published.publishedAt} class="whitespace-nowrap" />
            </>
          )
        }
      />
    </div>
  )
}

function Figure({
  label,
  value,
  href,
  about,
}: {
  label: string
  value: string
  href: string
  about: ComponentChildren
}) {
  return (
    <Link
      look="none"
      href={href}
      class={classes(
        'group -mr-px -mb-px block border-r border-b border-line px-5 py-4 outline-offset-[-2px] hover:bg-hover',
        'max-md:px-4 max-md:py-3',
      )}
    >
      <span class="flex items-center justify-between text-13 text-soft">
        {label}
        <Icon name="arrow-right" size={14} class="text-faint opacity-0 group-hover:opacity-100" />
      </span>
      <span class="mt-1 block text-30 font-semibold tracking-tight tabular-nums max-md:text-24">{value}</span>
      <span class="mt-1 block min-h-5 text-13 text-soft">{about}</span>
    </Link>
  )
}

function RateChange({ now, before, days }: { now: number | null; before: number | null; days: number }) {
  if (now === null) return 'No votes yet'
  if (before === null) return 'No votes before'
  const points = Math.round(now * 100) - Math.round(before * 100)
  if (points === 0) return 'As before'
  return (
    <Change
      isUp={points > 0}
      isGood={points > 0}
      amount={`${Math.abs(points)} ${Math.abs(points) === 1 ? 'point' : 'points'}`}
      days={days}
    />
  )
}

function CountChange({ now, before, days }: { now: number; before: number; days: number }) {
  if (before === 0) return 'None before'
  if (now === before) return 'As many as before'
  return <Change isUp={now > before} amount={count(Math.abs(now - before))} days={days} />
}

/** More feedback is neither good nor bad. */
function Change({
  isUp,
  isGood,
  amount,
  days,
}: {
  isUp: boolean
  isGood?: boolean
  amount: string
  days: number
}) {
  const tone = isGood === undefined ? 'text-soft' : isGood ? 'text-success' : 'text-danger'
  return (
    <span title={`Beside the ${days} days before`}>
      <span class={classes('font-medium whitespace-nowrap', tone)}>
        <Icon name={isUp ? 'arrow-up' : 'arrow-down'} size={12} class="mr-0.5 inline-block align-[-1px]" />
        {amount} {isUp ? 'more' : 'less'}
      </span>{' '}
      than before
    </span>
  )
}
