/**
 * Guards the connections of libraries that can only use the global fetch: calls within `run` connect through the
 * guard. All other calls in this process use the usual dispatcher.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Agent, Dispatcher } from 'undici'
import type { AddressGuard } from './address-guard.ts'
import { createGuardedConnector } from './guarded-fetch.ts'

const CONNECT_TIMEOUT_MS = 10_000
const ANSWER_TIMEOUT_MS = 15_000
const MAX_ANSWER_BYTES = 1 << 20

const scope = new AsyncLocalStorage<Agent>()
let installing: Promise<void> | null = null

export interface GuardedScope {
  run<T>(work: () => Promise<T>): Promise<T>
}

export function createGuardedScope(guard: AddressGuard): GuardedScope {
  let opening: Promise<Agent> | null = null
  return {
    async run(work) {
      installing ??= install()
      await installing
      opening ??= openAgent(guard)
      return await scope.run(await opening, work)
    },
  }
}

async function openAgent(guard: AddressGuard): Promise<Agent> {
  const undici = await import('undici')
  return new undici.Agent({
    connect: createGuardedConnector(undici, guard, { timeout: CONNECT_TIMEOUT_MS }),
    headersTimeout: ANSWER_TIMEOUT_MS,
    bodyTimeout: ANSWER_TIMEOUT_MS,
    maxResponseSize: MAX_ANSWER_BYTES,
  })
}

async function install(): Promise<void> {
  const undici = await import('undici')
  const defaultDispatcher = undici.getGlobalDispatcher()
  class ScopedDispatcher extends undici.Dispatcher {
    override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
      return (scope.getStore() ?? defaultDispatcher).dispatch(options, handler)
    }
  }
  undici.setGlobalDispatcher(new ScopedDispatcher())
}
