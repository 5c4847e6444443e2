/** GET /v1/webhooks: newest first, page by page. */
import type { CursorCodec } from '../../../base/signed-cursor.ts'
import { listEndpoints } from '../../../webhooks/endpoints.ts'
import type { AnswerOf, CallOf } from '../../handler.ts'

export interface ListWebhooksDeps {
  cursors: CursorCodec
}

export async function listWebhooks(
  deps: ListWebhooksDeps,
  { db, caller, query }: CallOf<'listWebhooks'>,
): AnswerOf<'listWebhooks'> {
  return { body: await listEndpoints(deps, db, caller.organizationId, query) }
}
