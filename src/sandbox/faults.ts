/**
 * Serializes errors sent over the pipe. The other side only receives the name and message. If the other side passes
 * the error back, the sender gets its original error object.
 */

import type { JobErrorCode } from '../base/errors/permanent-error.ts'
import { PermanentError } from '../base/errors/permanent-error.ts'
import { InternalError, isInternalError } from '../base/internal-error.ts'

export interface Fault {
  name: string
  message: string
  stack: string
  /** Determines the error class on the other side. */
  kind: keyof typeof KINDS
  part?: string
  code?: JobErrorCode
  /** Number assigned by the side where the error originated. */
  origin: number | null
}

export interface FaultRegistry {
  side: 'outside' | 'inside'
  errors: Map<number, unknown>
  last: number
}

const MAX_REGISTERED_ERRORS = 1000
const MAX_MESSAGE_CHARACTERS = 10_000

export function createFaultRegistry(side: FaultRegistry['side']): FaultRegistry {
  return { side, errors: new Map(), last: 0 }
}

class RemoteError extends Error {
  readonly fault: Fault
  constructor(fault: Fault) {
    super(fault.message)
    this.name = fault.name
    this.stack = fault.stack
    this.fault = fault
  }
}

class RemotePermanentError extends PermanentError {
  readonly fault: Fault
  constructor(fault: Fault) {
    super(fault.code ?? 'internal', fault.message)
    this.fault = fault
  }
}

class RemoteInternalError extends InternalError {
  readonly fault: Fault
  constructor(fault: Fault) {
    super(fault.part ?? 'a process of its own reported a fault of the system', { cause: fault.stack })
    this.fault = fault
  }
}

const KINDS = { other: RemoteError, permanent: RemotePermanentError, machinery: RemoteInternalError }

export function encodeFault(error: unknown, registry: FaultRegistry): Fault {
  for (const kind of Object.values(KINDS)) if (error instanceof kind) return error.fault
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error))
  return {
    name,
    message: message.slice(0, MAX_MESSAGE_CHARACTERS),
    stack: (stack ?? '').slice(0, MAX_MESSAGE_CHARACTERS),
    kind: error instanceof PermanentError ? 'permanent' : isInternalError(error) ? 'machinery' : 'other',
    ...(error instanceof InternalError ? { part: error.part } : {}),
    ...(error instanceof PermanentError ? { code: error.code } : {}),
    origin: registry.side === 'outside' ? register(error, registry) : null,
  }
}

export function decodeFault(fault: Fault, registry: FaultRegistry): unknown {
  if (registry.side === 'outside' && fault.origin !== null && registry.errors.has(fault.origin))
    return registry.errors.get(fault.origin)
  return new KINDS[fault.kind](fault)
}

function register(error: unknown, registry: FaultRegistry): number {
  const number = ++registry.last
  registry.errors.set(number, error)
  registry.errors.delete(number - MAX_REGISTERED_ERRORS)
  return number
}
