/**
 * Connection state of the app, as a single store. The state becomes `offline` when the browser reports that it is
 * offline or a request gets no response, and `online` again when a probe of the server succeeds; probes are sent at
 * growing intervals. While offline, queries are not refetched automatically. User actions are still sent unless the
 * browser itself reports no network, because one failed request does not mean that the next one fails.
 */
import { onlineManager } from '@tanstack/react-query'
import { t } from '../words/words.ts'

const MIN_RETRY_DELAY_MS = 1000
const MAX_RETRY_DELAY_MS = 15_000

let isOnline = navigator.onLine
let retryDelayMs = MIN_RETRY_DELAY_MS
let timer: ReturnType<typeof setTimeout> | undefined

/** Thrown when there is no connection, so the request was not sent. */
export class OfflineError extends Error {
  override name = 'OfflineError'
  constructor() {
    super(t('You are offline, so this was not sent. Try again when the connection is back.'))
  }
}

export function reportDisconnected(): void {
  setOnlineState(false)
}

export function reportConnected(): void {
  if (navigator.onLine) setOnlineState(true)
}

export function watchConnection(): void {
  onlineManager.setEventListener(() => undefined)
  onlineManager.setOnline(isOnline)
  window.addEventListener('offline', () => setOnlineState(false))
  window.addEventListener('online', () => checkServer())
  if (!isOnline) checkServer()
}

function setOnlineState(to: boolean): void {
  if (isOnline === to) return
  isOnline = to
  onlineManager.setOnline(to)
  retryDelayMs = MIN_RETRY_DELAY_MS
  clearTimeout(timer)
  if (!to) timer = setTimeout(checkServer, retryDelayMs)
}

async function checkServer(): Promise<void> {
  clearTimeout(timer)
  const response = await fetch('/internal/session', { headers: { accept: 'application/json' } }).catch(
    () => null,
  )
  if (response !== null && navigator.onLine) return setOnlineState(true)
  retryDelayMs = Math.min(MAX_RETRY_DELAY_MS, retryDelayMs * 2)
  timer = setTimeout(checkServer, retryDelayMs)
}
