/** Creates the data directory of an embedded server, completely or not at all. */
import { chown, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Log } from '../../base/log.ts'
import { readProcessStart } from '../../base/process-state.ts'
import { DatabaseStartError } from '../start-error.ts'
import type { Binaries } from './binaries.ts'
import { dataFolderError, type ServerFolders } from './folders.ts'
import { assignTreeOwner, clusterPathFor, findNobody, runAs, type ServerAccount } from './server-account.ts'
import { SUPERUSER } from './server-client.ts'

export interface ServerSetup {
  binaries: Binaries
  /** Null: run as the current user. */
  account: ServerAccount | null
  folders: ServerFolders
  log: Log
}

/** Initialises a new folder next to the data directory, then renames it. */
export async function initialiseCluster({ binaries, account, folders, log }: ServerSetup): Promise<void> {
  const started = Date.now()
  for (const name of await readdir(folders.root)) {
    // The process that created this folder has ended.
    if (name.startsWith('data.new-') && (await readProcessStart(Number(name.slice(9)))) === null) {
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
      // Only the server's account can enter the socket's folder, so no password is needed.
      ['--auth=trust', '--no-instructions'],
      // Sort order must not depend on the host.
      ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
    ].flat(),
    fresh,
  )
  if (made.code !== 0) {
    await rm(fresh, { recursive: true, force: true })
    throw new DatabaseStartError(
      `PostgreSQL could not set up its data directory in ${folders.root}: ${lastLogLine(made.output)}`,
    )
  }
  if (account !== null) await assignTreeOwner(fresh, account)
  // Fails when another process was faster. That process's directory is equivalent, so the new one is removed.
  await rename(fresh, folders.cluster).catch(() => rm(fresh, { recursive: true, force: true }))
  log.info({ folder: folders.cluster, milliseconds: Date.now() - started }, 'postgres.initialised')
}

/** Returns the last message in PostgreSQL's output, without time and process id. */
export function lastLogLine(output: string): string {
  const lines = output.trim().split('\n')
  const complaint = lines.findLast((line) => /FATAL|ERROR|PANIC|error:/.test(line)) ?? lines.at(-1) ?? ''
  return complaint.replace(/^.*?(?:FATAL|ERROR|PANIC|error):\s*/, '').trim()
}
