/** Tells the model about changes by others to its branch and its target since the last turn. */
import { quoteUntrusted } from '../../../model/quote-untrusted.ts'
import { isPicture } from '../review/change-content.ts'
import type { JobRow } from '../store.ts'

interface UpstreamChanges {
  target: string
  /** Files with conflicts. */
  conflicts: readonly string[]
  /** Whether the pull request was merged or closed. */
  isOver: boolean
  past: Pick<JobRow, 'current_link' | 'pull_request_state'>
  /** Reason why new commits of the target were not merged; null when they were, or there are none. */
  unmerged: string | null
}

const MAX_FILES = 200

/** Returns null when there is nothing to tell. */
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
        ? `A note from Octavo: the pull request of the turns before was merged. Their work is part of the target branch now, and of the files before you. What you change from here goes out as another pull request, which names that one.`
        : `A note from Octavo: the pull request of the turns before was closed without being merged. The files before you are those of the target branch, without its changes. What you change from here goes out as another pull request, which names that one.`,
    )
  const pictures = conflicts.filter(isPicture)
  const texts = conflicts.filter((path) => !isPicture(path))
  if (pictures.length > 0)
    parts.push(
      `A note from Octavo: others changed the same pictures in the meantime. Two pictures cannot be merged: of each the one of this job's branch stands as it is now. Place another one where the task needs it, and say in the summary of each picture that both sides changed it, and which one stands. Reviewers are told too.${texts.length === 0 ? ' Then call finish again.' : ''} ${quoteFiles(pictures)}`,
    )
  if (texts.length > 0)
    parts.push(
      `A note from Octavo: others changed the same places in the meantime. In the files named below both versions stand between lines that begin with <<<<<<<, ======= and >>>>>>>. Read each of them, bring both intentions together, and take those lines out; where one side deleted a file, decide whether it stays. Nothing is published while such lines are left. Say in the summary what you chose where the two cannot both hold. Then call finish again. ${quoteFiles(texts)}`,
    )
  if (unmerged !== null)
    parts.push(
      `A note from Octavo: the target branch has changed since, and what came could not be taken in here. Say in the summary that somebody has to bring the two together. ${quoteUntrusted('reason', unmerged)}`,
    )
  if (parts.length === 0) return null
  return [...parts, quoteUntrusted('branch', target)].join('\n\n')
}

function quoteFiles(paths: readonly string[]): string {
  const more = paths.length > MAX_FILES ? [`and ${paths.length - MAX_FILES} more`] : []
  return quoteUntrusted('files', [...paths.slice(0, MAX_FILES), ...more].join('\n'))
}
