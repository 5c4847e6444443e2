/**
 * Who PostgreSQL runs as. It refuses to run as root, so a server that root starts runs as `nobody`, or as the owner of
 * a data directory that is already there.
 */
import type { ChildProcess, SpawnOptions } from 'node:child_process'
import { spawn } from 'node:child_process'
import { chmod, chown, lchown, readdir, readFile, stat } from 'node:fs/promises'
import { platform } from 'node:os'
import { join } from 'node:path'

export interface ServerAccount {
  uid: number
  gid: number
}

const NOBODY: ServerAccount = { uid: 65_534, gid: 65_534 }

/** The children of PostgreSQL see nothing of our environment: it holds secrets, and changes their behaviour. */
const SERVER_ENVIRONMENT = { PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C' }

/** Null: as ourselves. `clusterDir` need not exist. */
export async function chooseServerAccount(clusterDir: string): Promise<ServerAccount | null> {
  if (process.getuid?.() !== 0) return null
  const owner = await stat(clusterDir).catch(() => null)
  if (owner !== null && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid }
  const accounts = await readFile('/etc/passwd', 'utf8').catch(() => '')
  const fields = accounts
    .split('\n')
    .find((line) => line.startsWith('nobody:'))
    ?.split(':')
  const [uid, gid] = [Number(fields?.[2]), Number(fields?.[3])]
  // Negative numbers (macOS writes -2) are the same 32 bits, signed.
  return Number.isInteger(uid) && Number.isInteger(gid) && uid !== 0
    ? { uid: uid >>> 0, gid: gid >>> 0 }
    : NOBODY
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
