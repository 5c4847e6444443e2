/** The caller of an operation, as the checks before a handler have found out. */
import type { Plan } from '../base/api/plans.ts'
import type { Role } from '../base/api/roles.ts'
import type { AppError } from '../base/errors/errors.ts'
import type { Tx } from '../database/database.ts'
import type { RateState } from './rate-state.ts'

export type Scope = 'read' | 'write'

/** A program with an API key, or a member of the organization with a session. */
export interface Caller {
  kind: 'key' | 'member'
  /** Of the key or the user: the actor of what is done. */
  id: string
  organizationId: string
  plan: Plan
  scopes: Scope[]
  /** Of a key the one of its maker, or less; null for a key of the command line, which may what its scopes say. */
  role: Role | null
  /** Of a key that is limited: the only projects that there are for it. Null: all of the organization. */
  projectIds: readonly string[] | null
  /** Of a member's session: when its person last proved who they are. */
  provedAt?: Date
  /** Of a member. */
  sessionId?: string
}

/** Somebody who has signed in. */
export interface Person {
  id: string
  name: string
  email: string
  twoFactorEnabled: boolean
  sessionId: string
}

/** Who calls an operation that is open to all. */
export interface Visitor {
  kind: 'visitor'
  /** Tells visitors apart by their address. */
  id: string
  /** Null: not signed in. */
  person: Person | null
}

/** A request that has passed the checks: who calls, and where the limit stands. */
export interface Admission {
  caller: Caller | Visitor
  /**
   * The limit is full, and the operation counts only what it accepts: a repetition of an accepted call may still have
   * its answer, anything else gets this refusal, whatever its shape.
   */
  refusal: AppError | null
  /** Counts one accepted call, in the transaction that accepts it. Throws AppError `rate_limited`. */
  take(tx: Tx): Promise<RateState | null>
  /** Whether the key or session is still what it was: answers that go on for minutes ask again. */
  isStillGiven(): Promise<boolean>
}
