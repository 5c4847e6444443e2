/** Finds a command's server or data folder: the named one, else in the current folder, else the only server. */
import { existsSync } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { quoteForShell, resolveProgramCommand } from './program-call.ts'
import { listRunningServers, type RunningServer } from './running-servers.ts'

export class NoServerError extends Error {
  override name = 'NoServerError'
}

export interface ServerLocation {
  /** Absolute path. */
  dataFolder: string
  /** Null if no server is running with this data folder. */
  server: RunningServer | null
}

const DEFAULT_DATA_FOLDER = '.octavo'

/**
 * Finds the data folder for a command. `given` is the folder named by the user, if any; `hasDatabase` is whether a
 * database URL was given. Throws NoServerError.
 */
export async function findServerLocation({
  given,
  hasDatabase,
}: {
  given: string | null
  hasDatabase: boolean
}): Promise<ServerLocation> {
  const servers = await listRunningServers()
  const location = await chooseLocation(servers, given, hasDatabase)
  if (location.server === null && !hasDatabase && !existsSync(join(location.dataFolder, 'postgres')))
    throw new NoServerError(
      `There is no database in ${location.dataFolder}. Set OCTAVO_DATA to the data folder of a server, or start a server there: OCTAVO_DATA=${quoteForShell(location.dataFolder)} ${resolveProgramCommand()} start`,
    )
  return location
}

/** Finds the running server for a command without a URL, or null if none is running. Throws NoServerError. */
export async function findServer(given: string | null): Promise<RunningServer | null> {
  const servers = await listRunningServers()
  const here = await findServerOfFolder(servers, given ?? DEFAULT_DATA_FOLDER)
  if (here !== null) return here
  if (given !== null) return null
  if (servers.length > 1) throw ambiguousServerError(servers)
  return servers[0] ?? null
}

async function chooseLocation(
  servers: readonly RunningServer[],
  given: string | null,
  hasDatabase: boolean,
): Promise<ServerLocation> {
  const named = resolve(given ?? DEFAULT_DATA_FOLDER)
  const server = await findServerOfFolder(servers, named)
  if (given !== null || server !== null || existsSync(join(named, 'postgres')))
    return { dataFolder: named, server }
  const [only] = servers
  if (servers.length > 1) throw ambiguousServerError(servers)
  if (only !== undefined) return { dataFolder: only.dataFolder, server: only }
  if (hasDatabase) return { dataFolder: named, server: null }
  throw new NoServerError(
    `No server is running on this machine, and there is no data folder ${named}. Start a server with ${resolveProgramCommand()} start, or set OCTAVO_DATA=<folder> before the command.`,
  )
}

async function findServerOfFolder(
  servers: readonly RunningServer[],
  folder: string,
): Promise<RunningServer | null> {
  const real = await realpath(folder).catch(() => resolve(folder))
  return servers.find(({ dataFolder }) => dataFolder === real) ?? null
}

function ambiguousServerError(servers: readonly RunningServer[]): NoServerError {
  const rows = servers.map(({ url, dataFolder }) => `  OCTAVO_DATA=${quoteForShell(dataFolder)}   ${url}`)
  return new NoServerError(
    `${servers.length} servers are running on this machine. To choose one, put its setting before the command:\n${rows.join('\n')}`,
  )
}
