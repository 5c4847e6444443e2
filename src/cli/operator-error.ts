/** Errors that the person at the command line can mend: their message is enough, a stack would hide it. */
/** By name: a command does not load what it does not use. */
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

/** `fetch failed` says nothing; its cause does. */
function isUnreachable(error: Error): boolean {
  const cause = error.cause as { code?: string; message?: string } | undefined
  if (error.message !== 'fetch failed' || !cause) return false
  error.message = `The API cannot be reached (${cause.code ?? cause.message}). Is Octavo running, and is --url or OCTAVO_URL right?`
  return true
}
