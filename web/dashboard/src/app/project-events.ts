/**
 * Live changes of a project: one stream per page, which reconnects when it breaks. Queries whose `meta.live` includes
 * the kind of a change are refetched; pages that handle changes themselves use `useProjectEvents`.
 */
import { useEffect, useRef } from 'preact/hooks'
import { pause } from '../../../../src/base/net/retry.ts'
import { readEvents } from '../../../../src/client/server-sent-events.ts'
import type { ProjectEvent } from '../../../../src/features/projects/operations/projects.ts'
import { addressOf } from '../api/internal.ts'
import { caller } from '../api/send.ts'
import { queryClient } from './query-client.ts'

export type LiveKind = ProjectEvent['kind']

const MIN_RECONNECT_DELAY_MS = 1000
const MAX_RECONNECT_DELAY_MS = 30_000

type Listener = (event: ProjectEvent) => void
const listeners = new Set<Listener>()

/**
 * Calls `handler` for each change of the given kinds. `id: null` means many changes: reload all of that kind.
 */
export function useProjectEvents(kinds: readonly LiveKind[], handler: (event: ProjectEvent) => void): void {
  const latestHandler = useRef(handler)
  latestHandler.current = handler
  const watched = kinds.join(' ')
  useEffect(() => {
    const listener: Listener = (event) => {
      if (watched.split(' ').includes(event.kind)) latestHandler.current(event)
    }
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }, [watched])
}

export function useProjectStream(projectId: string | undefined): void {
  useEffect(() => {
    if (projectId === undefined) return
    const stop = new AbortController()
    void streamEvents(projectId, stop.signal).catch(() => undefined) // The stream rejects only on abort.
    return () => stop.abort()
  }, [projectId])
}

async function streamEvents(projectId: string, signal: AbortSignal): Promise<void> {
  let lastEventId: string | undefined
  for (let failures = 0; ; ) {
    try {
      const path = addressOf('streamProjectEvents', { params: { projectId } })
      const more = lastEventId === undefined ? {} : { lastEventId }
      for await (const event of readEvents(await caller.stream({ method: 'GET', path, signal, ...more }))) {
        failures = 0
        lastEventId = event.id ?? lastEventId ?? '0'
        handleEvent(event.type, event.data)
      }
    } catch {
      signal.throwIfAborted()
    }
    lastEventId ??= '0' // Data loaded earlier may be older than the start of the next stream.
    const maxDelayMs = Math.min(MAX_RECONNECT_DELAY_MS, MIN_RECONNECT_DELAY_MS * 2 ** failures++)
    await pause(maxDelayMs * (0.5 + Math.random() / 2), signal)
  }
}

function handleEvent(type: string, data: string): void {
  if (type === 'ready') {
    const { mayHaveMissed } = JSON.parse(data) as { mayHaveMissed: boolean }
    if (mayHaveMissed) notifyAllKinds()
  }
  if (type === 'change') notifyListeners(JSON.parse(data) as ProjectEvent)
}

function notifyAllKinds(): void {
  for (const kind of ['feedback', 'agent_job', 'export', 'deployment', 'project', 'notification'] as const)
    notifyListeners({ kind, id: null })
}

function notifyListeners(event: ProjectEvent): void {
  void queryClient.invalidateQueries({
    predicate: ({ meta }) => (meta?.live as readonly LiveKind[] | undefined)?.includes(event.kind) === true,
  })
  for (const listener of [...listeners]) listener(event)
}
