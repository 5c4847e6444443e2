/**
 * Error of Octavo itself or its machine: a child process, a thread, git, the disk, a file of the program.
 * User content is never the cause, so the attempt fails and a retry starts the component again.
 *
 * Content problems are derived only from parser errors, or from how a process ended because of its input.
 * Code that may catch other errors must call `isInternalError` first and rethrow those.
 */
export class InternalError extends Error {
  override name = 'MachineryError'
  readonly part: string
  /** `part` continues "A part of Octavo itself failed:"; it reveals no internals. */
  constructor(part: string, options?: ErrorOptions) {
    super(
      `An internal error occurred in Octavo: ${part}. The pages are not the cause. Try again, and see the log for details.`,
      options,
    )
    this.part = part
  }
}

export function isInternalError(error: unknown): boolean {
  if (error instanceof InternalError) return true
  if (!(error instanceof Error)) return false
  const { code, syscall } = error as NodeJS.ErrnoException
  return syscall !== undefined || (typeof code === 'string' && LOADING_ERROR_CODES.has(code))
}

const LOADING_ERROR_CODES: ReadonlySet<string> = new Set([
  'ERR_MODULE_NOT_FOUND',
  'MODULE_NOT_FOUND',
  'ERR_DLOPEN_FAILED',
  'ERR_ACCESS_DENIED',
  'ERR_WORKER_INIT_FAILED',
])

export function isModuleNotFound(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException
  return code === 'ERR_MODULE_NOT_FOUND' || code === 'ERR_PACKAGE_PATH_NOT_EXPORTED'
}

/** System errors caused by the file: missing or not accessible. Other errors have a different cause. */
const FILE_ERROR_CODES: ReadonlySet<string> = new Set([
  'ENOENT',
  'ENOTDIR',
  'EISDIR',
  'EACCES',
  'EPERM',
  'ELOOP',
  'ENAMETOOLONG',
  'EINVAL',
  'ESTALE',
])

/** Returns undefined if the file itself cannot be read; throws for other reasons (`EMFILE`, `EIO`). */
export function rethrowUnlessFileError(error: NodeJS.ErrnoException): undefined {
  if (error.code === undefined || !FILE_ERROR_CODES.has(error.code)) throw error
}
