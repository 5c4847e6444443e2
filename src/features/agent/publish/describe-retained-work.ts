/** Tells the model about the previous turn, which ended early. */
import { quoteUntrusted } from '../../../model/quote-untrusted.ts'
import { shortened } from '../turn-store.ts'
import type { FileChange } from './workspace.ts'

const MAX_MESSAGE = 20_000
const MAX_FILES = 200

export interface RetainedWork {
  /** Reason why the previous turn ended. */
  stopped: string | null
  files: readonly FileChange[]
  /** Files whose changes were dropped because others had changed them too. */
  lost: readonly string[]
  /** Messages that have not been processed. */
  waiting: readonly string[]
  /** Text about the changes of other jobs. */
  others: string | null
}

/** Returns null when there is nothing to tell. */
export function describeRetainedWork({ stopped, files, lost, waiting, others }: RetainedWork): string | null {
  const parts: string[] = []
  if (stopped !== null)
    parts.push(`The turn before this one ended early. ${quoteUntrusted('stopped', stopped)}`)
  if (files.length > 0) {
    const named = files.slice(0, MAX_FILES).map(({ path, change }) => `${path} (${change})`)
    if (files.length > named.length) named.push(`and ${files.length - named.length} more`)
    parts.push(
      `What it changed is kept, is not published yet, and lies before you. Go on from there. It is published with this turn, and \`finish\` needs a reason for each of these files. ${quoteUntrusted('files', named.join('\n'))}`,
    )
  } else if (stopped !== null)
    parts.push('Nothing of it waits to be published: what came out of it is on the branch.')
  if (lost.length > 0)
    parts.push(
      `Other files were changed by others in the meantime: they hold what those made of them, without your change. Read them before you do that again. ${quoteUntrusted('files', lost.slice(0, MAX_FILES).join('\n'))}`,
    )
  if (others !== null) parts.push(others)
  if (parts.length > 0) parts.unshift('A note from Octavo on where the work stands.')
  if (waiting.length > 0)
    parts.push(
      quoteUntrusted('waiting', waiting.map((message) => shortened(message, MAX_MESSAGE)).join('\n\n')),
    )
  return parts.length === 0 ? null : parts.join('\n\n')
}
