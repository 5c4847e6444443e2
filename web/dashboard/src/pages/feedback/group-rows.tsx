/** Rows of grouped feedback: one row for all entries on a page with the same text or the same code block. */

import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { FeedbackGroup, GroupEntry } from '../../../../../src/features/feedback/operations/inbox.ts'
import { internalQuery } from '../../api/internal.ts'
import { useCommands } from '../../app/commands.ts'
import { useQueryParameters } from '../../app/query-parameters.ts'
import { useHasPermission } from '../../app/session.ts'
import { Button } from '../../ui/button.tsx'
import { PageBody } from '../../ui/page.tsx'
import { EmptyState, ErrorState, SkeletonRows } from '../../ui/states.tsx'
import { plural, t } from '../../words/words.ts'
import { useAskAgent } from './ask-agent.ts'
import { BulkBar } from './bulk-bar.tsx'
import { GroupEntries } from './group-entries.tsx'
import { GroupRow } from './group-row.tsx'
import { type GroupSelection, useGroupSelection } from './group-selection.ts'
import { type InboxFilters, toQuery } from './inbox-filters.ts'
import { listCommands } from './list-commands.ts'
import { type StatusChange, useStatusChange } from './use-status-change.tsx'
import { createWorkCommands, useWorkChange, type WorkActions } from './use-work-change.tsx'

const MAX_GROUPS = 100

export function groupsQuery(projectId: string, filters: InboxFilters) {
  const { sources: _sources, dateFrom: _from, dateTo: _to, ...wanted } = toQuery(filters)
  return {
    ...internalQuery('listFeedbackGroups', {
      params: { projectId },
      query: { limit: MAX_GROUPS, ...wanted },
    }),
    meta: { live: ['feedback'] },
  }
}

interface GroupRowsProps {
  projectId: string
  filters: InboxFilters
  isNarrow: boolean
  openId: string | undefined
  hrefOf: (id: string) => string
  onOpen: (id: string) => void
}

export function GroupRows(props: GroupRowsProps) {
  const { projectId, filters } = props
  const { data, error, refetch } = useQuery(groupsQuery(projectId, filters))
  if (error !== null && data === undefined) return <ErrorState error={error} onRetry={refetch} />
  if (data === undefined) return <SkeletonRows count={10} label={t('Loading groups')} />
  return <Groups {...props} groups={data.groups} isMore={data.isMore} />
}

interface GroupsProps extends GroupRowsProps {
  groups: readonly FeedbackGroup[]
  isMore: boolean
}

function Groups(props: GroupsProps) {
  const { projectId, groups, openId } = props
  const { list, active, mark, selection, targets, ...found } = useGroups(props)
  const { change, maySelect, unfolded, fold } = found
  const { chosen } = selection
  return (
    <div class="flex min-h-0 flex-1 flex-col">
      <div class="min-h-0 flex-1 overflow-y-auto">
        {groups.length === 0 && <NoGroups />}
        <ol ref={list} aria-label={t('Groups of feedback')}>
          {groups.map((group) => (
            <GroupRow
              key={group.id}
              group={group}
              href={props.hrefOf(group.entries[0]?.id ?? '')}
              isNarrow={props.isNarrow}
              isMarked={group === active}
              isOpen={openId !== undefined && group.entries.some(({ id }) => id === openId)}
              isChosen={selection.groups.ids.has(group.id)}
              isPartly={selection.isPartly(group)}
              isChoosing={chosen.length > 0}
              maySelect={maySelect}
              onMark={mark}
              onOpen={props.onOpen}
              onSelect={selection.groups.toggle}
              onFold={fold}
            >
              {unfolded.has(group.id) && (
                <GroupEntries
                  group={group}
                  openId={openId}
                  maySelect={maySelect}
                  hrefOf={props.hrefOf}
                  isChosen={(id) => selection.isChosen(group, id)}
                  onToggle={(id) => selection.toggleEntry(group, id)}
                  onOpen={props.onOpen}
                />
              )}
            </GroupRow>
          ))}
        </ol>
        {props.isMore && (
          <p class="px-4 py-4 text-center text-12 text-faint">
            {t('The {count} largest groups. More appear when you have handled these.', {
              count: MAX_GROUPS,
            })}
          </p>
        )}
      </div>
      <GroupBar
        projectId={projectId}
        isAll={chosen.length === groups.length}
        {...{ selection, targets }}
        {...found}
      />
      {change.dialogs}
      {found.work.dialogs}
    </div>
  )
}

interface GroupState {
  list: { current: HTMLOListElement | null }
  active: FeedbackGroup | undefined
  mark: (id: string) => void
  selection: GroupSelection
  change: StatusChange
  work: WorkActions
  targets: readonly GroupEntry[]
  chooseAll: () => void
  maySelect: boolean
  mayAsk: boolean
  unfolded: ReadonlySet<string>
  fold: (id: string) => void
}

function GroupBar({
  projectId,
  isAll,
  selection,
  targets,
  change,
  work,
  mayAsk,
  chooseAll,
}: { projectId: string; isAll: boolean } & Omit<GroupState, 'list' | 'active' | 'mark'>) {
  const { chosen } = selection
  if (chosen.length === 0 && change.progress === null) return null
  return (
    <BulkBar
      projectId={projectId}
      words={plural(chosen.length, '{count} group, {entries}', '{count} groups, {entries}', {
        entries: plural(targets.length, '{count} entry', '{count} entries'),
      })}
      ids={targets.map(({ id }) => id)}
      progress={change.progress}
      mayAsk={mayAsk}
      onStatus={(to) => change.choose(targets, to)}
      onAsk={() => change.ask(targets)}
      onAssign={() => work.askAssignee(targets)}
      onLabel={() => work.askLabels(targets)}
      onAll={isAll ? null : chooseAll}
      onClear={selection.groups.clear}
    />
  )
}

function useGroups({ projectId, groups, openId, onOpen }: GroupsProps): GroupState {
  const maySelect = useHasPermission('feedback')
  const mayAsk = useHasPermission('agent')
  const list = useRef<HTMLOListElement>(null)
  const [at, active, mark] = useGroupCursor(groups)
  const selection = useGroupSelection(groups)
  const change = useStatusChange(projectId, selection.groups.clear)
  const work = useWorkChange(projectId)
  const [unfolded, fold] = useUnfoldedGroups()
  const { chosen } = selection
  const targets = chosen.length > 0 ? selection.entries : (active?.entries ?? [])
  const chooseAll = () => selection.groups.add(groups.map(({ id }) => id))
  const goTo = (index: number) => {
    const group = groups[Math.max(0, Math.min(groups.length - 1, index))]
    if (group === undefined) return
    mark(group.id)
    findRow(list.current, group.id)?.focus()
    const [newest] = group.entries
    if (openId !== undefined && newest !== undefined) onOpen(newest.id)
  }
  const choice = { list, active, mark, selection, targets, chooseAll }
  const state = { ...choice, change, work, maySelect, mayAsk, unfolded, fold }
  useGroupCommands(projectId, state, { at, goTo, size: groups.length, onOpen })
  return state
}

interface GroupNavigation {
  at: number
  goTo: (index: number) => void
  size: number
  onOpen: (id: string) => void
}

function useGroupCommands(
  projectId: string,
  { active, selection, change, work, targets, chooseAll, maySelect, fold }: GroupState,
  { at, goTo, size, onOpen }: GroupNavigation,
): void {
  const { chosen } = selection
  const ids = targets.map(({ id }) => id)
  const askAgent = useAskAgent(projectId, ids)
  useCommands([
    ...listCommands({
      thing: 'group',
      size: size,
      hasMarked: active !== undefined,
      chosen: chosen.length,
      mayChange: maySelect,
      move: (step) => goTo(at + step),
      goTo,
      open: () => active?.entries[0] && onOpen(active.entries[0].id),
      choose: () => active && selection.groups.toggle(active.id, false),
      askStatus: () => change.ask(targets),
      askAgent,
      chooseAll,
    }),
    ...createWorkCommands(work, () => targets, !maySelect || targets.length === 0),
    {
      id: 'feedback-choose-none',
      label: t('Select none'),
      keys: 'Escape',
      group: 'feedback',
      isKeysOnly: true,
      isOff: chosen.length === 0,
      run: selection.groups.clear,
    },
    {
      id: 'feedback-unfold',
      label: t('Show or hide the entries of the marked group'),
      keys: 'ArrowRight',
      group: 'feedback',
      isKeysOnly: true,
      isOff: active === undefined,
      run: () => active && fold(active.id),
    },
  ])
}

function useUnfoldedGroups(): [unfolded: ReadonlySet<string>, fold: (id: string) => void] {
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set())
  const fold = (id: string) =>
    setUnfolded((before) => {
      const after = new Set(before)
      if (!after.delete(id)) after.add(id)
      return after
    })
  return [unfolded, fold]
}

function NoGroups() {
  const [, change] = useQueryParameters()
  return (
    <PageBody>
      <EmptyState
        icon="layers"
        title={t('No duplicates')}
        actions={
          <Button onClick={() => change({ grouped: undefined })}>{t('Show entries one by one')}</Button>
        }
      >
        <p>{t('Entries on a page with the same words or about the same code block are grouped here.')}</p>
      </EmptyState>
    </PageBody>
  )
}

/**
 * Returns the group that shortcuts act on. The group stays marked when it moves; when it disappears, the
 * group at its former position is marked.
 */
function useGroupCursor(
  groups: readonly FeedbackGroup[],
): [at: number, group: FeedbackGroup | undefined, mark: (id: string) => void] {
  const [id, mark] = useState<string | null>(null)
  const last = useRef(0)
  const found = groups.findIndex((group) => group.id === id)
  const at = found === -1 ? Math.max(0, Math.min(last.current, groups.length - 1)) : found
  useEffect(() => {
    last.current = at
    const there = groups[at]
    if (found === -1 && id !== null && there !== undefined) mark(there.id)
  })
  return [at, groups[at], mark]
}

function findRow(list: HTMLElement | null, id: string): HTMLElement | null {
  return list?.querySelector(`[data-group="${CSS.escape(id)}"] [data-row-link]`) ?? null
}
