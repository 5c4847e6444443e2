/** Errors that the user can fix, for which the message is shown without a stack. */

export class RefusedError extends Error {
  override name = 'RefusedError'
}

/** Names of error classes. The classes are not imported, so that a command loads no unused modules. */
const NAMES = new Set([
  'BackupError',
  'ConfigError',
  'DataFolderError',
  'DeltaError',
  'NoServerError',
  'OutputFileError',
  'DownloadError',
  'PermanentError',
  'PortTakenError',
  'RefusedError',
  'SealError',
  'StartError',
  'DatabaseStartError',
  'SiteUnloadableError',
  'FolderUnreadableError',
  'GitError',
  'OutputFolderError',
  'ImportError',
  'WatchLimitError',
])

export function isOperatorError(error: Error): boolean {
  return NAMES.has(error.name) || isUnreachable(error)
}

/** Returns whether a request could not connect. Replaces its message `fetch failed`, which does not name the cause. */
function isUnreachable(error: Error): boolean {
  const cause = error.cause as { code?: string; message?: string } | undefined
  if (error.message !== 'fetch failed' || !cause) return false
  error.message = `The API cannot be reached (${cause.code ?? cause.message}). Check that Octavo is running, and the value of --url or OCTAVO_URL.`
  return true
}
