/**
 * A project's bare copy of a repository, which contains only requested commits and is retained between jobs
 * so that later fetches are smaller. Contains single commits with their files, and history only on request.
 *
 *   no folder     created under a temporary name, moved into place, then fetched into
 *   intact        for a ref, the remote is always asked for its current commit (which also proves that the
 *                 credentials are still valid); the commit is fetched only if it is missing
 *   distrusted,   discarded and recreated, once per call
 *     unreadable
 *
 * A file lock serializes changes between processes; reading needs no lock.
 */
import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { acquireFileLock } from '../base/files/file-lock.ts'
import { sha256 } from '../base/hash.ts'
import { InternalError } from '../base/internal-error.ts'
import { hasCommit } from './compare-commits.ts'
import { type GitCall, type GitSettings, git, type MirrorCall, requirePlainName } from './git.ts'
import { GitError } from './git-error.ts'
import type { Repository } from './repository.ts'

/** Number of packs at which they are combined; each fetch adds one. */
const MAX_PACKS = 50

/** Days for which commits are retained, longer than any job. Older commits can be fetched again. */
const RETENTION_DAYS = 14
const DAY_MS = 86_400_000
const RETAINED_REFS = 'refs/octavo/kept'

export interface MirrorOptions {
  /** Folder of all mirrors; created if missing. */
  folder: string
  /** Mirrors are never shared between projects, even for the same URL. */
  projectId: string
  repository: Repository
  settings?: GitSettings | undefined
  onDefaultBranch?: ((branch: string) => void) | undefined
  /** Time limit of a fetch. Defaults to 10 minutes. */
  fetchTimeoutMs?: number
  /** Maximum size of a fetch, above which it fails with GitError `too_large`. Defaults to 4 GiB. */
  maxFetchBytes?: number
  /** Size limit, at which a mirror is recreated instead of extended. Defaults to twice `maxFetchBytes`. */
  maxMirrorBytes?: number
  /** Also fetches the history, into a separate mirror. `folders` omits the contents of files. */
  history?: boolean | 'folders'
}

export interface Branch {
  /** Name without `refs/heads/`. */
  branch: string
  commit: string
}

export interface Mirror {
  gitDir: string
  /**
   * Fetches the current commit of `ref` (a branch, tag, full ref name or commit; null for the default branch)
   * and returns its full hash. A branch takes precedence over a tag with the same name.
   */
  fetchCommit(ref: string | null, signal?: AbortSignal): Promise<string>
  /**
   * Fetches the tip of a branch; null selects the default branch, or the one checked out in a working copy.
   * Rejects with GitError `branch_missing` if the branch does not exist or the name belongs to a tag or commit.
   */
  fetchBranch(name: string | null, signal?: AbortSignal): Promise<Branch>
  /** Checks that `ref` (as in `fetchCommit`) exists at the remote, without fetching it. */
  checkRef(ref: string | null, signal?: AbortSignal): Promise<void>
  /** Fetches a commit by its full hash if it is missing; otherwise does not contact the remote. */
  ensureCommit(commit: string, signal?: AbortSignal): Promise<void>
  /** Fetches the contents of single files of known commits by object id, for a mirror without file contents. */
  fetchObjects(ids: readonly string[], signal?: AbortSignal): Promise<void>
  /**
   * Runs `write`, which adds a commit written by Octavo. No fetch or cleanup runs at the same time. Returns the
   * result of `write`; a string is the hash of the commit.
   */
  addCommit<T>(write: () => Promise<T>, signal?: AbortSignal): Promise<T>
  markDamaged(): Promise<void>
}

interface Remote {
  head: string | null
  /** Branch of HEAD; null if HEAD is detached or the server does not report it. */
  headBranch: string | null
  refs: ReadonlyMap<string, string>
}

const FETCH_TIMEOUT_MS = 600_000
const MAX_FETCH_BYTES = 4 * 2 ** 30
const FULL_COMMIT = /^([0-9a-f]{40}|[0-9a-f]{64})$/
const DAMAGED_MARKER = 'octavo-distrusted'
/** Supported formats of objects and refs, independent of the defaults of newer git versions. */
const FORMAT: readonly [string, string][] = [
  ['init.defaultObjectFormat', 'sha1'],
  ['init.defaultRefFormat', 'files'],
]
const MIRROR_NAME_SUFFIXES = { true: '-history', folders: '-folders' }
const SHORT_COMMIT = /^[0-9a-f]{7,64}$/

/** Reads and writes nothing before the first fetch. */
export function openMirror(options: MirrorOptions): Mirror {
  const { folder, projectId, repository, history } = options
  if (!/^\w+$/.test(projectId)) throw new TypeError(`${JSON.stringify(projectId)} is not the id of a project`)
  const name = sha256(repository.address).slice(0, 32)
  const gitDir = join(folder, projectId, `${name}${history ? MIRROR_NAME_SUFFIXES[`${history}`] : ''}.git`)
  const mirrorFor = (signal: AbortSignal | undefined): OpenMirror => ({ ...options, gitDir, signal })
  return {
    gitDir,
    async fetchCommit(ref, signal) {
      if (ref !== null) requirePlainName(ref, 'branch, tag or commit')
      return await fetchLocked(mirrorFor(signal), (mirror) => fetchInto(mirror, ref))
    },
    async fetchBranch(branch, signal) {
      if (branch !== null) requirePlainName(branch, 'branch')
      return await fetchLocked(mirrorFor(signal), (mirror) => fetchBranchInto(mirror, branch))
    },
    async checkRef(ref, signal) {
      const mirror = mirrorFor(signal)
      if (ref !== null) requirePlainName(ref, 'branch, tag or commit')
      const isFound = selectRef(await listRemoteRefs(mirror, ref), ref) !== undefined
      if (!isFound && (ref === null || !SHORT_COMMIT.test(ref))) throw missingRefError(mirror, ref)
    },
    async ensureCommit(commit, signal) {
      const mirror = mirrorFor(signal)
      if (!FULL_COMMIT.test(commit)) throw new TypeError(`${commit} is not a full commit hash`)
      // The repository is intact if git finds the commit.
      if ((await isUsable(mirror)) && (await isPresent(mirror, commit))) return await touch(gitDir)
      await fetchLocked(mirror, () => fetchInto(mirror, commit))
    },
    async fetchObjects(ids, signal) {
      const mirror = mirrorFor(signal)
      await using _lock = await acquireFileLock(`${gitDir}.lock`, signal)
      await fetchWithin(mirror, ['--filter=blob:none', '--', repository.address, ...ids])
    },
    async addCommit(write, signal) {
      await using _lock = await acquireFileLock(`${gitDir}.lock`, signal)
      const written = await write()
      if (typeof written === 'string') await retainCommit(gitDir, written)
      return written
    },
    async markDamaged() {
      presentCommits.delete(gitDir)
      await writeFile(join(gitDir, DAMAGED_MARKER), '').catch(() => undefined)
    },
  }
}

type OpenMirror = MirrorOptions & { gitDir: string; signal: AbortSignal | undefined }

async function fetchLocked<T>(mirror: OpenMirror, work: (mirror: OpenMirror) => Promise<T>): Promise<T> {
  const { gitDir, signal } = mirror
  await mkdir(dirname(gitDir), { recursive: true })
  await using _lock = await acquireFileLock(`${gitDir}.lock`, signal)
  await touch(gitDir)
  try {
    return await work(mirror)
  } catch (error) {
    // Deletes the mirror, because a commit that arrived despite exceeding the limit would count as fetched.
    if (error instanceof GitError && error.reason === 'too_large') await deleteMirror(gitDir)
    // A specific reason concerns the remote or the caller; any other error may be caused by the mirror.
    if (!(error instanceof GitError && error.reason === 'failed') || signal?.aborted) throw error
    await deleteMirror(gitDir)
    return await work(mirror)
  }
}

/**
 * Commits known to be present, by mirror. Jobs check the same commits repeatedly, and a git process for each
 * check takes longer than reading the files. The entries of a damaged mirror are deleted.
 */
const presentCommits = new Map<string, Set<string>>()
const MAX_PRESENT_COMMITS = 1000

async function isPresent(mirror: OpenMirror, commit: string): Promise<boolean> {
  const known = presentCommits.get(mirror.gitDir) ?? new Set()
  if (known.has(commit)) return true
  if (!(await hasCommit(localCall(mirror), commit))) return false
  if (known.size >= MAX_PRESENT_COMMITS) known.clear()
  presentCommits.set(mirror.gitDir, known.add(commit))
  return true
}

/** Marks the mirror as used; see old-mirrors.ts. */
async function touch(gitDir: string): Promise<void> {
  const now = new Date()
  await utimes(gitDir, now, now).catch(() => undefined) // not created yet
}

async function fetchInto(mirror: OpenMirror, ref: string | null): Promise<string> {
  await ensureMirror(mirror)
  const remote = await listRemoteRefs(mirror, ref)
  const wanted = selectRef(remote, ref)
  if (!wanted) return await fetchByName(mirror, ref)
  return await ensureFetched(mirror, wanted, ref)
}

async function fetchBranchInto(mirror: OpenMirror, name: string | null): Promise<Branch> {
  await ensureMirror(mirror)
  const { branch, commit } = await findRemoteBranch(mirror, name)
  return { branch, commit: await ensureFetched(mirror, { name: `refs/heads/${branch}`, commit }, branch) }
}

async function findRemoteBranch(mirror: OpenMirror, name: string | null): Promise<Branch> {
  const remote = await listRemoteRefs(mirror, name)
  const branch = name ?? remote.headBranch
  const commit = name === null ? remote.head : remote.refs.get(`refs/heads/${branch}`)
  if (branch === null || !commit) throw missingBranchError(mirror, remote, name)
  return { branch, commit }
}

async function ensureFetched(
  mirror: OpenMirror,
  wanted: { name: string | null; commit: string },
  ref: string | null,
): Promise<string> {
  let { commit } = wanted
  if (!(await isPresent(mirror, commit))) {
    await fetch(mirror, [wanted.name ?? commit])
    commit = await resolveCommit(mirror, 'refs/octavo/fetched', ref)
  }
  await retainCommit(mirror.gitDir, commit)
  return commit
}

async function ensureMirror(mirror: OpenMirror): Promise<void> {
  const { gitDir, settings, signal, maxFetchBytes = MAX_FETCH_BYTES } = mirror
  const { maxMirrorBytes = 2 * maxFetchBytes } = mirror
  if ((await isUsable(mirror)) && (await packBytes(gitDir)) <= maxMirrorBytes - maxFetchBytes) return
  await deleteMirror(gitDir)
  const temporaryPath = `${gitDir}.${randomUUID()}`
  try {
    await git(['init', '--quiet', '--bare', '--template=', '--', temporaryPath], {
      settings,
      signal,
      config: FORMAT,
    })
    await rename(temporaryPath, gitDir)
  } finally {
    await rm(temporaryPath, { recursive: true, force: true })
  }
}

async function isUsable({ gitDir }: OpenMirror): Promise<boolean> {
  const names = await readdir(gitDir).catch((): string[] => [])
  return !names.includes(DAMAGED_MARKER) && ['HEAD', 'objects', 'refs'].every((name) => names.includes(name))
}

/** Moves the mirror aside first, so that a partly deleted mirror is never used. */
async function deleteMirror(gitDir: string): Promise<void> {
  presentCommits.delete(gitDir)
  const trashPath = `${gitDir}.${randomUUID()}`
  await rename(gitDir, trashPath).catch(() => undefined)
  await rm(trashPath, { recursive: true, force: true })
}

async function listRemoteRefs(mirror: OpenMirror, ref: string | null): Promise<Remote> {
  const { address } = mirror.repository
  const names = ref === null ? [] : [ref, `refs/heads/${ref}`, `refs/tags/${ref}`, `refs/tags/${ref}^{}`]
  const { settings, signal } = mirror
  const call = { remote: mirror.repository, settings, signal }
  const listing = await git(['ls-remote', '--quiet', '--symref', '--', address, 'HEAD', ...names], call)
  const refs = new Map<string, string>()
  let headBranch: string | null = null
  for (const line of listing.toString().split('\n')) {
    const [commit, name] = line.split('\t')
    if (!commit || !name) continue
    if (!commit.startsWith('ref: ')) refs.set(name, commit)
    else if (name === 'HEAD') headBranch = /^ref: refs\/heads\/(.+)$/.exec(commit)?.[1] ?? null
  }
  if (headBranch !== null) mirror.onDefaultBranch?.(headBranch)
  return { head: refs.get('HEAD') ?? null, headBranch, refs }
}

/** Returns the matching ref of the remote with its commit, or undefined. */
function selectRef(remote: Remote, ref: string | null): { name: string | null; commit: string } | undefined {
  if (ref === null) return remote.head ? { name: 'HEAD', commit: remote.head } : undefined
  for (const name of [`refs/heads/${ref}`, `refs/tags/${ref}`, ref]) {
    const commit = remote.refs.get(`${name}^{}`) ?? remote.refs.get(name)
    if (commit && (name === 'HEAD' || name.startsWith('refs/'))) return { name, commit }
  }
  return FULL_COMMIT.test(ref) ? { name: null, commit: ref } : undefined
}

/** Fetches all refs to resolve an abbreviated hash, which cannot be requested from the remote. */
async function fetchByName(mirror: OpenMirror, ref: string | null): Promise<string> {
  if (ref === null || !SHORT_COMMIT.test(ref)) throw missingRefError(mirror, ref)
  await fetchAll(mirror)
  return await resolveCommit(mirror, ref, ref)
}

async function fetch(mirror: OpenMirror, wanted: string[]): Promise<void> {
  const { repository, history = false } = mirror
  const refspecs = wanted.map((name) => `+${name}:refs/octavo/fetched`)
  try {
    // The remote may be a shallow clone, in which case the history is also incomplete here.
    const depth = history ? ['--update-shallow'] : ['--depth=1']
    const filter = history === 'folders' ? ['--filter=blob:none'] : []
    await fetchWithin(mirror, [...depth, ...filter, '--', repository.address, ...refspecs])
  } catch (error) {
    if (!(error instanceof GitError)) throw error
    const includesCommit = wanted.some((name) => FULL_COMMIT.test(name))
    const lacksShallow = /shallow|depth/i.test(error.detail)
    if (!lacksShallow && !(includesCommit && ['ref_missing', 'failed'].includes(error.reason))) throw error
    // Some servers do not allow fetching single commits, and dumb HTTP servers do not support shallow fetches.
    await fetchAll(mirror)
    for (const name of wanted) {
      const copied = name
        .replace(/^HEAD$/, 'refs/octavo/head')
        .replace(/^refs\/(heads|tags)\//, 'refs/octavo/$1/')
      const commit = await resolveCommit(mirror, copied, name)
      await git(['update-ref', 'refs/octavo/fetched', commit], localCall(mirror))
    }
  }
}

async function fetchAll(mirror: OpenMirror): Promise<void> {
  const isShallow = await stat(join(mirror.gitDir, 'shallow')).catch(() => undefined)
  const refspecs = [
    '+HEAD:refs/octavo/head',
    '+refs/heads/*:refs/octavo/heads/*',
    '+refs/tags/*:refs/octavo/tags/*',
  ]
  const depth = isShallow ? ['--unshallow'] : []
  await fetchWithin(mirror, [...depth, '--', mirror.repository.address, ...refspecs])
}

async function fetchWithin(mirror: OpenMirror, args: string[]): Promise<void> {
  const { gitDir, maxFetchBytes = MAX_FETCH_BYTES, fetchTimeoutMs = FETCH_TIMEOUT_MS } = mirror
  await tidyMirror({ ...localCall(mirror), gitDir, timeoutMs: FETCH_TIMEOUT_MS })
  const sizeLimit = new AbortController()
  const before = await packBytes(gitDir)
  const measure = async () => {
    if ((await packBytes(gitDir)) - before <= maxFetchBytes) return
    const limit = `${Math.ceil(maxFetchBytes / 2 ** 20)} MiB`
    const sentence = `The repository ${mirror.repository.address} is larger than ${limit}.`
    sizeLimit.abort(new GitError('too_large', sentence))
  }
  const watch = setInterval(measure, 500)
  const signal = mirror.signal ? AbortSignal.any([mirror.signal, sizeLimit.signal]) : sizeLimit.signal
  const flags = ['--quiet', '--no-tags', '--no-write-fetch-head', '--force', '--no-auto-maintenance']
  try {
    await git(['fetch', ...flags, ...args], { ...remoteCall(mirror), timeoutMs: fetchTimeoutMs, signal })
    await measure()
    sizeLimit.signal.throwIfAborted()
  } finally {
    clearInterval(watch)
  }
}

async function packBytes(gitDir: string): Promise<number> {
  const folder = join(gitDir, 'objects', 'pack')
  let bytes = 0
  for (const name of await readdir(folder).catch(() => [])) {
    bytes += (await stat(join(folder, name)).catch(() => undefined))?.size ?? 0
  }
  return bytes
}

async function resolveCommit(mirror: OpenMirror, name: string, ref: string | null): Promise<string> {
  try {
    const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`]
    return (await git(args, localCall(mirror))).toString().trim()
  } catch (error) {
    mirror.signal?.throwIfAborted()
    throw !(error instanceof GitError) || error.reason === 'timeout'
      ? error
      : missingRefError(mirror, ref ?? 'HEAD')
  }
}

function missingRefError({ repository: { address } }: OpenMirror, ref: string | null): GitError {
  const sentence =
    ref === null
      ? `The repository ${address} has no commits yet.`
      : `The repository ${address} has no branch, tag or commit ${JSON.stringify(ref)}.`
  return new GitError('ref_missing', sentence)
}

function missingBranchError(mirror: OpenMirror, remote: Remote, name: string | null): GitError {
  const { address } = mirror.repository
  const quoted = JSON.stringify(name)
  const explanation =
    name === null
      ? remote.head === null
        ? `The repository ${address} has no commits yet.`
        : `No branch is checked out in the repository ${address}. Set the target branch for changes.`
      : remote.refs.has(`refs/tags/${name}`)
        ? `${quoted} is a tag of the repository ${address}, but changes require a branch.`
        : SHORT_COMMIT.test(name)
          ? `The repository ${address} has no branch ${quoted}. Changes require a branch, not a commit.`
          : `The repository ${address} has no branch ${quoted}.`
  return new GitError('branch_missing', explanation)
}

export async function nullIfBranchMissing<T>(lookup: Promise<T>): Promise<T | null> {
  return await lookup.catch((error: unknown) => {
    if (error instanceof GitError && error.reason === 'branch_missing') return null
    throw error
  })
}

function localCall({ gitDir, settings, signal, repository }: OpenMirror): MirrorCall {
  return { gitDir, settings, signal, address: repository.address }
}

function remoteCall(mirror: OpenMirror): GitCall {
  return { ...localCall(mirror), remote: mirror.repository }
}

// Keeps a mirror small without removing objects that jobs still need. Callers hold the mirror's lock.

/** Retains requested or written commits for RETENTION_DAYS, even if other commits are fetched later. */
async function retainCommit(gitDir: string, commit: string): Promise<void> {
  const path = join(gitDir, RETAINED_REFS, String(Math.floor(Date.now() / DAY_MS)), commit)
  const line = `${commit}\n`
  // Skips the write if it was already made today, because a job requests the same commit repeatedly.
  if ((await readFile(path, 'utf8').catch(() => null)) === line) return
  const temporaryPath = join(gitDir, `octavo-kept.${randomUUID()}`)
  try {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(temporaryPath, line)
    await rename(temporaryPath, path)
  } catch (cause) {
    await rm(temporaryPath, { force: true })
    throw new InternalError('a commit could not be retained', { cause })
  }
}

/** Removes leftovers of aborted fetches, and combines packs, because each pack costs disk space and time. */
async function tidyMirror(call: GitCall & { gitDir: string }): Promise<void> {
  const folder = join(call.gitDir, 'objects', 'pack')
  const names = await readdir(folder).catch(() => [])
  for (const name of names) if (name.startsWith('tmp_')) await rm(join(folder, name), { force: true })
  if (names.filter((name) => name.endsWith('.pack')).length <= MAX_PACKS) return
  await expireOldCommits(call)
  await git(['repack', '-a', '-d', '-q'], call)
  await git(['prune', `--expire=${RETENTION_DAYS}.days.ago`], call)
}

async function expireOldCommits(call: GitCall): Promise<void> {
  const oldest = Math.floor(Date.now() / DAY_MS) - RETENTION_DAYS
  const retained = (await git(['for-each-ref', '--format=%(refname)', RETAINED_REFS], call))
    .toString()
    .split('\n')
  const old = retained.filter(
    (ref) => ref !== '' && Number(ref.slice(RETAINED_REFS.length + 1).split('/')[0]) < oldest,
  )
  await git(['update-ref', '--stdin'], { ...call, input: old.map((ref) => `delete ${ref}\n`).join('') })
}
