/** Feedback of a page that says the same, or is about the same code block, as one row each. */
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { FeedbackGroup } from '../../../../../src/contract/dashboard-feedback.ts'
import type { FeedbackStatus } from '../../../../../src/contract/feedback.ts'
import { internalQuery } from '../../api/internal.ts'
import { octavo } from '../../api/send.ts'
import { useCommands } from '../../app/commands.ts'
import { classes } from '../../ui/classes.ts'
import { count } from '../../ui/numbers.ts'
import { PlainText } from '../../ui/plain-text.tsx'
import { EmptyState, ErrorState, SkeletonRows } from '../../ui/states.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { type InboxFilters, toQuery } from './inbox-filters.ts'
import { SOURCES } from './labels.ts'

const MOST_GROUPS = 100
const PAGES_LOOKED_AT = 20

export function groupsQuery(projectId: string, filters: InboxFilters) {
  const { status, path } = toQuery(filters)
  return {
    ...internalQuery('listFeedbackGroups', {
      params: { projectId },
      query: { limit: MOST_GROUPS, ...(status ? { status } : {}), ...(path ? { path } : {}) },
    }),
    meta: { live: ['feedback'] },
  }
}

interface GroupProps {
  projectId: string
  filters: InboxFilters
  isNarrow: boolean
  openId: string | undefined
  hrefOf: (id: string) => string
  onOpen: (id: string) => void
  /** Null for who may not change them. */
  onStatus: ((ids: readonly string[]) => void) | null
}

export function GroupRows({ projectId, filters, isNarrow, openId, hrefOf, onOpen, onStatus }: GroupProps) {
  const { data, error, refetch } = useQuery(groupsQuery(projectId, filters))
  const [at, setAt] = useState(0)
  const list = useRef<HTMLOListElement>(null)
  const groups = data?.groups ?? []
  const active = groups[Math.min(at, groups.length - 1)]
  const move = (step: number) => {
    const to = Math.max(0, Math.min(groups.length - 1, at + step))
    setAt(to)
    list.current?.querySelectorAll<HTMLElement>('[data-row-link]')[to]?.focus()
    const id = groups[to]?.ids[0]
    if (openId !== undefined && id !== undefined) onOpen(id)
  }
  useCommands([
    {
      id: 'feedback-next',
      label: 'Next',
      keys: 'j',
      group: 'Feedback',
      isKeysOnly: true,
      run: () => move(1),
    },
    {
      id: 'feedback-before',
      label: 'Before',
      keys: 'k',
      group: 'Feedback',
      isKeysOnly: true,
      run: () => move(-1),
    },
    {
      id: 'feedback-open',
      label: 'Open the newest of the group',
      keys: 'e',
      group: 'Feedback',
      isOff: active === undefined,
      run: () => active?.ids[0] && onOpen(active.ids[0]),
    },
    {
      id: 'feedback-status',
      label: 'Set the status of the whole group',
      keys: 's',
      group: 'Feedback',
      icon: 'circle-check',
      isOff: active === undefined || onStatus === null,
      run: () => active && onStatus?.(active.ids),
    },
  ])
  useEffect(() => {
    if (at >= groups.length && groups.length > 0) setAt(groups.length - 1)
  }, [at, groups.length])

  if (error !== null && data === undefined) return <ErrorState error={error} onRetry={refetch} />
  if (data === undefined) return <SkeletonRows count={10} label="Loading groups" />
  if (groups.length === 0) {
    return (
      <EmptyState icon="layers" title="Nothing is said twice">
        <p>Entries of a page with the same words, or about the same code block, stand here together.</p>
      </EmptyState>
    )
  }
  return (
    <div class="min-h-0 flex-1 overflow-y-auto">
      <ol ref={list} aria-label="Groups of feedback">
        {groups.map((group, index) => {
          const id = group.ids[0] ?? ''
          return (
            <li
              key={`${group.path} ${id}`}
              class={classes(
                'relative border-b border-line',
                id === openId ? 'bg-selected' : 'hover:bg-hover',
                index === at &&
                  'before:absolute before:inset-y-0 before:left-0 before:w-[3px] before:bg-accent-9',
              )}
            >
              <a
                href={hrefOf(id)}
                data-row-link
                tabIndex={index === at ? 0 : -1}
                aria-current={id === openId ? 'true' : undefined}
                class="flex items-center gap-3 px-4 py-2.5 outline-offset-[-2px]"
                onFocus={() => setAt(index)}
                onClick={(event) => {
                  if (event.metaKey || event.ctrlKey || event.shiftKey) return
                  event.preventDefault()
                  setAt(index)
                  onOpen(id)
                }}
              >
                <GroupWords group={group} isNarrow={isNarrow} />
              </a>
            </li>
          )
        })}
      </ol>
      {data.isMore && (
        <p class="px-4 py-4 text-center text-12 text-faint">
          The {MOST_GROUPS} largest groups. Deal with these, and the next ones come up.
        </p>
      )}
    </div>
  )
}

function GroupWords({ group, isNarrow }: { group: FeedbackGroup; isNarrow: boolean }) {
  const words = group.comment ?? group.code ?? ''
  return (
    <>
      <span
        class="w-10 shrink-0 text-right text-14 font-semibold tabular-nums"
        title={`${group.count} entries`}
      >
        {count(group.count)}
        <span class="sr-only"> times: </span>
      </span>
      <span class="min-w-0 flex-1">
        <span class={classes('block truncate', group.comment === null && 'font-mono text-13')} dir="auto">
          <PlainText text={words.replace(/\s+/g, ' ').trim().slice(0, 300)} />
        </span>
        <span class="flex min-w-0 items-center gap-2 text-12 text-faint">
          <span class="min-w-0 flex-1 truncate font-mono">
            <PlainText text={group.path} />
          </span>
          {!isNarrow && group.kind === 'code' && <span class="shrink-0">Same code block</span>}
          <span class="shrink-0">{SOURCES[group.source].label}</span>
          {group.newestAt !== null && <RelativeTime at={group.newestAt} class="shrink-0" />}
        </span>
      </span>
    </>
  )
}

/** What these entries of a page are now: a group names ids alone. Those that are not found are left out. */
export async function statusesOf(
  projectId: string,
  ids: readonly string[],
): Promise<Map<string, FeedbackStatus>> {
  const wanted = new Set(ids)
  const found = new Map<string, FeedbackStatus>()
  const [first] = ids
  if (first === undefined) return found
  const { path } = await octavo.getFeedback(projectId, first)
  let cursor: string | undefined
  for (let page = 0; page < PAGES_LOOKED_AT && found.size < wanted.size; page++) {
    const answer = await octavo.listFeedback(projectId, { path, limit: 100, ...(cursor ? { cursor } : {}) })
    for (const entry of answer.feedback) if (wanted.has(entry.id)) found.set(entry.id, entry.status)
    if (answer.nextCursor === null) break
    cursor = answer.nextCursor
  }
  return found
}
