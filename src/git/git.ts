/**
 * The one place that git is called from. Nothing that a repository, its author or the machine's own settings say can
 * make git run a program, ask a question, reach a protocol that was not asked for, or run without end. Every process of
 * git is bounded by the system in memory and processor time, from here in output and time, and dies with this process.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import type { Socket } from 'node:net'
import type { LeashOptions } from '../base/leash.ts'
import { LEASH, leashed } from '../base/leash.ts'
import { MachineryError } from '../base/machinery-error.ts'
import { explain, GitError, unreachableSentence, withoutCredentials } from './git-error.ts'
import { type Pin, pinRemote, type RemoteNetwork } from './pin-remote.ts'
import type { Repository } from './repository.ts'

/** Kilobytes of address space of a process of git: its transports read what a server says into memory. */
const MEMORY_KB = 1 << 20

const COMMAND_MEMORY_KB: Readonly<Record<string, number>> = {
  /** A million refs take half of it. */
  'ls-remote': 512 << 10,
  /** Two versions of a file of 512 MB; larger ones are not held in memory. */
  fetch: 2 << 20,
}

const PROCESSOR_SECONDS = 600

/** It answers questions for hours. */
const READER_PROCESSOR_SECONDS = 14_400

/** As git and its transports say that they met the bounds of their process. */
const BOUND = /out of memory|cannot allocate memory|died of signal 24/i

/** What git says of this machine, and not of a repository. */
const NO_ROOM =
  /no space left on device|disk quota exceeded|too many open files|cannot (?:allocate memory|fork)|out of memory|unable to create threaded|died of signal|input\/output error|read-only file system/i

/** What of the machine git may know; everything else in the environment is kept from it. */
export interface GitSettings extends RemoteNetwork {
  /** Where programs are looked for, as in PATH. */
  path?: string | undefined
  /** A file of certificate authorities to trust instead of the system's. */
  caFile?: string | undefined
  /** Hosts that need no proxy. */
  noProxy?: string | undefined
  /** Socket of an ssh agent. */
  sshAgent?: string | undefined
}

export interface GitCall {
  /** The repository to work in; always one of our own making. */
  gitDir?: string
  /** Set for calls that talk to it: allows its protocol and sends its credentials. */
  remote?: Repository
  /** Names the repository in messages; the remote's by default. */
  address?: string
  settings?: GitSettings | undefined
  /** Ends the call with GitError `timeout`; a minute by default. */
  timeoutMs?: number
  /** More output than this ends the call with GitError `too_large`; 64 MiB by default. */
  maxOutputBytes?: number
  signal?: AbortSignal | undefined
  /** Given to git on its standard input. */
  input?: string | Buffer
  /** Who makes a commit, and when (whole seconds count): author and committer alike. */
  identity?: { name: string; email: string; at: Date }
  /** Further settings, before those of any repository. */
  config?: readonly (readonly [string, string])[]
  /** An index of its own for this call. */
  indexFile?: string
  /** Where git starts to look for the repository, for the few calls that read the settings of someone else's. */
  startIn?: string
}

export interface GitEnd {
  /** Null when git was ended by a signal from outside. */
  code: number | null
  output: Buffer
  /** What it wrote on standard error, at most 64 kB, without the credentials of the remote. */
  said: string
}

const DEFAULT_PATH = '/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin:/opt/local/bin'
const DEFAULT_TIMEOUT_MS = 60_000
const DEFAULT_OUTPUT_BYTES = 64 << 20
const MAX_SAID = 64_000
/** On standard error: a server may send words without end. */
const MAX_SAID_BYTES = 16 << 20

/** 2.37 is the first that obeys http.curloptResolve, on which the last of the protections rests. */
const OLDEST = [2, 37] as const

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
  // Everything fetched arrives as one pack: a commit that is there has its files too.
  ['fetch.unpackLimit', '1'],
  // No work behind our back.
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
  // Packs are looked at in pieces: a whole one may be larger than the address space.
  ['core.packedGitWindowSize', '32m'],
  ['core.packedGitLimit', '256m'],
  ['pack.threads', '4'],
  ['http.lowSpeedLimit', '1000'],
  ['http.lowSpeedTime', '60'],
]

/** Runs git and gives its standard output. Rejects with GitError, MachineryError, or with the signal's reason. */
export async function git(args: readonly string[], call: GitCall = {}): Promise<Buffer> {
  const { code, output, said } = await runGit(args, call)
  // Without a remote, whatever is wrong is wrong with our own copy.
  if (code !== 0) throw explain(nameOf(call), said, call.remote ? undefined : 'failed')
  return output
}

/**
 * As `git`, for callers to whom a failure of git is an answer: resolves however git ended by itself. Rejects with
 * MachineryError when somebody else ended it, or the system had no room for its work.
 */
export async function runGit(args: readonly string[], call: GitCall = {}): Promise<GitEnd> {
  const { signal, timeoutMs = DEFAULT_TIMEOUT_MS, maxOutputBytes = DEFAULT_OUTPUT_BYTES } = call
  await requireGit(call.settings)
  const pin = call.remote ? await pinRemote(call.remote, call.settings ?? {}) : undefined
  signal?.throwIfAborted()
  const child = spawnGit(args, call, pin)
  const output: Buffer[] = []
  let outputBytes = 0
  let said = ''
  let saidBytes = 0
  let stopped: unknown
  const stop = (reason: unknown) => {
    stopped ??= reason
    endGroup(child)
  }
  const onAbort = () => stop(signal?.reason)
  signal?.addEventListener('abort', onAbort, { once: true })
  const name = nameOf(call)
  const timer = setTimeout(() => {
    // Only a fetch has heard of the other side by then; before, silence is no other answer than none.
    const isFetch = args[0] === 'fetch' || call.remote === undefined
    const seconds = Math.round(timeoutMs / 1000)
    const late = `The repository ${name} did not answer within ${seconds} seconds.`
    stop(new GitError('timeout', isFetch ? late : unreachableSentence(`The repository ${name}`)))
  }, timeoutMs)
  child.stdin?.on('error', () => undefined) // git may end before it has read everything; its end says more
  child.stdin?.end(call.input)
  child.stdout?.on('data', (chunk: Buffer) => {
    output.push(chunk)
    outputBytes += chunk.length
    if (outputBytes > maxOutputBytes) {
      stop(new GitError('too_large', `The repository ${name} lists more files than Octavo reads.`))
    }
  })
  child.stderr?.on('data', (chunk: Buffer) => {
    if (said.length < MAX_SAID) said += chunk.toString()
    saidBytes += chunk.length
    if (saidBytes > MAX_SAID_BYTES) {
      stop(new GitError('too_large', `The repository ${name} says more than Octavo reads.`))
    }
  })
  try {
    const code = await endOf(child).catch((error: MachineryError) => {
      throw stopped ?? (error.cause === 'SIGXCPU' ? boundPassed(name, args, call) : error)
    })
    if (stopped !== undefined) throw stopped
    if (code !== 0 && call.remote && hasPassedBound(said)) throw boundPassed(name, args, call)
    if (code !== 0) refuseNoRoom(said)
    return { code, output: Buffer.concat(output), said: redact(said, call.remote) }
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', onAbort)
  }
}

/** The exit code. Rejects with MachineryError when it could not be started, or was ended by a signal. */
function endOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve, reject) => {
    child.once('error', (cause) => reject(new MachineryError('git could not be started', { cause })))
    child.once('close', (code, signal) => {
      if (signal === null) resolve(code)
      else reject(gitKilled(signal))
    })
  })
}

export function gitKilled(signal: NodeJS.Signals): MachineryError {
  return new MachineryError('git was ended before it was done', { cause: signal })
}

function nameOf(call: GitCall): string {
  return call.address ?? call.remote?.address ?? 'at hand'
}

/** A server may say back what it was sent. */
function redact(said: string, remote: Repository | undefined): string {
  const { token } = remote?.credentials ?? {}
  if (!token) return said
  return said.replaceAll(token, '…').replaceAll(basicOf(remote?.credentials ?? {}), '…')
}

/** Starts git with every protection on, for a conversation over its standard streams. The caller ends it. */
export function spawnGit(args: readonly string[], call: GitCall = {}, pin?: Pin): ChildProcess {
  const { command, args: all } = leashed('git', args, boundsOf(args, call))
  const child = spawn(command, all, {
    // Its own group: transports are further processes, and all of them are ended together.
    detached: true,
    shell: false,
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
    cwd: call.gitDir ?? call.startIn ?? '/',
    env: environment(call, pin),
  })
  // Not there when it could not be started.
  const leash = child.stdio[LEASH] as Socket | undefined
  leash?.on('error', () => undefined).unref()
  // The child counts as closed when this is, so a program that waits for nothing else must wait for it.
  child.once('exit', () => leash?.ref().end('gone\n', () => leash.destroy()))
  return child
}

/** Ends git and the processes it started. */
export function endGroup(child: ChildProcess): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch {
    child.kill('SIGKILL')
  }
}

/** What git wrote with `-z`, one after the other: all at once they may be more than there is time for. */
export function* namesIn(output: Buffer): Generator<string> {
  for (let at = 0; at < output.length; ) {
    const end = output.indexOf(0, at)
    yield output.toString('utf8', at, end === -1 ? output.length : end)
    at = end === -1 ? output.length : end + 1
  }
}

/** A name from outside that goes into git's arguments: one that could be taken for an option is refused. */
export function requirePlainName(name: string, what: string): string {
  if (name === '' || name.startsWith('-') || /[\p{Cc}]/u.test(name)) {
    throw new GitError('ref_missing', `${JSON.stringify(name)} cannot be the name of a ${what}.`)
  }
  return name
}

/** Without a pin no protocol is allowed: git talks to nobody whose address was not looked at. */
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
    // Of the address space, each thread would reserve 64 MB.
    MALLOC_ARENA_MAX: '2',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_NO_LAZY_FETCH: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_OPTIONAL_LOCKS: '0',
    // A path is a path, whatever signs are in it.
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

/** Settings as environment variables: they go before whatever a repository's own configuration says. */
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

/** A header in the environment: no argument, address or file ever holds it. Redirects, which it would follow, are off. */
function credentialConfig(remote: Repository | undefined): [string, string][] {
  if (!remote?.credentials.token || !remote.protocol.startsWith('http')) return []
  const header = `Authorization: Basic ${basicOf(remote.credentials)}`
  return [[`http.${new URL(remote.address).origin}/.extraHeader`, header]]
}

function basicOf({ username = 'x-access-token', token = '' }: Repository['credentials']): string {
  return Buffer.from(`${username}:${token}`).toString('base64')
}

function networkConfig(settings: GitSettings): [string, string][] {
  const config: [string, string][] = []
  if (settings.caFile) config.push(['http.sslCAInfo', settings.caFile])
  if (settings.proxy) config.push(['http.proxy', settings.proxy])
  return config
}

/** Nothing of the machine's user: no key, no agent, no settings. */
const NO_KEYS = [
  'IdentityAgent=none',
  'IdentityFile=none',
  'IdentitiesOnly=yes',
  'PubkeyAuthentication=no',
  'HostbasedAuthentication=no',
  'GSSAPIAuthentication=no',
]

/** A host's key is taken on trust the first time and must stay the same afterwards. Of an option the first value counts. */
function sshCommand({ credentials }: Repository, pinned: readonly string[]): string {
  const { sshKeyFile, operatorKeys = false } = credentials
  const options = ['BatchMode=yes', 'StrictHostKeyChecking=accept-new', 'ConnectTimeout=20', ...pinned]
  if (sshKeyFile) options.push('IdentitiesOnly=yes')
  else if (!operatorKeys) options.push(...NO_KEYS)
  const file = sshKeyFile ? ` -i ${quoted(sshKeyFile)}` : ''
  const settings = operatorKeys ? '' : ' -F /dev/null'
  return `ssh${settings}${options.map((option) => ` -o${quoted(option)}`).join('')}${file}`
}

/** For the shell that git gives the command to. */
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
    checked.delete(path) // it may be installed by the next call
    throw error
  }
}

async function checkVersion(settings: GitSettings | undefined): Promise<void> {
  const child = spawnGit(['version'], { settings })
  let output = ''
  child.stdout?.on('data', (chunk: Buffer) => {
    output += chunk.toString()
  })
  const isThere = await endOf(child).then(
    (code) => code === 0,
    (error: MachineryError) => {
      if ((error.cause as NodeJS.ErrnoException).code !== 'ENOENT') throw error
      return false
    },
  )
  if (!isThere) throw new GitError('git_missing', 'git is not installed on the machine that Octavo runs on.')
  const [, major = 0, minor = 0] = (/(\d+)\.(\d+)/.exec(output) ?? []).map(Number)
  if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) return
  throw new GitError(
    'git_missing',
    `Octavo needs git ${OLDEST.join('.')} or later; here is ${output.trim()}.`,
  )
}

interface RemoteCall {
  remote?: Repository
}

/** A repository of this machine is the operator's, and may hold packs of any size. */
function boundsOf([command = '']: readonly string[], { remote }: RemoteCall): LeashOptions {
  return {
    isGroup: true,
    processorSeconds: command === 'cat-file' ? READER_PROCESSOR_SECONDS : PROCESSOR_SECONDS,
    ...(remote?.protocol !== 'file' && { addressSpace: COMMAND_MEMORY_KB[command] ?? MEMORY_KB }),
  }
}

/** What a process of git may take of this machine, and how it says that there was no more. */
function hasPassedBound(said: string): boolean {
  return ownLines(said).some((line) => BOUND.test(line))
}

function boundPassed(name: string, args: readonly string[], call: RemoteCall): GitError {
  const { addressSpace, processorSeconds } = boundsOf(args, call)
  const memory = addressSpace === undefined ? '' : `${addressSpace >> 10} MB of memory or `
  const sentence = `The repository ${name} is too large, or its server sends too much: git may take ${memory}${processorSeconds} seconds of processor time for it.`
  return new GitError('too_large', sentence)
}

/** Lines of the other side are no word of git's. */
function ownLines(said: string): string[] {
  return said.split('\n').filter((line) => !/^remote:|remote error/i.test(line))
}

function refuseNoRoom(said: string): void {
  const line = ownLines(said).find((candidate) => NO_ROOM.test(candidate))
  if (line !== undefined)
    throw new MachineryError('git had no room to work in', {
      cause: new Error(withoutCredentials(line).slice(0, 300)),
    })
}
