/** Asks which status, asks again before many are changed, tells how far it is, and changes: for the list and for groups. */

import type { ComponentChild } from 'preact'
import { useState } from 'preact/hooks'
import type { SameEntry } from '../../../../../src/contract/dashboard-feedback.ts'
import type { FeedbackStatus } from '../../../../../src/contract/feedback.ts'
import { toast } from '../../app/toasts.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { counted } from '../../ui/numbers.ts'
import { t } from '../../words/words.ts'
import { statusLabel } from './labels.ts'
import { StatusDialog } from './status-dialog.tsx'
import { changeStatuses, changesTo, wordsFor } from './triage.ts'

/** From so many on, a change asks first, and tells how far it is. */
const MANY = 100

/** Of what takes a while; `total` null while it is not known. */
export type Progress = { done: number; total: number | null; words: string } | null

export interface StatusChange {
  progress: Progress
  setProgress: (progress: Progress) => void
  /** Asks which status these shall have. */
  ask: (entries: readonly SameEntry[]) => void
  /** Changes these, many only after asking. */
  choose: (entries: readonly SameEntry[], to: FeedbackStatus) => void
  /** Whichever question is open. */
  dialogs: ComponentChild
}

/** `changed` hears which entries are on their way, as soon as that shows. */
export function useStatusChange(
  projectId: string,
  changed: (ids: ReadonlySet<string>) => void = () => undefined,
): StatusChange {
  const [asked, ask] = useState<readonly SameEntry[] | null>(null)
  const [confirmed, setConfirmed] = useState<{ entries: readonly SameEntry[]; to: FeedbackStatus } | null>(
    null,
  )
  const [progress, setProgress] = useState<Progress>(null)

  const change = (entries: readonly SameEntry[], to: FeedbackStatus) => {
    const changes = changesTo(
      entries.map(({ id, status }) => [id, status] as const),
      to,
    )
    if (changes.size === 0)
      return toast({ kind: 'info', title: t('{label} already', { label: statusLabel(to).label }) })
    const report = (done: number) =>
      changes.size > MANY && setProgress({ done, total: changes.size, words: t('Changing the status') })
    void changeStatuses(projectId, changes, wordsFor(changes), report).finally(() => setProgress(null))
    changed(new Set(changes.keys()))
  }
  const choose = (entries: readonly SameEntry[], to: FeedbackStatus) => {
    ask(null)
    if (entries.length >= MANY) setConfirmed({ entries, to })
    else change(entries, to)
  }
  const dialogs = (
    <>
      {asked !== null && (
        <StatusDialog
          title={
            asked.length === 1
              ? t('Set the status')
              : `Set the status of ${counted(asked.length, 'entry', 'entries')}`
          }
          current={commonStatus(asked)}
          onChoose={(to) => choose(asked, to)}
          onClose={() => ask(null)}
        />
      )}
      {confirmed !== null && (
        <ConfirmDialog
          title={`Set ${counted(confirmed.entries.length, 'entry', 'entries')} to ${statusLabel(confirmed.to).label.toLowerCase()}?`}
          action={`Set ${counted(confirmed.entries.length, 'entry', 'entries')}`}
          onConfirm={async () => change(confirmed.entries, confirmed.to)}
          onClose={() => setConfirmed(null)}
        >
          <p>{t('Each change is recorded in the history of its entry, and you can undo it.')}</p>
        </ConfirmDialog>
      )}
    </>
  )
  return { progress, setProgress, ask, choose, dialogs }
}

function commonStatus([first, ...others]: readonly SameEntry[]): FeedbackStatus | null {
  return first !== undefined && others.every(({ status }) => status === first.status) ? first.status : null
}
