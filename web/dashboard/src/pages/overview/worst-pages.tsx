/** Least helpful pages, each linked to its feedback. */

import type { Overview } from '../../../../../src/features/dashboard/operations/overview.ts'
import { classes } from '../../ui/classes.ts'
import { Link } from '../../ui/link.tsx'
import { formatCount, formatPercent } from '../../ui/numbers.ts'
import { PlainText } from '../../ui/plain-text.tsx'
import { plural, richPlural, t } from '../../words/words.ts'

export function WorstPages({ projectId, overview }: { projectId: string; overview: Overview }) {
  const { worstPages, days } = overview
  return (
    <section aria-labelledby="worst-pages" class="min-w-0">
      <h2 id="worst-pages" class="mb-2 text-14 font-semibold">
        {t('Least helpful pages')}
      </h2>
      {worstPages.length === 0 ? (
        <p class="border-t border-line py-3 text-13 text-soft">
          {t('No page got a negative vote in the last {days} days.', { days })}
        </p>
      ) : (
        <table class="w-full table-fixed border-collapse text-13">
          <thead>
            <tr class="border-b border-line text-12 text-faint">
              <th scope="col" class="h-8 pr-3 text-left font-medium">
                {t('Page')}
              </th>
              <th scope="col" class="w-44 text-left font-medium max-md:w-28">
                {t('Not helpful')}
              </th>
              <th scope="col" class="w-16 text-right font-medium">
                {t('Open', { context: 'state' })}
              </th>
            </tr>
          </thead>
          <tbody>
            {worstPages.map((page) => (
              <PageRow key={page.path} page={page} projectId={projectId} days={days} />
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}

interface PageRowProps {
  page: Overview['worstPages'][number]
  projectId: string
  days: number
}

function PageRow({ page, projectId, days }: PageRowProps) {
  const inbox = `/p/${projectId}/feedback?path=${encodeURIComponent(page.path)}`
  return (
    <tr class="border-b border-line hover:bg-hover">
      <td class="p-0">
        <Link
          look="none"
          href={`${inbox}&status=any&source=any&since=${days}`}
          class="flex h-11 min-w-0 flex-col justify-center pr-3 outline-offset-[-2px]"
        >
          <span class={classes('truncate', page.title === null && 'font-mono text-12')}>
            <PlainText text={page.title ?? page.path} />
          </span>
          {page.title !== null && (
            <span class="truncate font-mono text-12 text-faint">
              <PlainText text={page.path} />
            </span>
          )}
        </Link>
      </td>
      <td>
        <VotesAgainst page={page} />
      </td>
      <td class="text-right tabular-nums">
        {page.open === 0 ? (
          <span class="text-faint">0</span>
        ) : (
          <Link href={inbox} look="link">
            {richPlural(
              page.open,
              '{count}<a> open entry on this page</a>',
              '{count}<a> open entries on this page</a>',
              { a: (inner) => <span class="sr-only">{inner}</span> },
            )}
          </Link>
        )}
      </td>
    </tr>
  )
}

function VotesAgainst({
  page: { thumbsUp, thumbsDown },
}: {
  page: Pick<Overview['worstPages'][number], 'thumbsUp' | 'thumbsDown'>
}) {
  const votes = thumbsUp + thumbsDown
  const part = thumbsDown / Math.max(1, votes)
  return (
    <span
      class="flex items-center gap-2 whitespace-nowrap"
      title={plural(votes, '{unhelpful} of {count} vote: {share}', '{unhelpful} of {count} votes: {share}', {
        unhelpful: thumbsDown,
        share: formatPercent(part),
      })}
    >
      <span class="min-w-6 text-right tabular-nums">{formatCount(thumbsDown)}</span>
      <span
        class="h-1.5 w-12 overflow-hidden rounded-full bg-neutral-5 max-md:hidden shrink-0"
        aria-hidden="true"
      >
        <span data-bar class="block h-full bg-chart-2" style={{ width: `${part * 100}%` }} />
      </span>
      <span class="text-12 text-faint tabular-nums">{t('of {votes}', { votes })}</span>
    </span>
  )
}
