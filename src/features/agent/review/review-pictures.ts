/** Pictures of a change, for people who review it: their bytes at both sides, and where those are. */

import type { ProjectRepository } from '../../../git/project-repository.ts'
import { safeSvg } from '../../../render/html/svg-bytes.ts'
import { kindOf } from '../edit/picture-kinds.ts'
import type { ReviewedFile } from '../operations/agent-review.ts'
import type { FileChange } from '../publish/workspace.ts'
import { isPicture, MAX_PICTURE_BYTES } from './change-content.ts'

export interface ReviewedPicture {
  bytes: Uint8Array
  contentType: string
}

/** `path` is where the previews of the job are, without a slash at the end. Null for what is no picture. */
export function pictureOf({ path, change }: FileChange, previews: string): ReviewedFile['picture'] {
  if (!isPicture(path) && !isDrawing(path)) return null
  const address = (side: string) =>
    `${previews}/pictures/${side}/${path.split('/').map(encodeURIComponent).join('/')}`
  return {
    before: change === 'added' ? null : address('before'),
    after: change === 'deleted' ? null : address('after'),
  }
}

/** Null for what is not there, is no picture by its content, or is too large. */
export async function readReviewedPicture(
  repository: Pick<ProjectRepository, 'openDocs'>,
  commit: string,
  path: string,
  signal: AbortSignal,
): Promise<ReviewedPicture | null> {
  await using tree = await repository.openDocs(commit, signal)
  const size = tree.files.get(path)?.sizeBytes
  if (size === undefined || size > MAX_PICTURE_BYTES) return null
  const bytes = Buffer.from(await tree.read(path))
  if (isDrawing(path)) return { bytes: Buffer.from(safeSvg(bytes)), contentType: 'image/svg+xml' }
  const kind = kindOf(bytes)
  return kind === null ? null : { bytes, contentType: kind.contentType }
}

function isDrawing(path: string): boolean {
  return /\.svg$/i.test(path)
}
