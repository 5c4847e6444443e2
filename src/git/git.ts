/**
 * The only module that runs git. Neither a repository, nor its author, nor the machine's configuration can make git
 * run other programs, prompt, use unrequested protocols, or run forever. Memory and CPU time of each git process are
 * limited by the operating system, output and duration by this module, and it dies with this process.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import type { Socket } from 'node:net'
import { InternalError } from '../base/internal-error.ts'
import type { DieWithParentOptions } from '../base/parent-pipe.ts'
import { dieWithParent, PARENT_PIPE_FD } from '../base/parent-pipe.ts'
import { GitError, toGitError, unreachableSentence, withoutCredentials } from './git-error.ts'
import { type Pin, pinRemote, type RemoteNetwork } from './pin-remote.ts'
import type { Repository } from './repository.ts'

/** Maximum address space of a git process in kilobytes: its transports read server responses into memory. */
const MEMORY_KB = 1 << 20

const COMMAND_MEMORY_KB: Readonly<Record<string, number>> = {
  /** Twice what a million refs need. */
  'ls-remote': 512 << 10,
  /** Enough for two versions of a file of 512 MB; larger ones are not held in memory. */
  fetch: 2 << 20,
}

const PROCESSOR_SECONDS = 600

/** Maximum CPU time of object readers, which run for hours. */
const READER_PROCESSOR_SECONDS = 14_400

/** Messages of git and its transports when they exceed the limits of their process. */
const LIMIT_PATTERN = /out of memory|cannot allocate memory|died of signal 24/i

/** Messages of git about this machine rather than a repository. */
const OUT_OF_RESOURCES_PATTERN =
  /no space left on device|disk quota exceeded|too many open files|cannot (?:allocate memory|fork)|out of memory|unable to create threaded|died of signal|input\/output error|read-only file system/i

/** Settings passed to git; the rest of the environment is hidden from it. */
export interface GitSettings extends RemoteNetwork {
  /** Search path for programs, like PATH. */
  path?: string | undefined
  /** File of certificate authorities that replaces the system's. */
  caFile?: string | undefined
  /** Hosts that bypass the proxy. */
  noProxy?: string | undefined
  /** Socket of an SSH agent. */
  sshAgent?: string | undefined
}

export interface GitCall {
  /** Repository to work in, always one that we created. */
  gitDir?: string
  /** Set for calls that contact the remote: allows its protocol and sends its credentials. */
  remote?: Repository
  /** Name of the repository in messages; defaults to that of the remote. */
  address?: string
  settings?: GitSettings | undefined
  /** Time limit, after which the call fails with GitError `timeout`; defaults to a minute. */
  timeoutMs?: number
  /** Output limit, beyond which the call fails with GitError `too_large`; defaults to 64 MiB. */
  maxOutputBytes?: number
  signal?: AbortSignal | undefined
  /** Standard input of git. */
  input?: string | Buffer
  /** Author and committer of a commit, and its time in whole seconds. */
  identity?: { name: string; email: string; at: Date }
  /** Additional configuration, which takes precedence over that of repositories. */
  config?: readonly (readonly [string, string])[]
  /** Separate index file for this call. */
  indexFile?: string
  /** Folder in which git looks for the repository, for the few calls that read the configuration of a foreign one. */
  startIn?: string
}

export interface GitResult {
  /** Exit code; null if git was ended by an external signal. */
  code: number | null
  output: Buffer
  /** Standard error, at most 64 kB, without the credentials of the remote. */
  stderr: string
}

const DEFAULT_PATH = '/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin:/opt/local/bin'
const DEFAULT_TIMEOUT_MS = 60_000
const DEFAULT_OUTPUT_BYTES = 64 << 20
const MAX_STDERR_CHARACTERS = 64_000
/** Maximum output on standard error, since a server may send endless messages. */
const MAX_STDERR_BYTES = 16 << 20

/** Oldest supported version: 2.37 introduced http.curloptResolve, which pinning relies on. */
const MIN_VERSION = [2, 37] as const

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
  // Store each fetch as a single pack, so that a present commit also has its files.
  ['fetch.unpackLimit', '1'],
  // No background work.
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
  // Map packs in windows, because whole packs may exceed the address space.
  ['core.packedGitWindowSize', '32m'],
  ['core.packedGitLimit', '256m'],
  ['pack.threads', '4'],
  ['http.lowSpeedLimit', '1000'],
  ['http.lowSpeedTime', '60'],
]

/** Runs git and returns its standard output. Rejects with GitError, InternalError, or the signal's reason. */
export async function git(args: readonly string[], call: GitCall = {}): Promise<Buffer> {
  const { code, output, stderr } = await runGit(args, call)
  // Without a remote, the error is in our own copy.
  if (code !== 0) throw toGitError(repositoryName(call), stderr, call.remote ? undefined : 'failed')
  return output
}

/**
 * Like `git`, but resolves whatever the exit code, for callers that interpret failures. Rejects with InternalError
 * if git was killed from outside, or the system lacked resources.
 */
export async function runGit(args: readonly string[], call: GitCall = {}): Promise<GitResult> {
  const { signal, timeoutMs = DEFAULT_TIMEOUT_MS, maxOutputBytes = DEFAULT_OUTPUT_BYTES } = call
  await requireGit(call.settings)
  const pin = call.remote ? await pinRemote(call.remote, call.settings ?? {}) : undefined
  signal?.throwIfAborted()
  const child = spawnGit(args, call, pin)
  const output: Buffer[] = []
  let outputBytes = 0
  let stderr = ''
  let stderrBytes = 0
  let stopReason: unknown
  const stop = (reason: unknown) => {
    stopReason ??= reason
    killGroup(child)
  }
  const onAbort = () => stop(signal?.reason)
  signal?.addEventListener('abort', onAbort, { once: true })
  const name = repositoryName(call)
  const timer = setTimeout(() => {
    // Only a fetch has already heard from the remote by then; for other commands, a timeout means that it is
    // unreachable.
    const isFetch = args[0] === 'fetch' || call.remote === undefined
    const seconds = Math.round(timeoutMs / 1000)
    const timeoutSentence = `The repository ${name} did not answer within ${seconds} seconds.`
    stop(new GitError('timeout', isFetch ? timeoutSentence : unreachableSentence(`The repository ${name}`)))
  }, timeoutMs)
  child.stdin?.on('error', () => undefined) // git may exit before reading all input; its exit code is more informative
  child.stdin?.end(call.input)
  child.stdout?.on('data', (chunk: Buffer) => {
    output.push(chunk)
    outputBytes += chunk.length
    if (outputBytes > maxOutputBytes) {
      stop(new GitError('too_large', `The repository ${name} lists more files than Octavo reads.`))
    }
  })
  child.stderr?.on('data', (chunk: Buffer) => {
    if (stderr.length < MAX_STDERR_CHARACTERS) stderr += chunk.toString()
    stderrBytes += chunk.length
    if (stderrBytes > MAX_STDERR_BYTES) {
      stop(new GitError('too_large', `The repository ${name} says more than Octavo reads.`))
    }
  })
  try {
    const code = await waitForExit(child).catch((error: InternalError) => {
      throw stopReason ?? (error.cause === 'SIGXCPU' ? limitExceededError(name, args, call) : error)
    })
    if (stopReason !== undefined) throw stopReason
    if (code !== 0 && call.remote && hasExceededLimit(stderr)) throw limitExceededError(name, args, call)
    if (code !== 0) throwIfOutOfResources(stderr)
    return { code, output: Buffer.concat(output), stderr: redact(stderr, call.remote) }
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', onAbort)
  }
}

/** Resolves with the exit code. Rejects with InternalError if git could not be started or was killed by a signal. */
function waitForExit(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve, reject) => {
    child.once('error', (cause) => reject(new InternalError('git could not be started', { cause })))
    child.once('close', (code, signal) => {
      if (signal === null) resolve(code)
      else reject(gitKilledError(signal))
    })
  })
}

export function gitKilledError(signal: NodeJS.Signals): InternalError {
  return new InternalError('git was ended before it was done', { cause: signal })
}

function repositoryName(call: GitCall): string {
  return call.address ?? call.remote?.address ?? 'at hand'
}

/** Removes credentials from messages, since a server may echo them. */
function redact(stderr: string, remote: Repository | undefined): string {
  const { token } = remote?.credentials ?? {}
  if (!token) return stderr
  return stderr.replaceAll(token, '…').replaceAll(basicCredentials(remote?.credentials ?? {}), '…')
}

/** Starts git with all protections, for a conversation over its standard streams. The caller must end it. */
export function spawnGit(args: readonly string[], call: GitCall = {}, pin?: Pin): ChildProcess {
  const { command, args: all } = dieWithParent('git', args, resourceLimits(args, call))
  const child = spawn(command, all, {
    // A separate process group, so that transports, which are child processes, are ended as well.
    detached: true,
    shell: false,
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
    cwd: call.gitDir ?? call.startIn ?? '/',
    env: environment(call, pin),
  })
  // Missing if the process could not be started.
  const parentPipe = child.stdio[PARENT_PIPE_FD] as Socket | undefined
  parentPipe?.on('error', () => undefined).unref()
  // The child only counts as closed once this pipe is closed, so the pipe must keep the event loop alive until then.
  child.once('exit', () => parentPipe?.ref().end('gone\n', () => parentPipe.destroy()))
  return child
}

/** Ends git and its child processes. */
export function killGroup(child: ChildProcess): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch {
    child.kill('SIGKILL')
  }
}

/** Yields the entries of `-z` output lazily, because decoding all at once may take too long. */
export function* iterateNames(output: Buffer): Generator<string> {
  for (let at = 0; at < output.length; ) {
    const end = output.indexOf(0, at)
    yield output.toString('utf8', at, end === -1 ? output.length : end)
    at = end === -1 ? output.length : end + 1
  }
}

/** Validates an external name used as an argument of git: rejects those that could be parsed as an option. */
export function requirePlainName(name: string, what: string): string {
  if (name === '' || name.startsWith('-') || /[\p{Cc}]/u.test(name)) {
    throw new GitError('ref_missing', `${JSON.stringify(name)} cannot be the name of a ${what}.`)
  }
  return name
}

/** Environment of git. Without a pin no protocol is allowed, so git only contacts hosts whose address was checked. */
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
    // Each thread's arena would reserve 64 MB of the limited address space.
    MALLOC_ARENA_MAX: '2',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_NO_LAZY_FETCH: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_OPTIONAL_LOCKS: '0',
    // No wildcards in paths.
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

/** Passes configuration through environment variables, which take precedence over a repository's own. */
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
 * Sends credentials as a header configured in the environment, so they never appear in arguments, URLs or files.
 * Redirects are disabled, since git would send the header along.
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

/** Disables keys, agent and configuration of the machine's user. */
const NO_KEYS = [
  'IdentityAgent=none',
  'IdentityFile=none',
  'IdentitiesOnly=yes',
  'PubkeyAuthentication=no',
  'HostbasedAuthentication=no',
  'GSSAPIAuthentication=no',
]

/** Trusts a host's key on first use; it must not change afterwards. SSH uses the first value given for an option. */
function sshCommand({ credentials }: Repository, pinned: readonly string[]): string {
  const { sshKeyFile, operatorKeys = false } = credentials
  const options = ['BatchMode=yes', 'StrictHostKeyChecking=accept-new', 'ConnectTimeout=20', ...pinned]
  if (sshKeyFile) options.push('IdentitiesOnly=yes')
  else if (!operatorKeys) options.push(...NO_KEYS)
  const file = sshKeyFile ? ` -i ${quoted(sshKeyFile)}` : ''
  const settings = operatorKeys ? '' : ' -F /dev/null'
  return `ssh${settings}${options.map((option) => ` -o${quoted(option)}`).join('')}${file}`
}

/** Quotes for the shell that git uses to run the command. */
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
    checked.delete(path) // it may have been installed by the next call
    throw error
  }
}

async function checkVersion(settings: GitSettings | undefined): Promise<void> {
  const child = spawnGit(['version'], { settings })
  let output = ''
  child.stdout?.on('data', (chunk: Buffer) => {
    output += chunk.toString()
  })
  const isThere = await waitForExit(child).then(
    (code) => code === 0,
    (error: InternalError) => {
      if ((error.cause as NodeJS.ErrnoException).code !== 'ENOENT') throw error
      return false
    },
  )
  if (!isThere) throw new GitError('git_missing', 'git is not installed on the machine that Octavo runs on.')
  const [, major = 0, minor = 0] = (/(\d+)\.(\d+)/.exec(output) ?? []).map(Number)
  if (major > MIN_VERSION[0] || (major === MIN_VERSION[0] && minor >= MIN_VERSION[1])) return
  throw new GitError(
    'git_missing',
    `Octavo needs git ${MIN_VERSION.join('.')} or later; here is ${output.trim()}.`,
  )
}

interface RemoteCall {
  remote?: Repository
}

/** Limits of a git process. A local repository belongs to the operator and may contain packs of any size. */
function resourceLimits([command = '']: readonly string[], { remote }: RemoteCall): DieWithParentOptions {
  return {
    isGroup: true,
    processorSeconds: command === 'cat-file' ? READER_PROCESSOR_SECONDS : PROCESSOR_SECONDS,
    ...(remote?.protocol !== 'file' && { addressSpace: COMMAND_MEMORY_KB[command] ?? MEMORY_KB }),
  }
}

/** Returns whether git's messages show that it exceeded its limits. */
function hasExceededLimit(stderr: string): boolean {
  return localLines(stderr).some((line) => LIMIT_PATTERN.test(line))
}

function limitExceededError(name: string, args: readonly string[], call: RemoteCall): GitError {
  const { addressSpace, processorSeconds } = resourceLimits(args, call)
  const memory = addressSpace === undefined ? '' : `${addressSpace >> 10} MB of memory or `
  const sentence = `The repository ${name} is too large, or its server sends too much: git may take ${memory}${processorSeconds} seconds of processor time for it.`
  return new GitError('too_large', sentence)
}

/** Returns lines written by git itself, without messages of the remote. */
function localLines(stderr: string): string[] {
  return stderr.split('\n').filter((line) => !/^remote:|remote error/i.test(line))
}

function throwIfOutOfResources(stderr: string): void {
  const line = localLines(stderr).find((candidate) => OUT_OF_RESOURCES_PATTERN.test(candidate))
  if (line !== undefined)
    throw new InternalError('git had no room to work in', {
      cause: new Error(withoutCredentials(line).slice(0, 300)),
    })
}
