/** GET /internal/projects/{projectId}/source-lines: as the source was when it was published or exported. */

import { AppError } from '../../../base/errors/errors.ts'
import type { Fault } from '../../../base/errors/fault.ts'
import type { Queries } from '../../../database/database.ts'
import { GitError } from '../../../git/git-error.ts'
import type { ProjectSourceDeps } from '../../../git/project-source.ts'
import { readSourceLines } from '../../../git/source-lines.ts'
import type { AnswerOf, CallOf } from '../../../routing/handler.ts'
import { exportRevision } from '../../export/find-exports.ts'
import { getDeployment } from '../../hosting/deploy/read-deployments.ts'
import { findPublished } from '../../hosting/serve/published-site.ts'
import type { PROJECT_OPERATIONS, SourceLinesQuery } from '../operations/projects.ts'
import { findProject } from '../projects.ts'

type Op = typeof PROJECT_OPERATIONS.getSourceLines

export interface GetSourceLinesDeps {
  git: ProjectSourceDeps
}

interface Place {
  organizationId: string
  projectId: string
}

/** A commit that is no longer here is fetched again, within this time. */
const PATIENCE_MS = 10_000

export async function getSourceLines(
  deps: GetSourceLinesDeps,
  { db, caller: { organizationId }, params, query, signal }: CallOf<Op>,
): AnswerOf<Op> {
  const place = { organizationId, ...params }
  const project = await findProject(db, params.projectId, organizationId)
  if (project === null) throw new AppError('not_found')
  const { kind, repository, ref, docsFolder } = project.source
  const row = {
    id: project.id,
    organization_id: organizationId,
    source_kind: kind,
    repository,
    folder_granted: project.folderGranted,
    ref,
    docs_folder: docsFolder,
  }
  const wanted = { revision: await findRevision(db, place, query), file: query.file, line: query.line ?? 1 }
  try {
    const within = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)])
    const lines = await readSourceLines(deps.git, row, wanted, within)
    if (lines === null) throw new AppError('not_found')
    return { body: lines }
  } catch (cause) {
    const isAway = cause instanceof GitError || (cause as Error).name === 'TimeoutError'
    if (isAway) throw new AppError('repository_unavailable', { cause })
    throw cause
  }
}

async function findRevision(
  db: Queries,
  place: Place,
  { deploymentId, exportId }: SourceLinesQuery,
): Promise<string | null> {
  if (exportId !== undefined) {
    const revision = await exportRevision(db, place, exportId)
    if (revision === undefined) throw new AppError('not_found')
    return revision
  }
  const published = deploymentId ?? (await findPublished(db, place)).deploymentId
  return published === null ? null : (await getDeployment(db, place, published)).revision
}

/** Beside the schema. */
export function sourceLinesFaults(query: Readonly<Record<string, unknown>>): Fault[] {
  const isBoth = query.deploymentId !== undefined && query.exportId !== undefined
  return isBoth ? [{ message: 'Name `deploymentId` or `exportId`, not both' }] : []
}
