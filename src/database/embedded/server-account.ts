/**
 * The account that PostgreSQL runs as. PostgreSQL refuses to run as root, so a server started by root gets a
 * user id under which nothing else runs, and only that account can open its socket. A data directory that
 * already belongs to another account keeps its owner.
 */
import type { ChildProcess, SpawnOptions } from 'node:child_process'
import { spawn, spawnSync } from 'node:child_process'
import { chmod, chown, lchown, readdir, readFile, stat } from 'node:fs/promises'
import { platform } from 'node:os'
import { join } from 'node:path'
import { sha256 } from '../../base/hash.ts'

export interface ServerAccount {
  uid: number
  gid: number
}

const NOBODY_ACCOUNT: ServerAccount = { uid: 65_534, gid: 65_534 }

/** Ids that no system assigns, see https://systemd.io/UIDS-GIDS. */
const UNASSIGNED_UIDS = { first: 60_706, count: 478 }

/**
 * PostgreSQL's child processes do not inherit our environment, because it holds secrets and would change their
 * behaviour.
 */
const SERVER_ENVIRONMENT = { PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C' }

/**
 * Returns null to run as the current user. `clusterDir` need not exist. A directory owned by `nobody` is moved to a
 * separate id unless its server is running.
 */
export async function chooseServerAccount(
  clusterDir: string,
  isRunning = false,
): Promise<ServerAccount | null> {
  if (process.getuid?.() !== 0) return null
  const owner = await stat(clusterDir).catch(() => null)
  const isOfNobody = owner?.uid === (await findNobody()).uid
  if (owner !== null && owner.uid !== 0 && (isRunning || !isOfNobody))
    return { uid: owner.uid, gid: owner.gid }
  return await currentAccount(clusterDir)
}

/**
 * Derives a user id from the folder. Falls back to `nobody` where root may not use the derived id, as in some
 * containers.
 */
async function currentAccount(clusterDir: string): Promise<ServerAccount> {
  const assigned = new Set((await readAccounts()).map(([, , uid]) => Number(uid)))
  const start = Number.parseInt(sha256(clusterDir).slice(0, 8), 16)
  for (let step = 0; step < UNASSIGNED_UIDS.count; step++) {
    const uid = UNASSIGNED_UIDS.first + ((start + step) % UNASSIGNED_UIDS.count)
    if (assigned.has(uid)) continue
    const isUsable = spawnSync('/bin/sh', ['-c', ':'], { uid, gid: uid }).status === 0
    return isUsable ? { uid, gid: uid } : await findNobody()
  }
  return await findNobody()
}

/** Also used for initdb, which needs an account that has a name. */
export async function findNobody(): Promise<ServerAccount> {
  const [, , uid, gid] = (await readAccounts()).find(([name]) => name === 'nobody') ?? []
  // Negative ids (macOS writes -2) are the same 32 bits, signed.
  return uid !== undefined &&
    Number.isInteger(Number(uid)) &&
    Number.isInteger(Number(gid)) &&
    Number(uid) !== 0
    ? { uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 }
    : NOBODY_ACCOUNT
}

async function readAccounts(): Promise<string[][]> {
  const text = await readFile('/etc/passwd', 'utf8').catch(() => '')
  return text.split('\n').map((line) => line.split(':'))
}

/**
 * Returns the path by which the server refers to its own data directory, which is its working directory. Uses a symlink
 * in /proc, because an absolute path would lead through folders such as /root, which the account cannot enter.
 */
export function clusterPathFor(account: ServerAccount | null, clusterDir: string): string {
  return account !== null && platform() === 'linux' ? '/proc/self/cwd' : clusterDir
}

export async function assignTreeOwner(folder: string, account: ServerAccount): Promise<void> {
  await chown(folder, account.uid, account.gid)
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    await lchown(join(entry.parentPath, entry.name), account.uid, account.gid)
  }
  await chmod(folder, 0o700)
}

export function spawnAs(
  account: ServerAccount | null,
  command: string,
  args: readonly string[],
  options: SpawnOptions,
): ChildProcess {
  return spawn(command, args, { ...options, env: SERVER_ENVIRONMENT, ...(account ?? {}) })
}

/**
 * Runs a command to its end. `code` is null when the program could not be started. `output` combines both streams, up
 * to 64 KiB.
 */
export async function runAs(
  account: ServerAccount | null,
  command: string,
  args: readonly string[],
  cwd: string,
): Promise<{ code: number | null; output: string }> {
  // Use a separate process group: if a terminal's Ctrl-C reaches initdb, it may spin forever.
  const child = spawnAs(account, command, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      if (output.length < 65_536) output += chunk
    })
  }
  const { promise, resolve } = Promise.withResolvers<number | null>()
  child.once('error', (error) => {
    output += error.message
    resolve(null)
  })
  child.once('close', resolve)
  return { code: await promise, output }
}
