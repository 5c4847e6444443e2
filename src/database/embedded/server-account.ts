/**
 * Who PostgreSQL runs as. It refuses to run as root, so a server that root starts has a number of its own, under which
 * nothing else runs: its socket is open to its account alone. A data directory of another account keeps it.
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

const NOBODY: ServerAccount = { uid: 65_534, gid: 65_534 }

/** Numbers that no system assigns, see https://systemd.io/UIDS-GIDS. */
const UNASSIGNED = { first: 60_706, count: 478 }

/** The children of PostgreSQL see nothing of our environment: it holds secrets, and changes their behaviour. */
const SERVER_ENVIRONMENT = { PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C' }

/** Null: as ourselves. `clusterDir` need not exist; one of `nobody` gets a number of its own unless its server runs. */
export async function chooseServerAccount(
  clusterDir: string,
  isRunning = false,
): Promise<ServerAccount | null> {
  if (process.getuid?.() !== 0) return null
  const owner = await stat(clusterDir).catch(() => null)
  const isOfNobody = owner?.uid === (await findNobody()).uid
  if (owner !== null && owner.uid !== 0 && (isRunning || !isOfNobody))
    return { uid: owner.uid, gid: owner.gid }
  return await ownAccount(clusterDir)
}

/** The number belongs to the folder. Where this root may not use it, as in some containers, `nobody` has to do. */
async function ownAccount(clusterDir: string): Promise<ServerAccount> {
  const assigned = new Set((await readAccounts()).map(([, , uid]) => Number(uid)))
  const start = Number.parseInt(sha256(clusterDir).slice(0, 8), 16)
  for (let step = 0; step < UNASSIGNED.count; step++) {
    const uid = UNASSIGNED.first + ((start + step) % UNASSIGNED.count)
    if (assigned.has(uid)) continue
    const isUsable = spawnSync('/bin/sh', ['-c', ':'], { uid, gid: uid }).status === 0
    return isUsable ? { uid, gid: uid } : await findNobody()
  }
  return await findNobody()
}

/** For initdb, which wants an account that has a name. */
export async function findNobody(): Promise<ServerAccount> {
  const [, , uid, gid] = (await readAccounts()).find(([name]) => name === 'nobody') ?? []
  // Negative numbers (macOS writes -2) are the same 32 bits, signed.
  return uid !== undefined &&
    Number.isInteger(Number(uid)) &&
    Number.isInteger(Number(gid)) &&
    Number(uid) !== 0
    ? { uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 }
    : NOBODY
}

async function readAccounts(): Promise<string[][]> {
  const text = await readFile('/etc/passwd', 'utf8').catch(() => '')
  return text.split('\n').map((line) => line.split(':'))
}

/**
 * How the server names its own data directory, when its working directory is that directory. The account cannot enter
 * the folders above (say /root), and an absolute path would lead through them; the link of the kernel does not.
 */
export function clusterPathFor(account: ServerAccount | null, clusterDir: string): string {
  return account !== null && platform() === 'linux' ? '/proc/self/cwd' : clusterDir
}

export async function giveTree(folder: string, account: ServerAccount): Promise<void> {
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

/** Runs to the end. `code` is null when the program could not be started; `output` is both streams, 64 KiB at most. */
export async function runAs(
  account: ServerAccount | null,
  command: string,
  args: readonly string[],
  cwd: string,
): Promise<{ code: number | null; output: string }> {
  // In a group of its own: initdb that a terminal's Ctrl-C reaches may spin for ever.
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
