/**
 * The only module that runs git. Neither a repository, nor its author, nor the machine's configuration can make
 * git run other programs, prompt, use other protocols, or run forever. The operating system limits the memory and
 * CPU time of each git process; this module limits its output and duration. Each git process dies with this
 * process.
 */
import type { ChildProcess } from 'node:child_process'
import { InternalError } from '../base/internal-error.ts'
import { type ProgramResult, requireExit, runLimited, spawnLimited } from '../base/limited-program.ts'
import type { DieWithParentOptions } from '../base/parent-pipe.ts'
import { GitError, toGitError, unreachableMessage, withoutCredentials } from './git-error.ts'
import { type Pin, pinRemote, type RemoteNetwork } from './pin-remote.ts'
import type { Repository } from './repository.ts'

/** Maximum address space of a git process in kilobytes; transports read server responses into memory. */
const MEMORY_KB = 1 << 20

const COMMAND_MEMORY_KB: Readonly<Record<string, number>> = {
  /** Twice the memory needed for a million refs. */
  'ls-remote': 512 << 10,
  /** Enough for two versions of a file of 512 MB; git does not load larger files into memory. */
  fetch: 2 << 20,
}

const PROCESSOR_SECONDS = 600

/** Maximum CPU time of object readers, which run for hours. */
const READER_PROCESSOR_SECONDS = 14_400

/** Matches messages of git and its transports about exceeded process limits. */
const LIMIT_PATTERN = /out of memory|cannot allocate memory|died of signal 24/i

/** Matches git errors caused by the machine (disk, memory, processes) rather than by the repository. */
const OUT_OF_RESOURCES_PATTERN =
  /no space left on device|disk quota exceeded|too many open files|cannot (?:allocate memory|fork)|out of memory|unable to create threaded|died of signal|input\/output error|read-only file system/i

/** Settings passed to git, which gets no other environment variables of this process. */
export interface GitSettings extends RemoteNetwork {
  path?: string | undefined
  /** File of certificate authorities that replaces the system's. */
  caFile?: string | undefined
  noProxy?: string | undefined
  sshAgent?: string | undefined
}

export interface GitCall {
  /** Repository of the call; always a copy created by Octavo. */
  gitDir?: string
  /** Remote that the call may contact: its protocol is allowed and its credentials are sent. */
  remote?: Repository
  address?: string
  settings?: GitSettings | undefined
  /** Time limit, after which the call fails with GitError `timeout`. Defaults to one minute. */
  timeoutMs?: number
  /** Output limit, above which the call fails with GitError `too_large`. Defaults to 64 MiB. */
  maxOutputBytes?: number
  signal?: AbortSignal | undefined
  input?: string | Buffer
  /** Author and committer of a commit, and the time in whole seconds. */
  identity?: { name: string; email: string; at: Date }
  config?: readonly (readonly [string, string])[]
  indexFile?: string
  /** Folder in which git searches for an external repository, for calls that read its configuration. */
  startIn?: string
}

/** A git call in a mirror. */
export type MirrorCall = GitCall & { gitDir: string; address: string }

const DEFAULT_PATH = '/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin:/opt/local/bin'
const DEFAULT_TIMEOUT_MS = 60_000
const DEFAULT_OUTPUT_BYTES = 64 << 20
/** Oldest supported version: 2.38 introduced `merge-tree --write-tree`. */
const MIN_VERSION = [2, 38] as const

const CONFIG: readonly [string, string][] = [
  ['core.hooksPath', '/dev/null'],
  ['core.fsmonitor', 'false'],
  ['core.symlinks', 'false'],
  ['core.askPass', ''],
  ['core.alternateRefsCommand', ''],
  ['credential.helper', ''],
  ['protocol.allow', 'never'],
  ['submodule.recurse', 'false'],
  ['fetch.recurseSubmodules', 'false'],
  // Stores each fetch as a single pack, so that a commit is never present without its files.
  ['fetch.unpackLimit', '1'],
  // Objects must survive a power failure, because git never rewrites an existing object.
  ['core.fsync', 'committed'],
  ['core.fsyncMethod', 'batch'],
  // Disables background maintenance.
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
  // Maps packs in windows, because whole packs may exceed the address space.
  ['core.packedGitWindowSize', '32m'],
  ['core.packedGitLimit', '256m'],
  ['pack.threads', '4'],
  ['http.lowSpeedLimit', '1000'],
  ['http.lowSpeedTime', '60'],
]

/** Returns git's standard output. Rejects with GitError, InternalError, or the signal's reason. */
export async function git(args: readonly string[], call: GitCall = {}): Promise<Buffer> {
  const { code, output, stderr } = await runGit(args, call)
  // Without a remote, the error concerns the mirror.
  if (code !== 0) throw toGitError(repositoryName(call), stderr, call.remote ? undefined : 'failed')
  return output
}

/**
 * Like `git`, but resolves with any exit code, for callers that interpret failures. Rejects with
 * InternalError if an external signal killed git or the system lacked resources.
 */
export async function runGit(args: readonly string[], call: GitCall = {}): Promise<ProgramResult> {
  const { signal, timeoutMs = DEFAULT_TIMEOUT_MS, maxOutputBytes = DEFAULT_OUTPUT_BYTES } = call
  await requireGit(call.settings)
  const pin = call.remote ? await pinRemote(call.remote, call.settings ?? {}) : undefined
  signal?.throwIfAborted()
  const name = repositoryName(call)
  const tooLarge = (verb: string) =>
    new GitError('too_large', `The repository ${name} ${verb} than Octavo can read.`)
  const end = await runLimited(
    { ...programOf(args, call, pin), ...{ timeoutMs, maxOutputBytes, input: call.input } },
    signal,
  )
  if (end.kind === 'killed' && end.signal === 'SIGXCPU') throw limitExceededError(name, args, call)
  if (end.kind === 'stopped') {
    if (end.limit !== 'time') throw tooLarge(end.limit === 'output' ? 'lists more files' : 'says more')
    // By the time of the timeout, only a fetch has already received a response from the remote. For other commands,
    // a timeout means that the remote is unreachable.
    const isFetch = args[0] === 'fetch' || call.remote === undefined
    const sentence = `The repository ${name} did not respond within ${Math.round(timeoutMs / 1000)} seconds.`
    throw new GitError('timeout', isFetch ? sentence : unreachableMessage(`The repository ${name}`))
  }
  const { code, output, stderr } = requireExit(end)
  if (code !== 0 && call.remote && hasExceededLimit(stderr)) throw limitExceededError(name, args, call)
  if (code !== 0) throwIfOutOfResources(stderr)
  return { code, output, stderr: redact(stderr, call.remote) }
}

function repositoryName(call: GitCall): string {
  return call.address ?? call.remote?.address ?? 'at hand'
}

/** Removes credentials from messages, because a server may echo them. */
function redact(stderr: string, remote: Repository | undefined): string {
  const { token } = remote?.credentials ?? {}
  if (!token) return stderr
  return stderr.replaceAll(token, '…').replaceAll(basicCredentials(remote?.credentials ?? {}), '…')
}

/** Starts git with all restrictions, for communication over its standard streams. The caller must end it. */
export function spawnGit(args: readonly string[], call: GitCall = {}, pin?: Pin): ChildProcess {
  const { program, limits, ...options } = programOf(args, call, pin)
  return spawnLimited(program, args, limits, options)
}

function programOf(args: readonly string[], call: GitCall, pin?: Pin) {
  return {
    program: 'git',
    args,
    limits: resourceLimits(args, call),
    cwd: call.gitDir ?? call.startIn ?? '/',
    env: environment(call, pin),
  }
}

/** Yields the entries of `-z` output lazily, because decoding all entries at once may take too long. */
export function* iterateNames(output: Buffer): Generator<string> {
  for (let at = 0; at < output.length; ) {
    const end = output.indexOf(0, at)
    yield output.toString('utf8', at, end === -1 ? output.length : end)
    at = end === -1 ? output.length : end + 1
  }
}

/** Rejects external names that git could parse as an option. */
export function requirePlainName(name: string, what: string): string {
  if (name === '' || name.startsWith('-') || /[\p{Cc}]/u.test(name)) {
    throw new GitError('ref_missing', `${JSON.stringify(name)} cannot be the name of a ${what}.`)
  }
  return name
}

/** Without a pin, no protocol is allowed, so git can only contact hosts whose addresses were checked. */
function environment(call: GitCall, pin?: Pin): Record<string, string> {
  const { gitDir, indexFile, remote, identity, settings = {} } = call
  const config = [
    ...CONFIG,
    ...(call.config ?? []),
    ...credentialConfig(remote),
    ...networkConfig(settings),
    ...(pin?.config ?? []),
  ]
  const env: Record<string, string> = {
    PATH: settings.path ?? DEFAULT_PATH,
    HOME: '/nonexistent',
    LC_ALL: 'C',
    // Each arena of a thread would reserve 64 MB of the limited address space.
    MALLOC_ARENA_MAX: '2',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_NO_LAZY_FETCH: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_OPTIONAL_LOCKS: '0',
    // Disables wildcards in paths.
    GIT_LITERAL_PATHSPECS: '1',
    GIT_PROTOCOL_FROM_USER: '0',
    GIT_ALLOW_PROTOCOL: (pin && remote?.protocol) ?? 'none',
    ...configVariables(config),
    ...identityVariables(identity),
  }
  if (gitDir) env.GIT_DIR = gitDir
  if (indexFile) env.GIT_INDEX_FILE = indexFile
  if (settings.noProxy) env.no_proxy = settings.noProxy
  if (remote?.protocol === 'ssh') {
    env.GIT_SSH_COMMAND = sshCommand(remote, pin?.ssh ?? [])
    if (settings.sshAgent && remote.credentials.operatorKeys) env.SSH_AUTH_SOCK = settings.sshAgent
  }
  return env
}

/** Passes configuration in environment variables, which override the repository's configuration. */
export function configVariables(config: readonly (readonly [string, string])[]): Record<string, string> {
  const variables: Record<string, string> = { GIT_CONFIG_COUNT: String(config.length) }
  for (const [index, [key, value]] of config.entries()) {
    variables[`GIT_CONFIG_KEY_${index}`] = key
    variables[`GIT_CONFIG_VALUE_${index}`] = value
  }
  return variables
}

function identityVariables(identity: GitCall['identity']): Record<string, string> {
  if (!identity) return {}
  const { name, email, at } = identity
  const date = `@${Math.floor(at.getTime() / 1000)} +0000`
  const variables: Record<string, string> = {}
  for (const role of ['AUTHOR', 'COMMITTER']) {
    variables[`GIT_${role}_NAME`] = name
    variables[`GIT_${role}_EMAIL`] = email
    variables[`GIT_${role}_DATE`] = date
  }
  return variables
}

/**
 * Sends credentials as a header configured in the environment, so they never appear in arguments, URLs or
 * files. Disables redirects, because git would send the header to their target.
 */
function credentialConfig(remote: Repository | undefined): [string, string][] {
  if (!remote?.credentials.token || !remote.protocol.startsWith('http')) return []
  const header = `Authorization: Basic ${basicCredentials(remote.credentials)}`
  return [[`http.${new URL(remote.address).origin}/.extraHeader`, header]]
}

function basicCredentials({ username = 'x-access-token', token = '' }: Repository['credentials']): string {
  return Buffer.from(`${username}:${token}`).toString('base64')
}

function networkConfig(settings: GitSettings): [string, string][] {
  const config: [string, string][] = []
  if (settings.caFile) config.push(['http.sslCAInfo', settings.caFile])
  if (settings.proxy) config.push(['http.proxy', settings.proxy])
  return config
}

/** Disables the keys, agent and configuration of the machine's user. */
const SSH_ISOLATION_OPTIONS = [
  'IdentityAgent=none',
  'IdentityFile=none',
  'IdentitiesOnly=yes',
  'PubkeyAuthentication=no',
  'HostbasedAuthentication=no',
  'GSSAPIAuthentication=no',
]

/** Trusts a host's key on first use, but not a changed key. SSH uses the first value of each option. */
function sshCommand({ credentials }: Repository, pinned: readonly string[]): string {
  const { sshKeyFile, operatorKeys = false } = credentials
  const options = ['BatchMode=yes', 'StrictHostKeyChecking=accept-new', 'ConnectTimeout=20', ...pinned]
  if (sshKeyFile) options.push('IdentitiesOnly=yes')
  else if (!operatorKeys) options.push(...SSH_ISOLATION_OPTIONS)
  const file = sshKeyFile ? ` -i ${quoted(sshKeyFile)}` : ''
  const settings = operatorKeys ? '' : ' -F /dev/null'
  return `ssh${settings}${options.map((option) => ` -o${quoted(option)}`).join('')}${file}`
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

const checked = new Map<string, Promise<void>>()

async function requireGit(settings: GitSettings | undefined): Promise<void> {
  const path = settings?.path ?? DEFAULT_PATH
  const check = checked.get(path) ?? checkVersion(settings)
  checked.set(path, check)
  try {
    await check
  } catch (error) {
    checked.delete(path) // git may be installed before the next call
    throw error
  }
}

async function checkVersion(settings: GitSettings | undefined): Promise<void> {
  const limits = { timeoutMs: DEFAULT_TIMEOUT_MS, maxOutputBytes: DEFAULT_OUTPUT_BYTES }
  const end = await runLimited({ ...programOf(['version'], { settings }), ...limits })
  const isMissing = end.kind === 'stopped' || (end.kind === 'not_started' && end.code === 'ENOENT')
  const { code, output } = isMissing ? { code: null, output: '' } : requireExit(end)
  if (code !== 0) throw new GitError('git_missing', 'git is not installed on the server.')
  const [, major = 0, minor = 0] = (/(\d+)\.(\d+)/.exec(output.toString()) ?? []).map(Number)
  if (major > MIN_VERSION[0] || (major === MIN_VERSION[0] && minor >= MIN_VERSION[1])) return
  throw new GitError(
    'git_missing',
    `Octavo requires git ${MIN_VERSION.join('.')} or later. The installed version is ${output.toString().trim()}.`,
  )
}

interface RemoteCall {
  remote?: Repository
}

/** Does not limit memory for local repositories, which belong to the operator and can have packs of any size. */
function resourceLimits([command = '']: readonly string[], { remote }: RemoteCall): DieWithParentOptions {
  return {
    isGroup: true,
    processorSeconds: command === 'cat-file' ? READER_PROCESSOR_SECONDS : PROCESSOR_SECONDS,
    ...(remote?.protocol !== 'file' && { addressSpace: COMMAND_MEMORY_KB[command] ?? MEMORY_KB }),
  }
}

function hasExceededLimit(stderr: string): boolean {
  return localLines(stderr).some((line) => LIMIT_PATTERN.test(line))
}

function limitExceededError(name: string, args: readonly string[], call: RemoteCall): GitError {
  const { addressSpace, processorSeconds } = resourceLimits(args, call)
  const memory = addressSpace === undefined ? '' : `${addressSpace >> 10} MB of memory or `
  const sentence = `The repository ${name} is too large, or its server sends too much. The limit for git is ${memory}${processorSeconds} seconds of processor time.`
  return new GitError('too_large', sentence)
}

/** Returns the lines written by git itself, without messages of the remote. */
function localLines(stderr: string): string[] {
  return stderr.split('\n').filter((line) => !/^remote:|remote error/i.test(line))
}

function throwIfOutOfResources(stderr: string): void {
  const line = localLines(stderr).find((candidate) => OUT_OF_RESOURCES_PATTERN.test(candidate))
  if (line !== undefined)
    throw new InternalError('git did not have enough disk space', {
      cause: new Error(withoutCredentials(line).slice(0, 300)),
    })
}
