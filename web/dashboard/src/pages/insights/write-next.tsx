/** Suggestions for what to write: searches without results, and pages that readers find unhelpful. */

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
        <WriteList
          title={t('Searched for and not found')}
          href={links.shown({ kind: 'list', list: 'unfound' })}
        >
          {unfound.length === 0 ? (
            <Nothing>
              {insights.searches.now === 0
                ? t('Nobody searched in the last {days} days.', { days: insights.days })
                : t('Every search found something.')}
            </Nothing>
          ) : (
            unfound.map((row) => <UnfoundRow key={row.name} row={row} links={links} />)
          )}
        </WriteList>
        <WriteList title={t('Read but not helpful')} href={null}>
          {troubled.length === 0 ? (
            <Nothing>
              {t('No page got a negative vote in the last {days} days.', { days: insights.days })}
            </Nothing>
          ) : (
            troubled.map((page) => <TroubledRow key={page.path} page={page} links={links} />)
          )}
        </WriteList>
      </div>
    </section>
  )
}

interface FirstProps {
  unfound: InsightRow | undefined
  troubled: TroubledPage | undefined
  days: number
}

function First({ unfound, troubled, days }: FirstProps) {
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
          '{count} searches for it found nothing in the last {days} days.',
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
          '{unhelpful} of {count} votes in the last {days} days say that it did not help.',
          { unhelpful: troubled.thumbsDown, days },
        )}
      </>
    )
  }
  return t('Nothing stands out: searches found results, and no page has negative votes.')
}

interface PartProps {
  title: string
  href: string | null
  children: ComponentChildren
}

export function WriteList({ title, href, children }: PartProps) {
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

interface WriteRowProps {
  href: string
  title: string
  /** Shown in place of `title`. */
  name?: ComponentChildren
  end: ComponentChildren
  /** Link to a new agent job; the label describes the task. */
  job: { href: string; label: string }
}

export function WriteRow({ href, title, name, end, job }: WriteRowProps) {
  const mayAsk = useHasPermission('agent')
  return (
    <li class="flex min-w-0 items-center gap-3 border-b border-line hover:bg-hover">
      <Link
        look="none"
        href={href}
        class="flex h-11 min-w-0 flex-1 items-center justify-between gap-3 text-13 outline-offset-[-2px]"
      >
        {name ?? (
          <span class="truncate font-medium" dir="auto" title={title}>
            <PlainText text={title} />
          </span>
        )}
        {end}
      </Link>
      {mayAsk && (
        <Link
          look="none"
          href={job.href}
          aria-label={job.label}
          title={job.label}
          class="inline-flex size-8 shrink-0 items-center justify-center rounded-sm text-faint outline-offset-[-2px] hover:bg-pressed hover:text-text coarse:size-11"
        >
          <Icon name="bot" />
        </Link>
      )}
    </li>
  )
}

function UnfoundRow({ row, links }: { row: InsightRow; links: InsightLinks }) {
  const words = formatRowName('unfound', row.name)
  const prompt = t(
    'Readers search the documentation for “{search}” and find nothing. Document what they are looking for, or use these words on the page that already covers it.',
    { search: shorten(row.name) },
  )
  return (
    <WriteRow
      href={links.shown({ kind: 'name', list: 'searches', name: row.name })}
      title={words}
      end={
        <span class="shrink-0 text-soft tabular-nums">
          {plural(row.now, '{count} search', '{count} searches')}
        </span>
      }
      job={{
        href: links.agent(prompt),
        label: t('Ask the agent to write about {search}', { search: shorten(words) }),
      }}
    />
  )
}

function TroubledRow({ page, links }: { page: TroubledPage; links: InsightLinks }) {
  const { path, title, thumbsUp, thumbsDown, views, open } = page
  const prompt = t(
    'Readers say that the page {page} does not help them. Read their feedback, find what is missing or wrong, and correct it.',
    { page: shorten(path) },
  )
  return (
    <WriteRow
      href={links.feedback(path, 'down')}
      title={path}
      name={
        <span class="flex min-w-0 flex-col">
          <span class={title === null ? 'truncate font-mono text-12' : 'truncate font-medium'} title={path}>
            <PlainText text={title ?? path} />
          </span>
          <span class="truncate text-12 text-faint">
            {plural(views, '{views} view', '{views} views', { views: formatShortCount(views) })}
            {open > 0 && ` · ${plural(open, '{count} open', '{count} open')}`}
          </span>
        </span>
      }
      end={
        <span class="shrink-0 text-soft tabular-nums">
          {plural(thumbsUp + thumbsDown, '{unhelpful} of {count} vote', '{unhelpful} of {count} votes', {
            unhelpful: thumbsDown,
          })}
        </span>
      }
      job={{
        href: links.agent(prompt),
        label: t('Ask the agent to improve {page}', { page: shorten(title ?? path) }),
      }}
    />
  )
}

function Nothing({ children }: { children: ComponentChildren }) {
  return <li class="border-b border-line py-3 text-13 text-soft">{children}</li>
}

function shorten(text: string, maxLength: number = MAX_PROMPT_CHARACTERS): string {
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text
}
