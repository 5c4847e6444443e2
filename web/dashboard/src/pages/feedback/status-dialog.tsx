/** Dialog to choose a status by number, letter, or arrows and Enter. */

import { useLayoutEffect, useRef } from 'preact/hooks'
import type { FeedbackStatus } from '../../../../../src/features/feedback/operations/feedback.ts'
import { classes } from '../../ui/classes.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Kbd } from '../../ui/kbd.tsx'
import { t } from '../../words/words.ts'
import { STATUSES } from './labels.ts'

const NOW = t('now', { context: 'current status' })

export function StatusDialog({
  title,
  current,
  onChoose,
  onClose,
}: {
  title: string
  /** Common status of all entries; null when they differ. */
  current: FeedbackStatus | null
  onChoose: (status: FeedbackStatus) => void
  onClose: () => void
}) {
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
