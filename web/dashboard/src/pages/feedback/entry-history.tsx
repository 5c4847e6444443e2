/** What was done to an entry, by whom and when, and the notes that were left; and the box for a new one. */

import { useQuery } from '@tanstack/react-query'
import { useState } from 'preact/hooks'
import type { FeedbackChange, FeedbackDetail } from '../../../../../src/contract/feedback.ts'
import { internalQuery } from '../../api/internal.ts'
import { octavo } from '../../api/send.ts'
import { changeOf, useOptimisticMutation } from '../../app/optimistic.ts'
import { useMayDo, useUser } from '../../app/session.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Textarea } from '../../ui/input.tsx'
import { Keys } from '../../ui/kbd.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { t } from '../../words/words.ts'
import { entryKey } from './entry-lists.ts'
import { statusLabel } from './labels.ts'

/** As the API takes them. */
const LONGEST_NOTE = 5000

export function EntryHistory({ entry }: { entry: Pick<FeedbackDetail, 'createdAt' | 'history'> }) {
  const nameOf = useActorNames()
  return (
    <ol class="space-y-3">
      {entry.createdAt !== null && (
        <li class="flex items-center gap-2 text-13 text-soft">
          <Icon name="inbox" size={14} class="text-faint" />
          <span>{t('Came in')}</span>
          <RelativeTime at={entry.createdAt} class="text-12 text-faint" />
        </li>
      )}
      {entry.history.map((change, index) => (
        <li key={`${change.at}-${index}`} class="text-13">
          <Change change={change} nameOf={nameOf} />
        </li>
      ))}
    </ol>
  )
}

function Change({ change, nameOf }: { change: FeedbackChange; nameOf: (actor: string) => string }) {
  const { at, actor, to, note, assignee } = change
  const status = to === null ? null : statusLabel(to)
  const icon = status?.icon ?? (assignee !== null ? 'user' : change.labels !== null ? 'tag' : 'sticky-note')
  return (
    <>
      <p class="flex flex-wrap items-center gap-x-2 text-soft">
        <Icon name={icon} size={14} class={status?.tone ?? 'text-faint'} />
        <span>
          <span class="font-medium text-text">{nameOf(actor)}</span> {deedsOf(change, nameOf)}
        </span>
        <RelativeTime at={at} class="text-12 text-faint" />
      </p>
      {note !== null && (
        <p
          dir="auto"
          class="mt-1 ml-[22px] rounded-sm bg-neutral-3 px-3 py-2 break-words whitespace-pre-wrap text-text"
        >
          <PlainText text={note} />
        </p>
      )}
    </>
  )
}

function deedsOf(
  { actor, from, to, assignee, labels }: FeedbackChange,
  nameOf: (actor: string) => string,
): string {
  const deeds = [
    to === null
      ? null
      : `changed ${from === null ? 'the status' : statusLabel(from).label} to ${statusLabel(to).label}`,
    assignee === null ? null : assigneeDeed(actor, assignee, nameOf),
    labels === null || labels.added.length === 0 ? null : `added ${labelNames(labels.added)}`,
    labels === null || labels.removed.length === 0 ? null : `removed ${labelNames(labels.removed)}`,
  ].filter((deed) => deed !== null)
  return deeds.length === 0 ? 'left a note' : deeds.join(', ')
}

function assigneeDeed(
  actor: string,
  { from, to }: NonNullable<FeedbackChange['assignee']>,
  nameOf: (actor: string) => string,
): string {
  if (to === null)
    return from === actor ? 'stopped working on it' : `unassigned ${inSentence(nameOf(from ?? ''))}`
  return to === actor ? 'took it on' : `assigned ${inSentence(nameOf(to))}`
}

/** `You` and `A former member` begin sentences elsewhere. */
function inSentence(name: string): string {
  return name === 'You' || name === 'A former member' ? name.toLowerCase() : name
}

function labelNames(names: readonly string[]): string {
  return `the ${names.length === 1 ? 'label' : 'labels'} ${names.join(', ')}`
}

/** Names of members; keys, jobs and the server itself in words. */
function useActorNames(): (actor: string) => string {
  const me = useUser()
  const { data } = useQuery(internalQuery('listMembers'))
  const names = new Map(data?.members.map(({ userId, name }) => [userId, name]))
  return (actor) => {
    if (actor === me.id) return 'You'
    if (actor.startsWith('key_')) return 'An API key'
    if (actor.startsWith('aj_')) return 'An agent job'
    if (actor === 'cli') return 'The command line'
    if (actor === 'system') return 'Octavo'
    return names.get(actor) ?? 'A former member'
  }
}

export function NoteForm({
  projectId,
  feedbackId,
  fieldRef,
}: {
  projectId: string
  feedbackId: string
  fieldRef: { current: HTMLTextAreaElement | null }
}) {
  const [text, setText] = useState('')
  const mayWrite = useMayDo('feedback')
  const add = useNewNote(projectId, feedbackId, (lost) => setText((now) => now || lost))
  if (!mayWrite) return null
  const save = () => {
    const note = text.trim()
    if (note === '') return
    setText('')
    add(note)
  }
  return (
    <form
      class="mt-4"
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      <Textarea
        textareaRef={fieldRef}
        aria-label={t('Internal note')}
        placeholder={t('Internal note: readers never see it')}
        maxLength={LONGEST_NOTE}
        dir="auto"
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey)) return
          event.preventDefault()
          save()
        }}
      />
      <div class="mt-2 flex items-center justify-end gap-3">
        <span class="flex items-center gap-1.5 text-12 text-faint coarse:hidden">
          <Keys keys="mod+Enter" /> saves
        </span>
        <Button size="small" type="submit" disabled={text.trim() === ''}>
          {t('Add note')}
        </Button>
      </div>
    </form>
  )
}

/** Shows at once; what was refused is given back. */
function useNewNote(projectId: string, feedbackId: string, giveBack: (note: string) => void) {
  const me = useUser()
  const queryKey = entryKey(projectId, feedbackId)
  const add = useOptimisticMutation({
    send: (note: string) => octavo.updateFeedback(projectId, feedbackId, { note }),
    changes: (note) => [
      changeOf<FeedbackDetail>(queryKey, (detail) => ({
        ...detail,
        history: [
          ...detail.history,
          {
            at: new Date().toISOString(),
            actor: me.id,
            from: null,
            to: null,
            note,
            assignee: null,
            labels: null,
          },
        ],
      })),
    ],
    failed: 'The note was not saved',
    renews: () => [queryKey],
  })
  return (note: string) => add.mutate(note, { onError: () => giveBack(note) })
}
