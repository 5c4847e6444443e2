/** Errors that the person at the command line can mend: their message is enough, a stack would hide it. */
import { AdministrationError } from '../app/administration.ts'
import { ConfigError } from '../app/config.ts'
import { DataFolderError } from '../app/data-folder.ts'
import { StartError } from '../app/node.ts'
import { PermanentError } from '../base/permanent-error.ts'
import { DownloadError } from '../client/download-bundle.ts'

const NAMES = new Set([
  'DatabaseStartError',
  'SiteUnloadableError',
  'FolderUnreadableError',
  'OutputFolderError',
  'WatchLimitError',
])

export function isOperatorError(error: Error): boolean {
  return (
    error instanceof AdministrationError ||
    error instanceof ConfigError ||
    error instanceof DataFolderError ||
    error instanceof DownloadError ||
    error instanceof PermanentError ||
    error instanceof StartError ||
    NAMES.has(error.name) ||
    isUnreachable(error)
  )
}

/** `fetch failed` says nothing; its cause does. */
function isUnreachable(error: Error): boolean {
  const cause = error.cause as { code?: string; message?: string } | undefined
  if (error.message !== 'fetch failed' || !cause) return false
  error.message = `The API cannot be reached (${cause.code ?? cause.message}). Is Octavo running, and is --url right?`
  return true
}
