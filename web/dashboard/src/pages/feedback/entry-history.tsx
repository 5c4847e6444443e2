/** History of an entry, with notes and a field for a new note. */

import { useQuery } from '@tanstack/react-query'
import { Fragment } from 'preact'
import { useState } from 'preact/hooks'
import type {
  FeedbackChange,
  FeedbackDetail,
} from '../../../../../src/features/feedback/operations/feedback.ts'
import { internalQuery } from '../../api/internal.ts'
import { octavo } from '../../api/octavo.ts'
import { useProjectId } from '../../app/current-project.ts'
import { toCacheChange, useOptimisticMutation } from '../../app/optimistic.ts'
import { useHasPermission, useUser } from '../../app/session.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Textarea } from '../../ui/input.tsx'
import { Keys } from '../../ui/kbd.tsx'
import { Link } from '../../ui/link.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { rich, t } from '../../words/words.ts'
import { type Actors, describeChange } from './change-descriptions.tsx'
import { entryKey } from './entry-lists.ts'
import { statusLabel } from './labels.ts'

/** API limit in characters. */
const MAX_NOTE_CHARACTERS = 5000

export function EntryHistory({ entry }: { entry: Pick<FeedbackDetail, 'createdAt' | 'history'> }) {
  const actors = useActors()
  return (
    <ol class="space-y-3">
      {entry.createdAt !== null && (
        <li class="flex items-center gap-2 text-13 text-soft">
          <Icon name="inbox" size={14} class="text-faint" />
          <span>{t('Received')}</span>
          <RelativeTime at={entry.createdAt} class="text-12 text-faint" />
        </li>
      )}
      {entry.history.map((change, index) => (
        <li key={`${change.at}-${index}`} class="text-13">
          <Change change={change} actors={actors} />
        </li>
      ))}
    </ol>
  )
}

function Change({ change, actors }: { change: FeedbackChange; actors: Actors }) {
  const { at, to, note, assignee } = change
  const status = to === null ? null : statusLabel(to)
  const icon = status?.icon ?? (assignee !== null ? 'user' : change.labels !== null ? 'tag' : 'sticky-note')
  return (
    <>
      <p class="flex gap-2 text-soft">
        <span class="flex h-5 items-center">
          <Icon name={icon} size={14} class={status?.tone ?? 'text-faint'} />
        </span>
        <span class="min-w-0 break-words">
          {describeChange(change, actors).map((description, index) => (
            <Fragment key={index}>
              {index > 0 && ' · '}
              {description}
            </Fragment>
          ))}{' '}
          <RelativeTime at={at} class="ml-1 text-12 text-faint" />
        </span>
      </p>
      {note !== null && (
        <p
          dir="auto"
          class="mt-1 ml-[22px] rounded-sm bg-neutral-3 px-3 py-2 break-words whitespace-pre-wrap text-text"
        >
          <NoteText note={note} projectId={actors.projectId} />
        </p>
      )}
    </>
  )
}

const JOB_ID = /\b(aj_[0-9a-z]{26})\b/

/** Renders a note. Job ids, which the agent and the server mention, become links in the usual short form. */
function NoteText({ note, projectId }: { note: string; projectId: string }) {
  return (
    <>
      {note.split(JOB_ID).map((piece, index) =>
        index % 2 === 0 ? (
          <PlainText key={index} text={piece} />
        ) : (
          <Link
            key={index}
            look="quiet"
            href={`/p/${projectId}/agent/${piece}`}
            title={piece}
            class="font-mono text-12 underline"
          >
            …{piece.slice(-6)}
          </Link>
        ),
      )}
    </>
  )
}

function useActors(): Actors {
  const projectId = useProjectId()
  const me = useUser()
  const { data } = useQuery(internalQuery('listMembers'))
  return { projectId, me: me.id, members: new Map(data?.members.map(({ userId, name }) => [userId, name])) }
}

interface NoteFormProps {
  projectId: string
  feedbackId: string
  fieldRef: { current: HTMLTextAreaElement | null }
}

export function NoteForm({ projectId, feedbackId, fieldRef }: NoteFormProps) {
  const [text, setText] = useState('')
  const mayWrite = useHasPermission('feedback')
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
        maxLength={MAX_NOTE_CHARACTERS}
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
          {rich('{keys} saves', { keys: <Keys keys="mod+Enter" /> })}
        </span>
        <Button size="small" type="submit" disabled={text.trim() === ''}>
          {t('Add note')}
        </Button>
      </div>
    </form>
  )
}

/** Adds a note optimistically; a rejected note is returned to the field. */
function useNewNote(projectId: string, feedbackId: string, restoreDraft: (note: string) => void) {
  const me = useUser()
  const queryKey = entryKey(projectId, feedbackId)
  const add = useOptimisticMutation({
    send: (note: string) => octavo.updateFeedback(projectId, feedbackId, { note }),
    changes: (note) => [
      toCacheChange<FeedbackDetail>(queryKey, (detail) => ({
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
    failed: t('The note was not saved'),
    invalidates: () => [queryKey],
  })
  return (note: string) => add.mutate(note, { onError: () => restoreDraft(note) })
}
