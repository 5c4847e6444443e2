/**
 * Whether the server can be reached, as one store for the whole app. `online` turns `offline` when the browser says so,
 * or when a request finds nobody; back when a look at the server succeeds, which is tried later and later. Meanwhile
 * nothing is asked again by itself. What a person does is sent all the same, unless the browser knows of no network: one
 * request that found nobody says little of the next.
 */
import { onlineManager } from '@tanstack/react-query'
import { t } from '../words/words.ts'

const FIRST_LOOK_MS = 1000
const LAST_LOOK_MS = 15_000

let isOnline = navigator.onLine
let lookMs = FIRST_LOOK_MS
let timer: ReturnType<typeof setTimeout> | undefined

/** There is no connection, so nothing was sent. */
export class OfflineError extends Error {
  override name = 'OfflineError'
  constructor() {
    super(t('You are offline, so this was not sent. Try again when the connection is back.'))
  }
}

/** Nobody answered: offline until somebody does. */
export function connectionFailed(): void {
  set(false)
}

export function connectionWorks(): void {
  if (navigator.onLine) set(true)
}

export function watchConnection(): void {
  onlineManager.setEventListener(() => undefined)
  onlineManager.setOnline(isOnline)
  window.addEventListener('offline', () => set(false))
  window.addEventListener('online', () => look())
  if (!isOnline) look()
}

function set(to: boolean): void {
  if (isOnline === to) return
  isOnline = to
  onlineManager.setOnline(to)
  lookMs = FIRST_LOOK_MS
  clearTimeout(timer)
  if (!to) timer = setTimeout(look, lookMs)
}

async function look(): Promise<void> {
  clearTimeout(timer)
  const response = await fetch('/internal/session', { headers: { accept: 'application/json' } }).catch(
    () => null,
  )
  if (response !== null && navigator.onLine) return set(true)
  lookMs = Math.min(LAST_LOOK_MS, lookMs * 2)
  timer = setTimeout(look, lookMs)
}
