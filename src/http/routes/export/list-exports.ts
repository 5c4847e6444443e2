/** GET /v1/static-export/jobs: newest first, page by page. */
import type { CursorCodec } from '../../../base/signed-cursor.ts'
import { listExports as list } from '../../../export/read-export.ts'
import type { AnswerOf, CallOf } from '../../handler.ts'

export interface ListExportsDeps {
  cursors: CursorCodec
}

export async function listExports(
  deps: ListExportsDeps,
  { db, caller, query }: CallOf<'listExports'>,
): AnswerOf<'listExports'> {
  return { body: await list(deps, db, caller.organizationId, query) }
}
