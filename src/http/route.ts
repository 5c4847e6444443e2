/** What an operation is answered with. */

import type { Operation } from '../base/api/operation.ts'
import type { SecretBox } from '../base/secret-box.ts'
import type { AnyHandle, Replay } from '../routing/handler.ts'
import type { RequestShape } from '../routing/request-shape.ts'
import type { AdmissionDeps } from './admission.ts'

export interface OperationRouteDeps extends AdmissionDeps {
  /** Ends when the server stops: streams end with it. */
  stopping: AbortSignal
  /** For answers with a secret that are kept for a repetition. */
  keptAnswers: SecretBox
}

export interface OperationRoute {
  operation: Operation
  handle: AnyHandle
  /** Of a POST that is answered by a stream. */
  replay: Replay | null
  shape: RequestShape
  /** Calls with an Idempotency-Key that are at work in this process. */
  atWork: Set<string>
}
