/** Dates of the last change of files, determined in one walk over the history. */
import { randomUUID } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import type { FileDates } from '../base/files/file-tree.ts'
import { type GitSettings, git, gitKilledError, killGroup, spawnGit } from './git.ts'
import { GitError } from './git-error.ts'
import { locateFolder } from './locate-folder.ts'

export interface DateQuery {
  /** A bare repository, or a folder in a working copy. */
  gitDir?: string
  startIn?: string
  commit: string
  /** Path inside the repository; '' for its root. */
  folder: string
  settings?: GitSettings | undefined
  signal?: AbortSignal | undefined
}

/** Maximum number of visited commits and files; older changes have no date. */
const MAX_CHANGES = 5_000_000
const WALK_TIMEOUT_MS = 60_000
/** Maximum length of a field in the output of git, which may contain a path twice. */
const MAX_FIELD_CHARACTERS = 20_000
/**
 * Signatures are not verified, as that runs a program configured by the repository. Any owner of the folder is
 * accepted.
 */
const CONFIG: readonly (readonly [string, string])[] = [
  ['log.showSignature', 'false'],
  ['log.showRoot', 'true'],
  ['safe.directory', '*'],
]

/**
 * Returns dates for the files at `commit`. Pure renames are followed and not counted as changes. Boundary commits of
 * a shallow clone provide no dates. Rejects with GitError.
 */
export async function readFileDates(place: DateQuery): Promise<FileDates> {
  const call = { ...place, config: CONFIG }
  const below = place.folder === '' ? '' : `${place.folder}/`
  const [listing, shallow] = await Promise.all([
    git(['ls-tree', '-r', '-z', '--name-only', '--full-tree', place.commit, ...(below ? [below] : [])], call),
    readShallowBoundary(place),
  ])
  /** Maps a file's name at the current point of the walk to its name at `commit`. */
  const pendingPaths = new Map<string, string[]>()
  for (const name of listing.toString().split('\0')) if (name !== '') pendingPaths.set(name, [name])
  const dates = new Map<string, string>()
  const isWhole = await walk(place, (commit, seconds, status, path, from) => {
    const files = pendingPaths.get(path)
    if (files === undefined) return pendingPaths.size > 0
    pendingPaths.delete(path)
    if (status === 'R100' && from !== null) {
      pendingPaths.set(from, [...(pendingPaths.get(from) ?? []), ...files])
    } else if (!shallow.has(commit)) {
      const at = new Date(seconds * 1000)
      for (const file of files)
        if (!Number.isNaN(at.getTime())) dates.set(file.slice(below.length), at.toISOString())
    }
    return pendingPaths.size > 0
  })
  return { dates, isWhole: isWhole && shallow.size === 0 }
}

/** Commits whose parents are missing from a shallow clone. */
async function readShallowBoundary(place: DateQuery): Promise<ReadonlySet<string>> {
  const call = { ...place, config: CONFIG }
  const path = (await git(['rev-parse', '--path-format=absolute', '--git-path', 'shallow'], call))
    .toString()
    .trim()
  const text = await readFile(path, 'utf8').catch(() => '')
  return new Set(text.split('\n').filter((line) => line !== ''))
}

type OnChange = (
  commit: string,
  seconds: number,
  status: string,
  path: string,
  from: string | null,
) => boolean

/** Walks newest first until `onChange` asks to stop. Returns false if a limit ended the walk. */
async function walk(place: DateQuery, onChange: OnChange): Promise<boolean> {
  // Only exact renames, found by comparing object ids without reading content.
  const args = ['log', '--format=%x01%H %ct', '--name-status', '-z', '--find-renames=100%', '--no-color']
  const child = spawnGit([...args, '--end-of-options', place.commit, '--'], { ...place, config: CONFIG })
  const ended = new Promise<NodeJS.Signals | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (_code, signal) => resolve(signal))
  })
  ended.catch(() => undefined)
  child.stdin?.end()
  child.stderr?.resume()
  let isOver = false
  const stop = () => killGroup(child)
  const timer = setTimeout(stop, WALK_TIMEOUT_MS)
  place.signal?.addEventListener('abort', stop, { once: true })
  try {
    const parser = createParser(onChange)
    child.stdout?.setEncoding('utf8')
    for await (const chunk of child.stdout ?? []) {
      isOver = parser(chunk as string)
      if (isOver) break
    }
    if (isOver) stop()
    const signal = await ended
    place.signal?.throwIfAborted()
    if (signal !== null && signal !== 'SIGKILL') throw gitKilledError(signal)
    return isOver || signal === null
  } finally {
    clearTimeout(timer)
    place.signal?.removeEventListener('abort', stop)
    stop()
  }
}

/** Returns a function that parses chunks of git's output, and returns true when no more is needed. */
function createParser(onChange: OnChange): (chunk: string) => boolean {
  let rest = ''
  let commit = ''
  let seconds = 0
  let status: string | null = null
  let from: string | null = null
  let changes = 0
  return (chunk) => {
    const fields = (rest + chunk).split('\0')
    rest = fields.pop() ?? ''
    if (rest.length > MAX_FIELD_CHARACTERS || changes > MAX_CHANGES) return true
    for (const field of fields) {
      const [, hash, time] = /^\n?\x01([0-9a-f]+) (\d+)$/.exec(field) ?? []
      if (status === null && hash !== undefined) {
        commit = hash
        seconds = Number(time)
      } else if (status === null) status = field.replace(/^\n/, '') || null
      else if (from === null && /^[RC]/.test(status)) from = field
      else {
        changes++
        const shouldContinue = onChange(commit, seconds, status, field, from)
        status = null
        from = null
        if (!shouldContinue) return true
      }
    }
    return false
  }
}

/** Storage for the dates of one commit. */
export interface DateStore {
  /** Returns null if there are none. */
  read(): Promise<string | null>
  write(text: string): Promise<void>
}

/** Caches dates, which never change for a given commit. */
export async function cachedFileDates(store: DateStore, place: DateQuery): Promise<FileDates> {
  const key = `${place.commit} ${place.folder}`
  const known = parseDates((await store.read()) ?? 'null')
  if (known?.key === key) return { dates: known.dates, isWhole: true }
  const found = await readFileDates(place)
  if (found.isWhole) await store.write(JSON.stringify({ key, dates: [...found.dates] }))
  return found
}

/** Parses stored dates, or returns null for unrecognized content. */
function parseDates(text: string): { key: string; dates: Map<string, string> } | null {
  try {
    const { key, dates } = JSON.parse(text)
    const isDate = (pair: unknown) =>
      Array.isArray(pair) && typeof pair[0] === 'string' && !Number.isNaN(Date.parse(String(pair[1])))
    return typeof key === 'string' && dates.every(isDate) ? { key, dates: new Map(dates) } : null
  } catch {
    return null
  }
}

/** Stores dates in a file of the mirror. */
export function dateFile(path: string): DateStore {
  return {
    read: () => readFile(path, 'utf8').catch(() => null),
    write: async (text) => {
      const temporaryFile = `${path}.${randomUUID()}`
      await writeFile(temporaryFile, text)
      await rename(temporaryFile, path)
    },
  }
}

/** Returns dates for a local folder at HEAD; null if it is not in a repository or git cannot read it. */
export async function folderDates(
  folder: string,
  store: DateStore | null,
  {
    root = null,
    ...options
  }: { root?: string | null; settings?: GitSettings | undefined; signal?: AbortSignal | undefined } = {},
): Promise<FileDates | null> {
  try {
    const { repository, inside } = locateFolder(folder, root)
    const place = { startIn: repository, folder: inside, ...options }
    const head = await git(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'], {
      ...place,
      config: CONFIG,
    })
    const dated = { ...place, commit: head.toString().trim() }
    return store === null ? await readFileDates(dated) : await cachedFileDates(store, dated)
  } catch (error) {
    options.signal?.throwIfAborted()
    if (error instanceof GitError) return null
    throw error
  }
}
