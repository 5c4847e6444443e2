/** Dependencies and state of operation routes. */

import type { Operation } from '../base/api/operation.ts'
import type { SecretBox } from '../base/secret-box.ts'
import type { AnyHandle, Replay } from '../routing/handler.ts'
import type { RequestShape } from '../routing/request-shape.ts'
import type { AdmissionDeps } from './admission.ts'

export interface OperationRouteDeps extends AdmissionDeps {
  /** Aborted when the server stops. Ends streams. */
  stopping: AbortSignal
  /** Encrypts stored responses that contain a secret. */
  storedResponses: SecretBox
}

export interface OperationRoute {
  operation: Operation
  handle: AnyHandle
  /** For a POST whose response is a stream. */
  replay: Replay | null
  shape: RequestShape
  /** Calls with an Idempotency-Key that this process is running. */
  atWork: Set<string>
}
