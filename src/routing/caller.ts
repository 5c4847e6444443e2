/** The caller of an operation, as determined by the checks before its handler. */
import type { Plan } from '../base/api/plans.ts'
import type { Role } from '../base/api/roles.ts'
import type { AppError } from '../base/errors/errors.ts'
import type { Tx } from '../database/database.ts'
import type { RateState } from './rate-state.ts'

export type Scope = 'read' | 'write'

/** A program with an API key, or a member of the organization with a session. */
export interface Caller {
  kind: 'key' | 'member'
  /** Id of the key or the user, recorded as the actor. */
  id: string
  organizationId: string
  plan: Plan
  scopes: Scope[]
  /**
   * For a key, the role of its creator or a lower one; null for a key created on the command line, which is only
   * limited by its scopes.
   */
  role: Role | null
  /** The only projects that a limited key can access. Null: all of the organization. */
  projectIds: readonly string[] | null
  /** For a session: when the member last proved their identity. */
  provedAt?: Date
  /** Set for members. */
  sessionId?: string
}

/** A signed-in person. */
export interface Person {
  id: string
  name: string
  email: string
  twoFactorEnabled: boolean
  sessionId: string
}

/** Caller of an operation that is open to everyone. */
export interface Visitor {
  kind: 'visitor'
  /** Distinguishes visitors by their address. */
  id: string
  /** Null: not signed in. */
  person: Person | null
}

/** Result of the checks of a request: the caller, and the state of the limit. */
export interface Admission {
  caller: Caller | Visitor
  /**
   * Set if the limit is reached and the operation only counts accepted calls. A retry of an accepted call may still
   * get its stored response; anything else gets this refusal, whatever its shape.
   */
  refusal: AppError | null
  /** Counts an accepted call in the transaction that accepts it. Throws AppError `rate_limited`. */
  take(tx: Tx): Promise<RateState | null>
  /** Whether the key or session is still valid. Long-running responses check this repeatedly. */
  isStillAuthorized(): Promise<boolean>
}
