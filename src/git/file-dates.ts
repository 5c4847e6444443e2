/** Dates of the last change of files, determined in a single walk over the history. */
import { randomUUID } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import type { FileAtCommit, FileDates } from '../base/files/file-tree.ts'
import { killedError, killGroup } from '../base/limited-program.ts'
import { type GitCall, type GitSettings, git, spawnGit } from './git.ts'
import { GitError } from './git-error.ts'
import { locateFolder } from './locate-folder.ts'

export interface DateQuery {
  gitDir?: string
  startIn?: string
  commit: string
  /** Path inside the repository; empty for its root. */
  folder: string
  settings?: GitSettings | undefined
  signal?: AbortSignal | undefined
}

/** Maximum number of visited commits and files; files with older changes have no date. */
const MAX_CHANGES = 5_000_000
const WALK_TIMEOUT_MS = 60_000
const MAX_TEXT_BYTES = 2 << 20
/** Maximum length of a field in git's output, which can contain two paths. */
const MAX_FIELD_CHARACTERS = 20_000
/**
 * Disables signature checks, which would run a program configured by the repository. Accepts any owner of the
 * folder.
 */
const CONFIG: readonly (readonly [string, string])[] = [
  ['log.showSignature', 'false'],
  ['log.showRoot', 'true'],
  ['safe.directory', '*'],
]

/**
 * Returns dates for the files at `commit`. Follows pure renames, which do not count as changes. Boundary
 * commits of a shallow clone have no dates. Rejects with GitError.
 */
export async function readFileDates(query: DateQuery): Promise<FileDates> {
  const call = { ...query, config: CONFIG }
  const below = query.folder === '' ? '' : `${query.folder}/`
  const [listing, shallow] = await Promise.all([
    git(['ls-tree', '-r', '-z', '--name-only', '--full-tree', query.commit, ...(below ? [below] : [])], call),
    readShallowBoundary(query),
  ])
  /** Maps a file's name at the current commit of the walk to its names at `commit`. */
  const pendingPaths = new Map<string, string[]>()
  for (const name of listing.toString().split('\0')) if (name !== '') pendingPaths.set(name, [name])
  const [dates, commits] = [new Map<string, string>(), new Map<string, string>()]
  const isWhole = await walk(query, (commit, seconds, status, path, from) => {
    const files = pendingPaths.get(path)
    if (files === undefined) return pendingPaths.size > 0
    pendingPaths.delete(path)
    if (status === 'R100' && from !== null) {
      pendingPaths.set(from, [...(pendingPaths.get(from) ?? []), ...files])
    } else if (!shallow.has(commit)) {
      const at = new Date(seconds * 1000)
      for (const file of Number.isNaN(at.getTime()) ? [] : files) {
        dates.set(file.slice(below.length), at.toISOString())
        commits.set(file.slice(below.length), commit)
      }
    }
    return pendingPaths.size > 0
  })
  return { dates, commits, isWhole: isWhole && shallow.size === 0 }
}

/** Returns commits whose parents are missing from a shallow clone. */
async function readShallowBoundary(query: DateQuery): Promise<ReadonlySet<string>> {
  const call = { ...query, config: CONFIG }
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

/** Walks from the newest commit until `onChange` returns false. Returns false if a limit ended the walk. */
async function walk(query: DateQuery, onChange: OnChange): Promise<boolean> {
  // Detects only exact renames, by comparing object ids without reading content.
  const args = ['log', '--format=%x01%H %ct', '--name-status', '-z', '--find-renames=100%', '--no-color']
  const child = spawnGit([...args, '--end-of-options', query.commit, '--'], { ...query, config: CONFIG })
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
  query.signal?.addEventListener('abort', stop, { once: true })
  try {
    const parser = createParser(onChange)
    child.stdout?.setEncoding('utf8')
    for await (const chunk of child.stdout ?? []) {
      isOver = parser(chunk as string)
      if (isOver) break
    }
    if (isOver) stop()
    const signal = await ended
    query.signal?.throwIfAborted()
    if (signal !== null && signal !== 'SIGKILL') throw killedError(signal)
    return isOver || signal === null
  } finally {
    clearTimeout(timer)
    query.signal?.removeEventListener('abort', stop)
    stop()
  }
}

/** Returns a function that parses a chunk of git's output and returns true if no further output is needed. */
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

export interface DateStore {
  read(): Promise<string | null>
  write(text: string): Promise<void>
}

/** Caches dates, which never change for a commit. */
export async function cachedFileDates(store: DateStore, query: DateQuery): Promise<FileDates> {
  const key = `${query.commit} ${query.folder}`
  const known = parseDates((await store.read()) ?? 'null')
  if (known?.key === key) return { ...known, isWhole: true }
  const found = await readFileDates(query)
  if (found.isWhole) await store.write(formatDates(key, found))
  return found
}

function formatDates(key: string, { dates, commits }: FileDates): string {
  return JSON.stringify({ key, dates: [...dates].map(([path, date]) => [path, date, commits.get(path)]) })
}

function parseDates(text: string): ({ key: string } & Pick<FileDates, 'dates' | 'commits'>) | null {
  try {
    const { key, dates } = JSON.parse(text)
    const isDate = (row: unknown): row is [string, string, string] =>
      Array.isArray(row) &&
      typeof row[0] === 'string' &&
      !Number.isNaN(Date.parse(String(row[1]))) &&
      typeof row[2] === 'string'
    if (typeof key !== 'string' || !dates.every(isDate)) return null
    const rows = dates as [string, string, string][]
    return {
      key,
      dates: new Map(rows.map(([path, date]) => [path, date])),
      commits: new Map(rows.map(([path, , commit]) => [path, commit])),
    }
  } catch {
    return null
  }
}

/**
 * Reads files as they were at their commits. `fetchObjects` fetches contents that are missing from the copy. Returns
 * null for a file that cannot be read.
 */
export async function readFilesAt(
  { folder, ...query }: Omit<DateQuery, 'commit'>,
  files: readonly FileAtCommit[],
  fetchObjects?: (ids: readonly string[]) => Promise<void>,
): Promise<(string | null)[]> {
  const call = { ...query, config: CONFIG }
  const names = files.map(({ path }) => [folder, path].filter(Boolean).join('/'))
  const objects = files.map(({ commit }, index) => `${commit}:${names[index]}`)
  const orNull = <T>(work: Promise<T>) =>
    work.catch((error: unknown) => {
      if (error instanceof GitError && !query.signal?.aborted) return null
      throw error
    })
  // In a copy without file contents, git exits at the first missing file.
  const texts = (await orNull(readBlobTexts(call, objects))) ?? files.map(() => null)
  if (fetchObjects === undefined || !texts.includes(null)) return texts
  const ids: string[] = []
  for (const [index, { commit }] of files.entries()) {
    if (texts[index] !== null) continue
    const listed = await orNull(git(['ls-tree', '-z', '--full-tree', commit, '--', names[index] ?? ''], call))
    ids.push(...(/^\d+ blob ([0-9a-f]+)\t/.exec(listed?.toString() ?? '')?.slice(1) ?? []))
  }
  if (ids.length === 0) return texts
  await orNull(fetchObjects(ids))
  return (await orNull(readBlobTexts(call, objects))) ?? texts
}

/** Reads objects, given as commit and path, in one process. Returns null for each that is missing or too large. */
async function readBlobTexts(call: GitCall, objects: readonly string[]): Promise<(string | null)[]> {
  const input = objects.map((name) => `${name}\0`).join('')
  const output = await git(['cat-file', '--batch', '-z'], { ...call, input })
  let at = 0
  return objects.map((name) => {
    const missing = `${name} missing\n`
    if (output.toString('utf8', at, at + Buffer.byteLength(missing)) === missing) {
      at += Buffer.byteLength(missing)
      return null
    }
    const end = output.indexOf('\n', at)
    const [, type = '', size = ''] = output.toString('latin1', at, end).split(' ')
    const start = end + 1
    at = start + Number(size) + 1
    return type === 'blob' && Number(size) <= MAX_TEXT_BYTES ? output.toString('utf8', start, at - 1) : null
  })
}

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

/** Returns dates of a local folder at HEAD, or null if it is not in a repository or git cannot read it. */
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
    const query = { startIn: repository, folder: inside, ...options }
    const head = await git(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'], {
      ...query,
      config: CONFIG,
    })
    const dated = { ...query, commit: head.toString().trim() }
    const dates = store === null ? await readFileDates(dated) : await cachedFileDates(store, dated)
    return { ...dates, readAt: (files) => readFilesAt(query, files) }
  } catch (error) {
    options.signal?.throwIfAborted()
    if (error instanceof GitError) return null
    throw error
  }
}
