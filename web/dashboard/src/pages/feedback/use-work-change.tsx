/** Dialogs to assign and label entries, for lists, groups and single entries. */

import { useQuery } from '@tanstack/react-query'
import type { ComponentChild } from 'preact'
import { useState } from 'preact/hooks'
import { MAX_LABEL_NAME_CHARACTERS } from '../../../../../src/base/api/form-limits.ts'
import type { FeedbackEntry } from '../../../../../src/features/feedback/operations/feedback.ts'
import type { FeedbackLabelList } from '../../../../../src/features/feedback/operations/feedback-work.ts'
import { internal, internalQuery } from '../../api/internal.ts'
import type { Command } from '../../app/commands.ts'
import { queryClient } from '../../app/query-client.ts'
import { useUser } from '../../app/session.ts'
import { toastFailure } from '../../app/toasts.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { PickDialog, type PickOption } from '../../ui/pick-dialog.tsx'
import { plural, t } from '../../words/words.ts'
import { changeWork, labelsKey } from './change-work.ts'
import { LabelsDialog } from './labels-dialog.tsx'
import { LabelDot, useLabels } from './work-marks.tsx'

export interface WorkEntry {
  id: string
  assignee?: FeedbackEntry['assignee']
  labels?: FeedbackEntry['labels']
}

type OpenDialog = { what: 'assignee' | 'labels' | 'all-labels'; entries: readonly WorkEntry[] } | null

export interface WorkActions {
  askAssignee: (entries: readonly WorkEntry[]) => void
  askLabels: (entries: readonly WorkEntry[]) => void
  assignToMe: (entries: readonly WorkEntry[]) => void
  manageLabels: () => void
  dialogs: ComponentChild
}

export function useWorkChange(projectId: string): WorkActions {
  const me = useUser()
  const [asked, ask] = useState<OpenDialog>(null)
  const assign = (entries: readonly WorkEntry[], assignee: { id: string; name: string } | null) =>
    void changeWork(projectId, listIds(entries), { assignee }, (count) => {
      if (assignee === null) return plural(count, '{count} entry unassigned', '{count} entries unassigned')
      if (assignee.id === me.id)
        return plural(count, '{count} entry assigned to you', '{count} entries assigned to you')
      const { name } = assignee
      return plural(count, '{count} entry assigned to {name}', '{count} entries assigned to {name}', { name })
    })
  const close = () => ask(null)
  const dialogs = (
    <>
      {asked?.what === 'assignee' && (
        <AssignDialog
          entries={asked.entries}
          onChoose={(person) => {
            close()
            assign(asked.entries, person)
          }}
          onClose={close}
        />
      )}
      {asked?.what === 'labels' && (
        <LabelDialog
          projectId={projectId}
          entries={asked.entries}
          onManage={() => ask({ what: 'all-labels', entries: [] })}
          onClose={close}
        />
      )}
      {asked?.what === 'all-labels' && <LabelsDialog projectId={projectId} onClose={close} />}
    </>
  )
  return {
    askAssignee: (entries) => entries.length > 0 && ask({ what: 'assignee', entries }),
    askLabels: (entries) => entries.length > 0 && ask({ what: 'labels', entries }),
    assignToMe: (entries) => assign(entries, { id: me.id, name: me.name }),
    manageLabels: () => ask({ what: 'all-labels', entries: [] }),
    dialogs,
  }
}

/** Returns shortcuts for the selected entries, or else for the marked one. */
export function createWorkCommands(
  change: WorkActions,
  targets: () => readonly WorkEntry[],
  isOff: boolean,
): Command[] {
  const shared = { group: 'feedback', isOff } as const
  return [
    {
      ...shared,
      id: 'feedback-assign-me',
      label: t('Assign to me'),
      keys: 'a',
      icon: 'user',
      run: () => change.assignToMe(targets()),
    },
    {
      ...shared,
      id: 'feedback-assign',
      label: t('Assign to …'),
      keys: 'shift+a',
      icon: 'user-plus',
      run: () => change.askAssignee(targets()),
    },
    {
      ...shared,
      id: 'feedback-label',
      label: t('Label …', { context: 'verb' }),
      keys: 'l',
      icon: 'tag',
      run: () => change.askLabels(targets()),
    },
  ]
}

const NOBODY_ID = 'nobody'

interface AssignDialogProps {
  entries: readonly WorkEntry[]
  onChoose: (person: { id: string; name: string } | null) => void
  onClose: () => void
}

function AssignDialog({ entries, onChoose, onClose }: AssignDialogProps) {
  const me = useUser()
  const { data, error } = useQuery(internalQuery('listMembers'))
  const people = [...(data?.members ?? [])].toSorted(
    (a, b) => Number(b.userId === me.id) - Number(a.userId === me.id) || a.name.localeCompare(b.name),
  )
  // Entries of groups are loaded without assignee, so nothing is preselected for them.
  const isNow = (id: string | null) =>
    entries.every(({ assignee }) => assignee !== undefined && (assignee?.id ?? null) === id)
  const picks: PickOption[] =
    data === undefined
      ? []
      : [
          ...people.map(({ userId, name, email }) => ({
            id: userId,
            label: userId === me.id ? t('{name} (you)', { name }) : name,
            about: email,
            sign: <Icon name="user" class="text-soft" />,
            state: isNow(userId) ? ('on' as const) : ('off' as const),
          })),
          {
            id: NOBODY_ID,
            label: t('Nobody'),
            sign: <Icon name="x" class="text-soft" />,
            state: isNow(null) ? 'on' : 'off',
          },
        ]
  return (
    <PickDialog
      title={
        entries.length === 1
          ? t('Assign this entry')
          : plural(entries.length, 'Assign {count} entry', 'Assign {count} entries')
      }
      placeholder={t('Name or email address')}
      picks={picks}
      empty={error === null ? t('Loading members.') : t('The members could not be loaded. Try again.')}
      onNew={null}
      onPick={(id) => {
        const person = people.find(({ userId }) => userId === id)
        onChoose(person === undefined ? null : { id, name: person.name })
      }}
      onClose={onClose}
    />
  )
}

interface LabelDialogProps {
  projectId: string
  entries: readonly WorkEntry[]
  onManage: () => void
  onClose: () => void
}

/** Stays open, so that several labels can be added and removed. */
function LabelDialog({ projectId, entries, onManage, onClose }: LabelDialogProps) {
  const labels = useLabels(projectId)
  const { stateOf, set, make } = useLabelling(projectId, entries)
  return (
    <PickDialog
      title={
        entries.length === 1
          ? t('Labels')
          : plural(entries.length, 'Labels of {count} entry', 'Labels of {count} entries')
      }
      placeholder={t('Find a label, or type a new one')}
      maxCharacters={MAX_LABEL_NAME_CHARACTERS}
      picks={labels.map(({ id, name, colour }) => ({
        id,
        label: name,
        sign: <LabelDot colour={colour} />,
        state: stateOf(id),
      }))}
      empty={t('This project has no labels yet: type the name of the first one.')}
      onPick={(id) => {
        const label = labels.find((one) => one.id === id)
        if (label) void set(label, stateOf(id) === 'on' ? 'off' : 'on')
      }}
      onNew={(name) => void make(name)}
      below={
        labels.length > 0 && (
          <Button size="small" look="quiet" icon="pencil" onClick={onManage}>
            {t('Rename or delete labels')}
          </Button>
        )
      }
      onClose={onClose}
    />
  )
}

/** Returns the state of labels on the entries, including the changes made so far, and functions to change it. */
function useLabelling(projectId: string, entries: readonly WorkEntry[]) {
  const [states, setStates] = useState<ReadonlyMap<string, 'on' | 'off'>>(new Map())
  const stateOf = (id: string) => {
    const own = states.get(id)
    if (own !== undefined) return own
    const carrying = entries.filter((entry) => entry.labels?.some((label) => label.id === id)).length
    return carrying === 0 ? 'off' : carrying === entries.length ? 'on' : 'some'
  }
  const set = async (label: { id: string; name: string }, state: 'on' | 'off') => {
    const known = states.get(label.id)
    const show = (now: typeof known) => setStates((before) => setLabelState(before, label.id, now))
    show(state)
    const isDone = await changeWork(
      projectId,
      listIds(entries),
      state === 'on' ? { add: [label] } : { remove: [label] },
      (count) => labelChangeMessage(count, label.name, state),
    )
    if (!isDone) show(known)
  }
  const make = async (name: string) => {
    try {
      const label = await internal('createFeedbackLabel', { params: { projectId }, body: { name } })
      // Added to the list immediately, because the refetch that follows may fail.
      queryClient.setQueryData<FeedbackLabelList>(labelsKey(projectId), (known) =>
        known === undefined || known.labels.some(({ id }) => id === label.id)
          ? known
          : { ...known, labels: [...known.labels, label] },
      )
      void set(label, 'on')
    } catch (error) {
      toastFailure(t('The label was not created'), error)
    }
  }
  return { stateOf, set, make }
}

function labelChangeMessage(count: number, label: string, state: 'on' | 'off'): string {
  if (state === 'on')
    return plural(count, '{count} entry labelled “{label}”', '{count} entries labelled “{label}”', { label })
  return plural(
    count,
    '{count} entry no longer labelled “{label}”',
    '{count} entries no longer labelled “{label}”',
    { label },
  )
}

/** `undefined` removes the override, so that the state of the entries applies. */
function setLabelState(
  states: ReadonlyMap<string, 'on' | 'off'>,
  id: string,
  state: 'on' | 'off' | undefined,
): ReadonlyMap<string, 'on' | 'off'> {
  const rest = [...states].filter(([known]) => known !== id)
  return new Map(state === undefined ? rest : [...rest, [id, state]])
}

function listIds(entries: readonly WorkEntry[]): string[] {
  return entries.map(({ id }) => id)
}
