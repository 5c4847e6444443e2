/** The steps of a job as they happen, over connections that break; kept while the app is open, so that a way back shows them at once. */
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
  /** Of the last event. */
  lastId: number
  /** All that there was when one came has been read. */
  isRead: boolean
}

/** Jobs whose steps are kept. */
const KEPT = 20
const EMPTY: JobEvents = { events: [], lastId: 0, isRead: false }
/** New events show together, this often: a job that ended long ago brings hundreds at once. */
const SHOW_MS = 60

const stores = new Map<string, Store<JobEvents>>()

function storeOf(jobId: string): Store<JobEvents> {
  const known = stores.get(jobId)
  if (known !== undefined) return known
  const store = createStore(EMPTY)
  stores.set(jobId, store)
  for (const oldest of stores.keys()) {
    if (stores.size <= KEPT) break
    stores.delete(oldest)
  }
  return store
}

/** `isActive` decides whether to listen on: a finished job is read to its end, a message makes it go on. */
export function useJobEvents(
  projectId: string,
  jobId: string,
  isActive: boolean,
): JobEvents & { error: unknown } {
  const store = storeOf(jobId)
  const [error, setError] = useState<unknown>(null)
  const isOnline = useOnline()
  useEffect(() => {
    if (!isOnline) return
    if (!isActive && store.get().isRead) return
    const stop = new AbortController()
    setError(null)
    read(store, projectId, jobId, stop.signal).catch((thrown: unknown) => {
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

async function read(
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
      timer ??= setTimeout(() => show(false), SHOW_MS)
    }
    show(true)
  } finally {
    show(store.get().isRead)
  }
}

/** The newest event of the type. */
export function lastOf<Type extends AgentEventType>(
  events: readonly AgentEvent[],
  type: Type,
): EventData<Type> | null {
  const found = events.findLast((event) => event.type === type)
  return (found?.data ?? null) as EventData<Type> | null
}
