/** Feedback of a page that says the same, or is about the same code block, as one row each. */
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { FeedbackGroup, SameEntry } from '../../../../../src/contract/dashboard-feedback.ts'
import type { FeedbackStatus } from '../../../../../src/contract/feedback.ts'
import { internalQuery } from '../../api/internal.ts'
import { useCommands } from '../../app/commands.ts'
import { classes } from '../../ui/classes.ts'
import { count } from '../../ui/numbers.ts'
import { PlainText } from '../../ui/plain-text.tsx'
import { EmptyState, ErrorState, SkeletonRows } from '../../ui/states.tsx'
import { Checkbox } from '../../ui/switch.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { BulkBar } from './bulk-bar.tsx'
import { type InboxFilters, toQuery } from './inbox-filters.ts'
import { SOURCES } from './labels.ts'
import { useSelection } from './selection.ts'

const MOST_GROUPS = 100

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
  /** Asks which status these entries shall have; null for who may not change them. */
  onAskStatus: ((entries: readonly SameEntry[]) => void) | null
  onStatus: (entries: readonly SameEntry[], to: FeedbackStatus) => void
  mayAsk: boolean
}

export function GroupRows(props: GroupProps) {
  const { projectId, filters, isNarrow, openId, hrefOf, onOpen, onAskStatus, onStatus, mayAsk } = props
  const { data, error, refetch } = useQuery(groupsQuery(projectId, filters))
  const [at, setAt] = useState(0)
  const list = useRef<HTMLOListElement>(null)
  const groups = data?.groups ?? []
  const active = groups[Math.min(at, groups.length - 1)]
  const selection = useSelection(() => groups.map(nameOf))
  const chosen = groups.filter((group) => selection.ids.has(nameOf(group)))
  const targets = (chosen.length > 0 ? chosen : active ? [active] : []).flatMap(({ entries }) => entries)
  const maySelect = onAskStatus !== null
  const move = (step: number) => {
    const to = Math.max(0, Math.min(groups.length - 1, at + step))
    setAt(to)
    list.current?.querySelectorAll<HTMLElement>('[data-row-link]')[to]?.focus()
    const id = groups[to]?.entries[0]?.id
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
      run: () => active?.entries[0] && onOpen(active.entries[0].id),
    },
    {
      id: 'feedback-choose',
      label: 'Choose the marked group',
      keys: 'x',
      group: 'Feedback',
      isKeysOnly: true,
      isOff: active === undefined || !maySelect,
      run: () => active && selection.toggle(nameOf(active), false),
    },
    {
      id: 'feedback-status',
      label: chosen.length > 0 ? 'Set the status of the chosen groups' : 'Set the status of the whole group',
      keys: 's',
      group: 'Feedback',
      icon: 'circle-check',
      isOff: targets.length === 0 || !maySelect,
      run: () => onAskStatus?.(targets),
    },
    {
      id: 'feedback-choose-all',
      label: 'Choose all groups',
      keys: 'mod+a',
      group: 'Feedback',
      icon: 'check-check',
      isOff: groups.length === 0 || !maySelect,
      run: () => selection.add(groups.map(nameOf)),
    },
    {
      id: 'feedback-choose-none',
      label: 'Choose none',
      keys: 'Escape',
      group: 'Feedback',
      isKeysOnly: true,
      isOff: selection.ids.size === 0,
      run: () => selection.clear(),
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
    <div class="flex min-h-0 flex-1 flex-col">
      <div class="min-h-0 flex-1 overflow-y-auto">
        <ol ref={list} aria-label="Groups of feedback">
          {groups.map((group, index) => {
            const id = group.entries[0]?.id ?? ''
            const name = nameOf(group)
            const isChosen = selection.ids.has(name)
            return (
              <li
                key={name}
                class={classes(
                  'group relative flex items-stretch border-b border-line',
                  isChosen || id === openId ? 'bg-selected' : 'hover:bg-hover',
                  index === at &&
                    'before:absolute before:inset-y-0 before:left-0 before:w-[3px] before:bg-accent-9',
                )}
              >
                {maySelect && (
                  <span
                    class={classes(
                      'flex w-10 shrink-0 items-center justify-center coarse:w-11',
                      chosen.length === 0 &&
                        'not-coarse:opacity-0 group-hover:opacity-100 focus-within:opacity-100',
                    )}
                    onClickCapture={(event) => {
                      if (!event.shiftKey) return
                      event.preventDefault()
                      event.stopPropagation()
                      selection.toggle(name, true)
                    }}
                  >
                    <Checkbox
                      isBare
                      label={`Select the group: ${wordsOf(group).slice(0, 80)}`}
                      isOn={isChosen}
                      onChange={() => selection.toggle(name, false)}
                    />
                  </span>
                )}
                <a
                  href={hrefOf(id)}
                  data-row-link
                  tabIndex={index === at ? 0 : -1}
                  aria-current={id === openId ? 'true' : undefined}
                  class={classes(
                    'flex min-w-0 flex-1 items-center gap-3 py-2.5 pr-4 outline-offset-[-2px]',
                    maySelect ? 'pl-1' : 'pl-4',
                  )}
                  onFocus={() => setAt(index)}
                  onClick={(event) => {
                    if (event.metaKey || event.ctrlKey || (event.shiftKey && !maySelect)) return
                    event.preventDefault()
                    if (event.shiftKey) return selection.toggle(name, true)
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
      {chosen.length > 0 && (
        <BulkBar
          projectId={projectId}
          ids={new Set(targets.map(({ id }) => id))}
          progress={null}
          mayAsk={mayAsk}
          onStatus={(to) => {
            onStatus(targets, to)
            selection.clear()
          }}
          onAll={chosen.length < groups.length ? () => selection.add(groups.map(nameOf)) : null}
          onClear={selection.clear}
        />
      )}
    </div>
  )
}

/** Names the group as long as its newest entry is the same. */
function nameOf({ path, entries }: FeedbackGroup): string {
  return `${path} ${entries[0]?.id ?? ''}`
}

function wordsOf(group: FeedbackGroup): string {
  return (group.comment ?? group.code ?? '').replace(/\s+/g, ' ').trim()
}

function GroupWords({ group, isNarrow }: { group: FeedbackGroup; isNarrow: boolean }) {
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
          <PlainText text={wordsOf(group).slice(0, 300)} />
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
