/** The caller of an operation, as determined by the checks before its handler. */
import type { Plan } from '../base/api/plans.ts'
import type { Role } from '../base/api/roles.ts'
import type { AppError } from '../base/errors/errors.ts'
import type { Tx } from '../database/database.ts'
import type { RateState } from './rate-limit-headers.ts'

export type Scope = 'read' | 'write'

/** A program with an API key, a member with a session, or the operator on the command line. */
export interface Caller {
  kind: 'key' | 'member' | 'operator'
  /** Id of the key or the user, recorded as the actor. */
  id: string
  /** Empty if the operator acts for the whole server. */
  organizationId: string
  plan: Plan
  scopes: Scope[]
  /**
   * For a key, the role of its creator or a lower one. Null for the operator, and for a key created on the command
   * line, which is only limited by its scopes.
   */
  role: Role | null
  /** The only projects that a limited key can access; null for all projects of the organization. */
  projectIds: readonly string[] | null
  /** Time at which the member of a session last proved their identity. */
  provedAt?: Date
  sessionId?: string
}

export interface Person {
  id: string
  name: string
  email: string
  twoFactorEnabled: boolean
  sessionId: string
}

export interface Visitor {
  kind: 'visitor'
  /** Identifies visitors by their IP address. */
  id: string
  person: Person | null
}

/** Result of the checks of a request: the caller, and the state of the rate limit. */
export interface Admission {
  caller: Caller | Visitor
  /**
   * Set if the rate limit is reached and the operation only counts accepted calls. A repetition of an accepted call
   * still gets its stored response. Every other request is rejected with this error, even if it is invalid.
   */
  refusal: AppError | null
  /** Counts an accepted call in the transaction that accepts it. Throws AppError `rate_limited`. */
  take(tx: Tx): Promise<RateState | null>
  /** Returns whether the key or session is still valid. Long-running responses check this repeatedly. */
  isStillAuthorized(): Promise<boolean>
}
