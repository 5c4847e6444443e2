/** The steps of a job as they happen, over connections that break; kept while the app is open, so that a way back shows them at once. */
import { onlineManager } from '@tanstack/react-query'
import { useEffect, useState } from 'preact/hooks'
import { ApiError } from '../../../../../src/client/call.ts'
import { followAgentJob } from '../../../../../src/client/follow-agent-job.ts'
import type { AgentEvent, AgentEventType } from '../../../../../src/contract/agent.ts'
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

/** What one prompt led to. */
export interface Turn {
  /** Null: before the first prompt. */
  prompt: { text: string; number: number } | null
  steps: readonly AgentEvent[]
}

const SHOWN: readonly AgentEventType[] = [
  'text',
  'tool',
  'plan',
  'check',
  'notice',
  'waiting',
  'changes',
  'job',
]

/**
 * Steps by prompt, without those that only count; of the states of the job only its ends. A plan stands for the tool that
 * made it.
 */
export function turnsOf(events: readonly AgentEvent[]): Turn[] {
  const turns: { prompt: Turn['prompt']; steps: AgentEvent[] }[] = []
  for (const event of events) {
    if (event.type === 'prompt')
      turns.push({ prompt: { text: event.data.prompt, number: event.data.number }, steps: [] })
    else if (SHOWN.includes(event.type) && !isLeftOut(event)) {
      if (turns.length === 0) turns.push({ prompt: null, steps: [] })
      const { steps } = turns.at(-1) as (typeof turns)[number]
      if (replaces(event, steps.at(-1))) steps.pop()
      // Checked again after the agent has looked at its change once more: the last check says that it passes.
      const check = steps.findLastIndex(({ type }) => type === 'check')
      if (isPassed(event) && isPassed(steps[check])) steps.splice(check, 1)
      // The end says it once: that it finished, and how many files it changed.
      if (isDone(event)) steps.splice(0, steps.length, ...steps.filter((step) => !isSaidByEnd(step)))
      steps.push(event)
    }
  }
  return turns
}

function isSaidByEnd({ type, data }: AgentEvent): boolean {
  return type === 'changes' || (type === 'tool' && data.name === 'finish' && !data.isError)
}

function isPassed(event: AgentEvent | undefined): boolean {
  return event?.type === 'check' && event.data.passed
}

function isDone(event: AgentEvent): boolean {
  return event.type === 'job' && event.data.status === 'completed'
}

/** The last of several waits stands for all of them, and so does the last word of the same end. */
function replaces(event: AgentEvent, last: AgentEvent | undefined): boolean {
  if (event.type === 'waiting') return last?.type === 'waiting'
  if (event.type !== 'job' || last?.type !== 'job') return false
  return event.data.status === last.data.status && event.data.error === last.data.error
}

function isLeftOut(event: AgentEvent): boolean {
  if (event.type === 'tool') return event.data.name === 'plan' && !event.data.isError
  return event.type === 'job' && event.data.status === 'active'
}

/** The newest event of the type. */
export function lastOf<Type extends AgentEventType>(
  events: readonly AgentEvent[],
  type: Type,
): EventData<Type> | null {
  const found = events.findLast((event) => event.type === type)
  return (found?.data ?? null) as EventData<Type> | null
}
