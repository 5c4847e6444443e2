/** Status changes for lists and groups: dialog, confirmation for many entries, progress and the change itself. */

import type { ComponentChild } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { FeedbackStatus } from '../../../../../src/features/feedback/operations/feedback.ts'
import type { Duplicate } from '../../../../../src/features/feedback/operations/inbox.ts'
import { ConfirmDialog } from '../../app/dialogs.tsx'
import { toast } from '../../app/toasts.ts'
import { classes } from '../../ui/classes.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Kbd } from '../../ui/kbd.tsx'
import { plural, t } from '../../words/words.ts'
import { buildStatusChanges, changeStatuses, describeStatusChanges } from './change-statuses.ts'
import { STATUSES, statusLabel } from './labels.ts'

/** Number of entries from which a change requires confirmation and shows progress. */
const CONFIRM_THRESHOLD = 100

export type Progress = { words: string } | null

export interface StatusChange {
  progress: Progress
  setProgress: (progress: Progress) => void
  ask: (entries: readonly Duplicate[]) => void
  /** Changes these entries, after a confirmation if there are many. */
  choose: (entries: readonly Duplicate[], to: FeedbackStatus) => void
  dialogs: ComponentChild
}

/** `changed` is called with the affected entries as soon as the change is visible. */
export function useStatusChange(
  projectId: string,
  changed: (ids: ReadonlySet<string>) => void = () => undefined,
): StatusChange {
  const [asked, ask] = useState<readonly Duplicate[] | null>(null)
  const [confirmed, setConfirmed] = useState<{
    entries: readonly Duplicate[]
    to: FeedbackStatus
  } | null>(null)
  const [progress, setProgress] = useState<Progress>(null)

  const change = (entries: readonly Duplicate[], to: FeedbackStatus) => {
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
  const choose = (entries: readonly Duplicate[], to: FeedbackStatus) => {
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

function commonStatus([first, ...others]: readonly Duplicate[]): FeedbackStatus | null {
  return first !== undefined && others.every(({ status }) => status === first.status) ? first.status : null
}

const NOW = t('now', { context: 'current status' })

interface StatusDialogProps {
  title: string
  /** Common status of all entries; null when they differ. */
  current: FeedbackStatus | null
  onChoose: (status: FeedbackStatus) => void
  onClose: () => void
}

function StatusDialog({ title, current, onChoose, onClose }: StatusDialogProps) {
  const list = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const at = STATUSES.findIndex(({ status }) => status === current)
    list.current?.querySelectorAll('button')[Math.max(0, at)]?.focus()
  }, [current])

  const newest = useRef(onChoose)
  newest.current = onChoose
  // Works wherever the focus is in the dialog.
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const chosen = STATUSES.find(({ keys }) => keys.includes(event.key.toLowerCase()))
      const step = { ArrowDown: 1, ArrowUp: -1, j: 1, k: -1 }[event.key]
      if (event.metaKey || event.ctrlKey || event.altKey || (chosen === undefined && step === undefined))
        return
      event.preventDefault()
      event.stopPropagation()
      if (chosen !== undefined) newest.current(chosen.status)
      else moveFocus(list.current, step ?? 0)
    }
    document.addEventListener('keydown', onKeyDown, true)
    return () => document.removeEventListener('keydown', onKeyDown, true)
  }, [])

  return (
    <Dialog title={title} width="sm" onClose={onClose}>
      <div ref={list} class="-mx-2 -mb-2" role="group" aria-label={t('Status')}>
        {STATUSES.map(({ status, label, icon, tone, keys }) => (
          <button
            key={status}
            type="button"
            class="flex h-9 coarse:h-(--control) w-full items-center gap-3 rounded-sm px-2 text-left outline-offset-[-2px] hover:bg-hover focus:bg-hover"
            onClick={() => onChoose(status)}
          >
            <Icon name={icon} class={tone} />
            <span class={classes('flex-1', status === current && 'font-medium')}>{label}</span>
            {status === current && <span class="text-12 text-faint">{NOW}</span>}
            <span class="flex gap-1 coarse:hidden">
              {keys.map((key) => (
                <Kbd key={key}>{key.toUpperCase()}</Kbd>
              ))}
            </span>
          </button>
        ))}
      </div>
    </Dialog>
  )
}

function moveFocus(list: HTMLElement | null, step: number): void {
  const all = [...(list?.querySelectorAll('button') ?? [])]
  const at = all.indexOf(document.activeElement as HTMLButtonElement)
  all[(at + step + all.length) % all.length]?.focus()
}
