/** Suggestions what to write: searches without results, and pages that readers find unhelpful. */

import type { ComponentChildren } from 'preact'
import type { InsightRow, Insights } from '../../../../../src/features/analytics/operations/insights.ts'
import { useHasPermission } from '../../app/session.ts'
import { Icon } from '../../ui/icon.tsx'
import { Link } from '../../ui/link.tsx'
import { formatShortCount } from '../../ui/numbers.ts'
import { PlainText } from '../../ui/plain-text.tsx'
import { plural, rich, t } from '../../words/words.ts'
import { formatRowName } from './insight-labels.ts'
import type { InsightLinks } from './insights-url.ts'
import { ShowAll } from './show-all.tsx'

type TroubledPage = Insights['troubled'][number]

const ROWS = 5
/** Limit for quoted text in a prompt, because readers may have pasted anything. */
const MAX_PROMPT_CHARACTERS = 200
/** Limit for quoted text in a sentence. */
const MAX_NAME_CHARACTERS = 60

export function WriteNext({ insights, links }: { insights: Insights; links: InsightLinks }) {
  const unfound = insights.lists.unfound.slice(0, ROWS)
  const troubled = insights.troubled.slice(0, ROWS)
  return (
    <section class="@container mt-8" aria-labelledby="write-next">
      <h2 id="write-next" class="text-14 font-semibold">
        {t('What to write next')}
      </h2>
      <p class="mt-0.5 max-w-2xl text-14 text-pretty break-words text-soft">
        <First unfound={unfound[0]} troubled={troubled[0]} days={insights.days} />
      </p>
      <div class="mt-3 grid grid-cols-1 gap-x-8 gap-y-6 @min-[760px]:grid-cols-2">
        <Part title={t('Searched for and not found')} href={links.shown({ kind: 'list', list: 'unfound' })}>
          {unfound.length === 0 ? (
            <Nothing>
              {insights.searches.now === 0
                ? t('Nobody has searched in these {days} days.', { days: insights.days })
                : t('Every search found something.')}
            </Nothing>
          ) : (
            unfound.map((row) => <UnfoundRow key={row.name} row={row} links={links} />)
          )}
        </Part>
        <Part title={t('Read, and not helpful')} href={null}>
          {troubled.length === 0 ? (
            <Nothing>
              {t('No page has a vote against it in these {days} days.', { days: insights.days })}
            </Nothing>
          ) : (
            troubled.map((page) => <TroubledRow key={page.path} page={page} links={links} />)
          )}
        </Part>
      </div>
    </section>
  )
}

/** One sentence about the problem that affected more readers. */
function First({
  unfound,
  troubled,
  days,
}: {
  unfound: InsightRow | undefined
  troubled: TroubledPage | undefined
  days: number
}) {
  if (unfound !== undefined && unfound.now >= (troubled?.thumbsDown ?? 0)) {
    return (
      <>
        <strong class="font-semibold text-text">
          {rich('Write about “{search}”.', {
            search: <PlainText text={shorten(formatRowName('unfound', unfound.name), MAX_NAME_CHARACTERS)} />,
          })}
        </strong>{' '}
        {plural(
          unfound.now,
          '{count} search for it found nothing in these {days} days.',
          '{count} searches for it found nothing in these {days} days.',
          { days },
        )}
      </>
    )
  }
  if (troubled !== undefined) {
    const votes = troubled.thumbsUp + troubled.thumbsDown
    return (
      <>
        <strong class="font-semibold text-text">
          {rich('Improve “{page}”.', {
            page: <PlainText text={shorten(troubled.title ?? troubled.path, MAX_NAME_CHARACTERS)} />,
          })}
        </strong>{' '}
        {plural(
          votes,
          '{unhelpful} of {count} vote in these {days} days says that it did not help.',
          '{unhelpful} of {count} votes in these {days} days say that it did not help.',
          { unhelpful: troubled.thumbsDown, days },
        )}
      </>
    )
  }
  return t('Nothing stands out: searches found something, and no page has votes against it.')
}

function Part({
  title,
  href,
  children,
}: {
  title: string
  href: string | null
  children: ComponentChildren
}) {
  return (
    <div class="min-w-0">
      <div class="flex h-8 items-center justify-between gap-3 border-b border-line text-12 text-soft">
        <h3 class="font-medium">{title}</h3>
        {href !== null && <ShowAll href={href} list={title} />}
      </div>
      <ul>{children}</ul>
    </div>
  )
}

const ROW = 'flex min-w-0 items-center gap-3 border-b border-line hover:bg-hover'

function UnfoundRow({ row, links }: { row: InsightRow; links: InsightLinks }) {
  const words = formatRowName('unfound', row.name)
  return (
    <li class={ROW}>
      <Link
        look="none"
        href={links.shown({ kind: 'name', list: 'searches', name: row.name })}
        class="flex h-11 min-w-0 flex-1 items-center justify-between gap-3 text-13 outline-offset-[-2px]"
      >
        <span class="truncate font-medium" dir="auto" title={words}>
          <PlainText text={words} />
        </span>
        <span class="shrink-0 text-soft tabular-nums">
          {plural(row.now, '{count} search', '{count} searches')}
        </span>
      </Link>
      <AskAgent
        href={links.agent(
          t(
            'Readers search the documentation for “{search}” and find nothing. Write what they look for where it belongs, or use these words on the page that has it.',
            { search: shorten(row.name) },
          ),
        )}
        label={t('Ask the agent to write about {search}', { search: shorten(words) })}
      />
    </li>
  )
}

function TroubledRow({ page, links }: { page: TroubledPage; links: InsightLinks }) {
  const { path, title, thumbsUp, thumbsDown, views, open } = page
  return (
    <li class={ROW}>
      <Link
        look="none"
        href={links.feedback(path, 'down')}
        class="flex h-11 min-w-0 flex-1 items-center justify-between gap-3 text-13 outline-offset-[-2px]"
      >
        <span class="flex min-w-0 flex-col">
          <span class={title === null ? 'truncate font-mono text-12' : 'truncate font-medium'} title={path}>
            <PlainText text={title ?? path} />
          </span>
          <span class="truncate text-12 text-faint">
            {plural(views, '{views} view', '{views} views', { views: formatShortCount(views) })}
            {open > 0 && ` · ${plural(open, '{count} open', '{count} open')}`}
          </span>
        </span>
        <span class="shrink-0 text-soft tabular-nums">
          {plural(thumbsUp + thumbsDown, '{unhelpful} of {count} vote', '{unhelpful} of {count} votes', {
            unhelpful: thumbsDown,
          })}
        </span>
      </Link>
      <AskAgent
        href={links.agent(
          t(
            'Readers say that the page {page} does not help them. Read what they say, find out what is missing or wrong, and correct it.',
            { page: shorten(path) },
          ),
        )}
        label={t('Ask the agent to improve {page}', { page: shorten(title ?? path) })}
      />
    </li>
  )
}

function AskAgent({ href, label }: { href: string; label: string }) {
  if (!useHasPermission('agent')) return null
  return (
    <Link
      look="none"
      href={href}
      aria-label={label}
      title={label}
      class="inline-flex size-8 shrink-0 items-center justify-center rounded-sm text-faint outline-offset-[-2px] hover:bg-pressed hover:text-text coarse:size-11"
    >
      <Icon name="bot" />
    </Link>
  )
}

function Nothing({ children }: { children: ComponentChildren }) {
  return <li class="border-b border-line py-3 text-13 text-soft">{children}</li>
}

function shorten(text: string, maxLength: number = MAX_PROMPT_CHARACTERS): string {
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text
}
