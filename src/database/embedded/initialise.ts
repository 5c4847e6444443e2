/** Makes the data directory of an embedded server, whole or not at all. */
import { chown, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Log } from '../../base/log.ts'
import { startOfProcess } from '../../base/process-state.ts'
import { DatabaseStartError } from '../start-error.ts'
import type { Binaries } from './binaries.ts'
import { dataFolderError, type ServerFolders } from './folders.ts'
import { clusterPathFor, findNobody, giveTree, runAs, type ServerAccount } from './server-account.ts'
import { SUPERUSER } from './server-client.ts'

export interface Setting {
  binaries: Binaries
  /** Null: as ourselves. */
  account: ServerAccount | null
  folders: ServerFolders
  log: Log
}

/** Beside its place, then renamed into it. */
export async function initialise({ binaries, account, folders, log }: Setting): Promise<void> {
  const started = Date.now()
  for (const name of await readdir(folders.root)) {
    // The process that was at it is gone.
    if (name.startsWith('data.new-') && (await startOfProcess(Number(name.slice(9)))) === null) {
      await rm(join(folders.root, name), { recursive: true })
    }
  }
  const fresh = join(folders.root, `data.new-${process.pid}`)
  await rm(fresh, { recursive: true, force: true })
  await mkdir(fresh, { mode: 0o700 })
  const maker = account === null ? null : await findNobody()
  if (maker !== null) {
    await chown(fresh, maker.uid, maker.gid).catch((cause) => {
      throw dataFolderError(folders.root, cause)
    })
  }
  const made = await runAs(
    maker,
    join(binaries.folder, 'bin', 'initdb'),
    [
      ['-D', clusterPathFor(maker, fresh), '-U', SUPERUSER, '-E', 'UTF8'],
      // The socket's folder is closed to everybody else, so there is no password to keep.
      ['--auth=trust', '--no-instructions'],
      // Sorting must not depend on the host.
      ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
    ].flat(),
    fresh,
  )
  if (made.code !== 0) {
    await rm(fresh, { recursive: true, force: true })
    throw new DatabaseStartError(
      `PostgreSQL could not set up its data directory in ${folders.root}: ${lastLine(made.output)}`,
    )
  }
  if (account !== null) await giveTree(fresh, account)
  // Refused when another process was faster: its directory is as good as this one.
  await rename(fresh, folders.cluster).catch(() => rm(fresh, { recursive: true, force: true }))
  log.info({ folder: folders.cluster, milliseconds: Date.now() - started }, 'postgres.initialised')
}

/** The last thing that PostgreSQL complained about, without time and process number. */
export function lastLine(output: string): string {
  const lines = output.trim().split('\n')
  const complaint = lines.findLast((line) => /FATAL|ERROR|PANIC|error:/.test(line)) ?? lines.at(-1) ?? ''
  return complaint.replace(/^.*?(?:FATAL|ERROR|PANIC|error):\s*/, '').trim()
}
