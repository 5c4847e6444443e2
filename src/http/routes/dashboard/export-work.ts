/** Exports of a project with who began them: listed, and one of them whole. */
import { nameActors } from '../../../accounts/name-actors.ts'
import type { CursorCodec } from '../../../base/signed-cursor.ts'
import * as read from '../../../export/read-work.ts'
import type { DashboardAnswerOf, DashboardCallOf } from '../../handler.ts'

export interface ListExportWorkDeps {
  cursors: CursorCodec
}

export async function listExportWork(
  deps: ListExportWorkDeps,
  { db, caller: { organizationId }, params, query }: DashboardCallOf<'listExportWork'>,
): DashboardAnswerOf<'listExportWork'> {
  const { exports, ...page } = await read.listExportWork(deps, db, { organizationId, ...params }, query)
  const nameOf = await nameActors(
    db,
    organizationId,
    exports.map(({ startedBy }) => startedBy),
  )
  return {
    body: {
      exports: exports.map(({ work, startedBy }) => ({ ...work, startedBy: nameOf(startedBy) })),
      ...page,
    },
  }
}

export async function getExportWork({
  db,
  caller: { organizationId },
  params: { projectId, jobId },
}: DashboardCallOf<'getExportWork'>): DashboardAnswerOf<'getExportWork'> {
  const { work, startedBy } = await read.getExportWork(db, { organizationId, projectId }, jobId)
  const nameOf = await nameActors(db, organizationId, [startedBy])
  return { body: { ...work, startedBy: nameOf(startedBy) } }
}
