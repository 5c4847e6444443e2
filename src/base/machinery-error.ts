/**
 * A part of Octavo's own machinery failed: a helper process, a thread, git, the disk, a file of the program. It is never
 * a fault of what somebody wrote, so it fails the attempt, and a later one starts the part anew.
 *
 * A problem of content is made of what a parser itself says of a text, or of how a process ended by what it read. Where
 * anything else may be caught on the way to one, `isMachinery` is asked first, and what it knows is thrown on.
 */
export class MachineryError extends Error {
  override name = 'MachineryError'
  readonly part: string
  /** `part` goes on after "a part of Octavo itself failed:"; it names no internals. */
  constructor(part: string, options?: ErrorOptions) {
    super(
      `A part of Octavo itself failed: ${part}. Nothing is wrong with the pages: try again; the log says more.`,
      options,
    )
    this.part = part
  }
}

/** Errors of ours, of the system, and of loading the program. */
export function isMachinery(error: unknown): boolean {
  if (error instanceof MachineryError) return true
  if (!(error instanceof Error)) return false
  const { code, syscall } = error as NodeJS.ErrnoException
  return syscall !== undefined || (typeof code === 'string' && LOADING.has(code))
}

const LOADING: ReadonlySet<string> = new Set([
  'ERR_MODULE_NOT_FOUND',
  'MODULE_NOT_FOUND',
  'ERR_DLOPEN_FAILED',
  'ERR_ACCESS_DENIED',
  'ERR_WORKER_INIT_FAILED',
])

/** Of `import`: there is nothing of that name. */
export function isNoSuchModule(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException
  return code === 'ERR_MODULE_NOT_FOUND' || code === 'ERR_PACKAGE_PATH_NOT_EXPORTED'
}

/** What the system says of one file: it is not there, or is not for this program. Anything else is not the file's fault. */
const OF_THE_FILE: ReadonlySet<string> = new Set([
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

/** Undefined for a file that cannot be read; rejects when the reason lies elsewhere (`EMFILE`, `EIO`). */
export function unlessOfTheFile(error: NodeJS.ErrnoException): undefined {
  if (error.code === undefined || !OF_THE_FILE.has(error.code)) throw error
}
