/**
 * Events of a job as they happen, across reconnects. Cached while the app is open, so that they appear immediately when
 * the user returns.
 */
import { onlineManager } from '@tanstack/react-query'
import { useEffect, useState } from 'preact/hooks'
import { ApiError } from '../../../../../src/client/call.ts'
import { followAgentJob } from '../../../../../src/client/follow-agent-job.ts'
import type { AgentEvent, AgentEventType } from '../../../../../src/features/agent/operations/agent.ts'
import { octavo } from '../../api/octavo.ts'
import { createStore, type Store, useStore } from '../../app/store.ts'

export type EventData<Type extends AgentEventType> = Extract<AgentEvent, { type: Type }>['data']

export interface JobEvents {
  events: readonly AgentEvent[]
  lastId: number
  /** True once all events that existed when the page was opened have been read. */
  isRead: boolean
}

const MAX_STORES = 20
const EMPTY: JobEvents = { events: [], lastId: 0, isRead: false }
/** Interval for rendering batches of new events, because a finished job delivers hundreds at once. */
const RENDER_INTERVAL_MS = 60

const stores = new Map<string, Store<JobEvents>>()

function findOrCreateStore(jobId: string): Store<JobEvents> {
  const known = stores.get(jobId)
  if (known !== undefined) return known
  const store = createStore(EMPTY)
  stores.set(jobId, store)
  for (const oldest of stores.keys()) {
    if (stores.size <= MAX_STORES) break
    stores.delete(oldest)
  }
  return store
}

/**
 * Reads a job's events. A finished job is read to its end; with `isActive`, listens for further events, for example
 * after a message.
 */
export function useJobEvents(
  projectId: string,
  jobId: string,
  isActive: boolean,
): JobEvents & { error: unknown } {
  const store = findOrCreateStore(jobId)
  const [error, setError] = useState<unknown>(null)
  const isOnline = useOnline()
  useEffect(() => {
    if (!isOnline) return
    if (!isActive && store.get().isRead) return
    const stop = new AbortController()
    setError(null)
    readJobEvents(store, projectId, jobId, stop.signal).catch((thrown: unknown) => {
      if (!stop.signal.aborted && thrown instanceof ApiError) setError(thrown)
    })
    return () => stop.abort()
  }, [store, projectId, jobId, isActive, isOnline])
  return { ...useStore(store), error }
}

function useOnline(): boolean {
  const [isOnline, setOnline] = useState(onlineManager.isOnline())
  useEffect(() => onlineManager.subscribe(setOnline), [])
  return isOnline
}

async function readJobEvents(
  store: Store<JobEvents>,
  projectId: string,
  jobId: string,
  signal: AbortSignal,
): Promise<void> {
  const fresh: AgentEvent[] = []
  let { lastId } = store.get()
  let timer: ReturnType<typeof setTimeout> | undefined
  const show = (isRead: boolean) => {
    clearTimeout(timer)
    timer = undefined
    const { events } = store.get()
    store.set({ events: fresh.length === 0 ? events : [...events, ...fresh.splice(0)], lastId, isRead })
  }
  try {
    for await (const { id, event } of followAgentJob(octavo, projectId, jobId, {
      after: lastId,
      signal,
      tries: 30,
    })) {
      fresh.push(event)
      lastId = id
      timer ??= setTimeout(() => show(false), RENDER_INTERVAL_MS)
    }
    show(true)
  } finally {
    show(store.get().isRead)
  }
}

export function findLastEvent<Type extends AgentEventType>(
  events: readonly AgentEvent[],
  type: Type,
): EventData<Type> | null {
  const found = events.findLast((event) => event.type === type)
  return (found?.data ?? null) as EventData<Type> | null
}
