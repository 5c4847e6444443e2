/**
 * List of work: exports, deployments, agent jobs, previews, runs. All share the columns, the keyboard shortcuts and
 * the states.
 */

import type { ComponentChildren } from 'preact'
import type { Tone } from '../../ui/badge.tsx'
import { StatusDot } from '../../ui/badge.tsx'
import { classes } from '../../ui/classes.ts'
import { Icon } from '../../ui/icon.tsx'
import { Link } from '../../ui/link.tsx'
import { MoreButton } from '../../ui/more-button.tsx'
import { formatCount } from '../../ui/numbers.ts'
import { PlainText } from '../../ui/plain-text.tsx'
import { Loaded, SkeletonRows } from '../../ui/states.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { plural } from '../../words/words.ts'
import { useRowNavigation } from '../row-navigation.ts'

export interface WorkState {
  label: string
  tone: Tone
  isLive?: boolean
}

export interface WorkRow {
  id: string
  /** Null if the row cannot be opened. */
  href: string | null
  state: WorkState
  title: string
  marks?: ComponentChildren
  /** Shown next to the title if there is room; otherwise only a failure is shown, below the title. */
  note?: string | null
  /** Shown below the title if the columns do not fit. */
  about?: string
  cells: readonly ComponentChildren[]
  at: string
  actions?: ComponentChildren
  details?: ComponentChildren
}

interface Rows {
  data: unknown
  error: unknown
  refetch: () => unknown
  isPending: boolean
  hasNextPage?: boolean
  isFetchingNextPage?: boolean
  fetchNextPage?: () => Promise<unknown>
}

interface WorkColumn {
  /** Aligns the column at the end, for numbers. */
  isEnd?: boolean
  /** Only shown on wide lists, where it replaces the line below the title. */
  isWide?: boolean
}

interface WorkListProps {
  label: string
  pages: Rows
  rows: readonly WorkRow[]
  columns?: readonly WorkColumn[]
  empty: ComponentChildren
  moreLabel?: string
  isSmall?: boolean
}

export function WorkList({ label, pages, rows, columns = [], empty, moreLabel, isSmall }: WorkListProps) {
  const navigation = useRowNavigation(
    rows.flatMap(({ href }) => href ?? []),
    pages,
  )
  const hasActions = rows.some(({ actions }) => Boolean(actions))
  // Columns for the time and the buttons.
  const more = hasActions ? 2 : 1
  return (
    <>
      <Loaded query={pages} skeleton={<SkeletonRows />} isSmall={isSmall === true}>
        {() =>
          rows.length === 0 ? (
            empty
          ) : (
            <ol
              {...navigation}
              aria-label={label}
              class="border-t border-line gap-x-4 @xl:grid @xl:grid-cols-[auto_minmax(0,1fr)_repeat(var(--cells),auto)] @2xl:grid-cols-[auto_minmax(0,1fr)_repeat(var(--wide),auto)]"
              style={{
                '--cells': String(columns.filter(({ isWide }) => isWide !== true).length + more),
                '--wide': String(columns.length + more),
              }}
            >
              {rows.map((row) => (
                <Row key={row.id} row={row} columns={columns} hasActions={hasActions} />
              ))}
            </ol>
          )
        }
      </Loaded>
      {moreLabel !== undefined && <MoreButton pages={pages} label={moreLabel} />}
    </>
  )
}

interface RowProps {
  row: WorkRow
  columns: readonly WorkColumn[]
  hasActions: boolean
}

function Row({ row, columns, hasActions }: RowProps) {
  const { href, state, title, marks, note, about, cells, at, actions, details } = row
  const isFailure = state.tone === 'danger' && Boolean(note)
  const looks = classes(
    'grid min-h-(--row) min-w-0 flex-1 grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-0.5 -mx-2 rounded-sm px-2 py-2.5 outline-offset-[-2px] @xl:col-start-1 @xl:grid-cols-subgrid @xl:gap-y-0 @xl:py-1.5',
    hasActions ? '@xl:-col-end-2' : '@xl:-col-end-1',
    href !== null && 'hover:bg-hover',
  )
  const content = (
    <>
      <span class="order-2 text-13 @xl:order-none">
        <StatusDot {...state} />
      </span>
      {/* A note that would be cut to a few letters wraps to the second line, which is hidden. */}
      <span class="order-1 flex min-w-0 items-baseline gap-x-3 @xl:order-none @xl:h-5 @xl:flex-wrap @xl:overflow-hidden">
        <span
          class={classes('truncate @xl:max-w-full @xl:shrink-0', state.tone === 'neutral' && 'text-soft')}
          dir="auto"
        >
          <PlainText text={title} />
        </span>
        {marks}
        <span
          class={classes(
            'min-w-24 flex-1 truncate text-13 text-faint empty:hidden',
            isFailure ? '@max-2xl:hidden' : '@max-xl:hidden',
          )}
          dir="auto"
        >
          {note != null && <PlainText text={note} />}
        </span>
      </span>
      {isFailure && (
        <span
          class="order-3 col-span-2 truncate text-13 text-faint @xl:order-last @xl:col-start-2 @xl:-col-end-1 @2xl:hidden"
          dir="auto"
        >
          <PlainText text={note ?? ''} />
        </span>
      )}
      <span class="order-5 col-span-2 flex flex-wrap items-center gap-x-3 text-12 whitespace-nowrap text-soft @xl:contents">
        {cells.map((cell, index) => (
          <span
            key={index}
            class={classes(
              'flex min-w-0 max-w-48 items-center gap-3 truncate tabular-nums empty:hidden @xl:text-13',
              columns[index]?.isWide === true ? '@max-2xl:hidden @2xl:empty:flex' : '@xl:empty:flex',
              columns[index]?.isEnd === true && '@xl:justify-end',
            )}
          >
            {cell}
          </span>
        ))}
        <span class="@xl:text-right @xl:text-13">
          <RelativeTime at={at} />
        </span>
      </span>
      {about !== undefined && (
        <span class="order-4 col-span-2 truncate text-12 text-faint @xl:order-5 @xl:col-span-1 @xl:col-start-2 @xl:-col-end-1 @xl:-mt-1 @2xl:hidden">
          {about}
        </span>
      )}
    </>
  )
  return (
    // The subgrid aligns the columns of all rows.
    <li class="border-b border-line @xl:col-span-full @xl:grid @xl:grid-cols-subgrid @max-xl:flex @max-xl:flex-wrap @max-xl:items-center">
      {href === null ? (
        <div class={looks}>{content}</div>
      ) : (
        <Link look="none" href={href} class={looks}>
          {content}
        </Link>
      )}
      {hasActions && (
        <span class="flex items-center justify-end gap-1 pl-2 empty:hidden @xl:empty:flex">{actions}</span>
      )}
      {details && <div class="col-span-full basis-full pb-2">{details}</div>}
    </li>
  )
}

export function ProblemCount({ count }: { count: number }) {
  if (count === 0) return null
  const words = plural(count, '{count} problem', '{count} problems')
  return (
    <span class="inline-flex items-center gap-1 text-warning" title={words}>
      <Icon name="triangle-alert" size={12} />
      <span aria-hidden="true">{formatCount(count)}</span>
      <span class="sr-only">{words}</span>
    </span>
  )
}
