/** What a turn is told of the one before it, which ended early. */
import { shortened } from './turn-store.ts'
import type { FileChange } from './workspace.ts'

const MAX_MESSAGE = 20_000
const MAX_FILES = 200

export interface KeptWork {
  /** Why the turn before ended. */
  stopped: string | null
  files: readonly FileChange[]
  /** Files whose changes met those of others. */
  lost: readonly string[]
  /** Messages that nobody has taken up. */
  waiting: readonly string[]
  /** What is told of other jobs. */
  others: string | null
}

/** Null when there is nothing to tell. */
export function tellKept({ stopped, files, lost, waiting, others }: KeptWork): string | null {
  const parts: string[] = []
  if (stopped !== null) parts.push(`The turn before this one ended early: ${stopped}`)
  if (files.length > 0) {
    const named = files.slice(0, MAX_FILES).map(({ path, change }) => `${path} (${change})`)
    const more = files.length > named.length ? ` and ${files.length - named.length} more` : ''
    parts.push(
      `What it changed is kept, is not published yet, and lies before you: ${named.join(', ')}${more}. Go on from there. It is published with this turn, and \`finish\` needs a reason for each of these files.`,
    )
  } else if (stopped !== null)
    parts.push('Nothing of it waits to be published: what came out of it is on the branch.')
  for (const path of lost.slice(0, MAX_FILES))
    parts.push(
      `${path} was changed by others in the meantime: it holds what they made of it, without your change. Read it before you do that again.`,
    )
  if (others !== null) parts.push(others)
  if (parts.length > 0) parts.unshift('A note from Octavo on where the work stands.')
  if (waiting.length > 0)
    parts.push(
      'Messages that came before this one and were not taken up belong to the task:',
      ...waiting.map((message) => shortened(message, MAX_MESSAGE)),
    )
  return parts.length === 0 ? null : parts.join('\n\n')
}
