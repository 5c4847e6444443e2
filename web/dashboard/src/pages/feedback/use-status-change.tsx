/** Status changes for lists and groups: dialog, confirmation for many entries, progress and the change itself. */

import type { ComponentChild } from 'preact'
import { useState } from 'preact/hooks'
import type { FeedbackStatus } from '../../../../../src/features/feedback/operations/feedback.ts'
import type { SameEntry } from '../../../../../src/features/feedback/operations/inbox.ts'
import { toast } from '../../app/toasts.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { plural, t } from '../../words/words.ts'
import { buildStatusChanges, changeStatuses, describeStatusChanges } from './change-statuses.ts'
import { statusLabel } from './labels.ts'
import { StatusDialog } from './status-dialog.tsx'

/** Number of entries from which a change asks for confirmation and shows progress. */
const CONFIRM_THRESHOLD = 100

/** Progress text of a running change. */
export type Progress = { words: string } | null

export interface StatusChange {
  progress: Progress
  setProgress: (progress: Progress) => void
  /** Opens the status dialog for these entries. */
  ask: (entries: readonly SameEntry[]) => void
  /** Changes these entries, after a confirmation if there are many. */
  choose: (entries: readonly SameEntry[], to: FeedbackStatus) => void
  /** The currently open dialog. */
  dialogs: ComponentChild
}

/** `changed` is called with the affected entries as soon as the change is visible. */
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
    const changes = buildStatusChanges(
      entries.map(({ id, status }) => [id, status] as const),
      to,
    )
    if (changes.size === 0)
      return toast({ kind: 'info', title: t('{status} already', { status: statusLabel(to).label }) })
    const report = (done: number) =>
      changes.size > CONFIRM_THRESHOLD && setProgress({ words: formatProgress(done, changes.size) })
    void changeStatuses(projectId, changes, describeStatusChanges(changes), report).finally(() =>
      setProgress(null),
    )
    changed(new Set(changes.keys()))
  }
  const choose = (entries: readonly SameEntry[], to: FeedbackStatus) => {
    ask(null)
    if (entries.length >= CONFIRM_THRESHOLD) setConfirmed({ entries, to })
    else change(entries, to)
  }
  const dialogs = (
    <>
      {asked !== null && (
        <StatusDialog
          title={
            asked.length === 1
              ? t('Set the status')
              : plural(asked.length, 'Set the status of {count} entry', 'Set the status of {count} entries')
          }
          current={commonStatus(asked)}
          onChoose={(to) => choose(asked, to)}
          onClose={() => ask(null)}
        />
      )}
      {confirmed !== null && (
        <ConfirmDialog
          title={statusLabel(confirmed.to).confirmationTitle(confirmed.entries.length)}
          action={plural(confirmed.entries.length, 'Set {count} entry', 'Set {count} entries')}
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

function formatProgress(done: number, total: number): string {
  return plural(
    total,
    'Changing the status: {done} of {count} entry',
    'Changing the status: {done} of {count} entries',
    { done },
  )
}

function commonStatus([first, ...others]: readonly SameEntry[]): FeedbackStatus | null {
  return first !== undefined && others.every(({ status }) => status === first.status) ? first.status : null
}
