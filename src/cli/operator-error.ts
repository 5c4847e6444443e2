/** Identifies errors that the user can fix, for which the message is shown without a stack. */
/** Names of error classes, so that a command does not load unused modules. */
const NAMES = new Set([
  'AdministrationError',
  'ConfigError',
  'DataFolderError',
  'DeltaError',
  'NoServerError',
  'OutputFileError',
  'DownloadError',
  'PermanentError',
  'PortTakenError',
  'StartError',
  'DatabaseStartError',
  'SiteUnloadableError',
  'FolderUnreadableError',
  'OutputFolderError',
  'ImportError',
  'WatchLimitError',
])

export function isOperatorError(error: Error): boolean {
  return NAMES.has(error.name) || isUnreachable(error)
}

/** Replaces the uninformative message `fetch failed` with its cause. */
function isUnreachable(error: Error): boolean {
  const cause = error.cause as { code?: string; message?: string } | undefined
  if (error.message !== 'fetch failed' || !cause) return false
  error.message = `The API cannot be reached (${cause.code ?? cause.message}). Is Octavo running, and is --url or OCTAVO_URL right?`
  return true
}
