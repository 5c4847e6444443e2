/**
 * Describes the state of the work to the model: changes by others since the last turn, and the work left by a
 * turn that ended early.
 */
import { quoteUntrusted } from '../../../model/quote-untrusted.ts'
import { isImageFile } from '../review/change-content.ts'
import type { JobRow } from '../store.ts'
import { shortened } from '../turn-store.ts'
import type { FileChange } from './workspace.ts'

interface UpstreamChanges {
  target: string
  conflicts: readonly string[]
  isOver: boolean
  past: Pick<JobRow, 'current_link' | 'pull_request_state'>
  /** Reason why new commits of the target were not merged; null when they were, or there are none. */
  unmerged: string | null
}

const MAX_FILES = 200

/** Returns null when there is nothing to report. */
export function describeConflicts({
  target,
  conflicts,
  isOver,
  past,
  unmerged,
}: UpstreamChanges): string | null {
  const parts: string[] = []
  if (isOver)
    parts.push(
      past.pull_request_state === 'merged'
        ? 'Note from Octavo: the pull request of the previous turns was merged, so its changes are now part of the target branch and of your files. New changes are published as another pull request that links to it.'
        : 'Note from Octavo: the pull request of the previous turns was closed without being merged. Your files are those of the target branch, without its changes. New changes are published as another pull request that links to it.',
    )
  const pictures = conflicts.filter(isImageFile)
  const texts = conflicts.filter((path) => !isImageFile(path))
  if (pictures.length > 0)
    parts.push(
      `Note from Octavo: others changed the same pictures in the meantime. Pictures cannot be merged, so the versions of this job's branch are used. Add other ones if the task needs it. List in the summary each picture that both sides changed, and which version is used. Reviewers are also informed.${texts.length === 0 ? ' Then call finish again.' : ''} ${quoteFiles(pictures)}`,
    )
  if (texts.length > 0)
    parts.push(
      `Note from Octavo: others changed the same lines in the meantime. The files listed below contain both versions between lines that begin with <<<<<<<, ======= and >>>>>>>. Read each file, combine both changes, and remove those lines. If one side deleted a file, decide whether to keep it. Nothing is published while such lines remain. Explain your choices in the summary if both changes could not be combined. Then call finish again. ${quoteFiles(texts)}`,
    )
  if (unmerged !== null)
    parts.push(
      `Note from Octavo: the target branch has changed, and its changes could not be merged here. State in the summary that someone has to merge them. ${quoteUntrusted('reason', unmerged)}`,
    )
  if (parts.length === 0) return null
  return [...parts, quoteUntrusted('branch', target)].join('\n\n')
}

function quoteFiles(paths: readonly string[]): string {
  const more = paths.length > MAX_FILES ? [`and ${paths.length - MAX_FILES} more`] : []
  return quoteUntrusted('files', [...paths.slice(0, MAX_FILES), ...more].join('\n'))
}

const MAX_MESSAGE = 20_000

interface RetainedWork {
  stopped: string | null
  files: readonly FileChange[]
  waiting: readonly string[]
  others: string | null
}

/** Returns null when there is nothing to report. */
export function describeRetainedWork({ stopped, files, waiting, others }: RetainedWork): string | null {
  const parts: string[] = []
  if (stopped !== null) parts.push(`The previous turn ended early. ${quoteUntrusted('stopped', stopped)}`)
  if (files.length > 0) {
    const named = files.slice(0, MAX_FILES).map(({ path, change }) => `${path} (${change})`)
    if (files.length > named.length) named.push(`and ${files.length - named.length} more`)
    parts.push(
      `Its changes are in your workspace and are not published yet. Continue from them. They are published with this turn, and \`finish\` needs a reason for each of these files. ${quoteUntrusted('files', named.join('\n'))}`,
    )
  } else if (stopped !== null) parts.push('It has no unpublished changes: everything is on the branch.')
  if (others !== null) parts.push(others)
  if (parts.length > 0) parts.unshift('Note from Octavo on the state of the work.')
  if (waiting.length > 0)
    parts.push(
      quoteUntrusted('waiting', waiting.map((message) => shortened(message, MAX_MESSAGE)).join('\n\n')),
    )
  return parts.length === 0 ? null : parts.join('\n\n')
}
