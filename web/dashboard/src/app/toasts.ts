/** Short messages at the edge of the page. */

import { explainError } from '../api/errors.ts'
import { t } from '../words/words.ts'
import { createStore } from './store.ts'

export interface Toast {
  id: number
  kind: 'done' | 'failed' | 'info'
  title: string
  detail?: string
  requestId?: string | null
  /** Path of the page to which a failure belongs; leaving the page closes the message. */
  page?: string
  action?: { label: string; run: () => void }
}

/** Lifetimes of toasts: toasts with an action stay longer, failures stay until they are closed. */
const PLAIN_DURATION_MS = 5000
const ACTION_DURATION_MS = 9000
const MAX_TOASTS = 4

export const toastStore = createStore<readonly Toast[]>([])

let lastId = 0

export function toast(newToast: Omit<Toast, 'id'>): number {
  const id = ++lastId
  toastStore.set([...toastStore.get(), { ...newToast, id }].slice(-MAX_TOASTS))
  return id
}

export function toastFailure(
  title: string,
  error: unknown,
  more: Pick<Toast, 'action' | 'detail'> = {},
): number {
  const { title: reason, advice, requestId } = explainError(error)
  const detail = [reason, advice].filter(Boolean).map(toSentence).join(' ')
  return toast({ kind: 'failed', title, detail, requestId, page: location.pathname, ...more })
}

function toSentence(text: string): string {
  return /[\p{P}]$/u.test(text) ? text : `${text}.`
}

export function closeFailuresOfOtherPages(pathname: string): void {
  const remaining = toastStore.get().filter(({ page = pathname }) => page === pathname)
  if (remaining.length < toastStore.get().length) toastStore.set(remaining)
}

/** Undo functions, newest last. The shortcut can undo changes whose toast is no longer shown. */
const undos: (() => void)[] = []
const MAX_UNDOS = 20

/** Shows a message with an undo button: `Done. [Undo]` */
export function toastWithUndo(title: string, undo: () => void): number {
  const run = () => {
    const at = undos.indexOf(run)
    if (at === -1) return // Already undone.
    undos.splice(at, 1)
    closeToast(id)
    undo()
  }
  undos.push(run)
  undos.splice(0, undos.length - MAX_UNDOS)
  const id = toast({ kind: 'done', title, action: { label: t('Undo'), run } })
  return id
}

export function undoLast(): void {
  const last = undos.at(-1)
  if (last === undefined) toast({ kind: 'info', title: t('Nothing to undo') })
  else last()
}

export function closeToast(id: number): void {
  toastStore.set(toastStore.get().filter((one) => one.id !== id))
}

/** Returns the lifetime of a toast in ms; null keeps it until it is closed. */
export function toastDurationMs({ kind, action }: Toast): number | null {
  if (kind === 'failed') return null
  return action === undefined ? PLAIN_DURATION_MS : ACTION_DURATION_MS
}
