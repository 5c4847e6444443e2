/** Opens a server's data for one command: joins the embedded database of a running node, or starts it temporarily. */
import { type Config, loadConfig, readDataSettings, type Secrets } from '../app/config/config.ts'
import type { Context } from '../app/context.ts'
import { type DatabaseContext, openDatabaseContext } from '../app/database-context.ts'
import { findServerLocation, NoServerError, type ServerLocation } from '../app/operator/find-server.ts'

/**
 * Runs `work` with a server's database. Only errors are logged, because standard error of a command is for people.
 * `dataFolder` is that of a server that was already found; otherwise see `findServerLocation`.
 */
export async function withDatabase<Result>(
  work: (context: DatabaseContext, secrets: Secrets) => Promise<Result>,
  dataFolder?: string,
): Promise<Result> {
  const { config, secrets } = await findConfig(dataFolder)
  await using context = await openDatabaseContext(config, secrets, { mayCreate: false })
  return await work(context, secrets)
}

/** Like `withDatabase`, also with object store, queue and running server, if any, for commands that publish. */
export async function withContext<Result>(
  work: (context: Context, secrets: Secrets, server: ServerLocation['server']) => Promise<Result>,
): Promise<Result> {
  const { config, secrets, server } = await findConfig()
  if (server !== null && server.objects !== config.objects.kind)
    throw new NoServerError(
      server.objects === 's3'
        ? `The server at ${server.url} keeps its files in a bucket: set OCTAVO_S3_* as for the server, in the environment or in a file .env in this folder.`
        : `The server at ${server.url} keeps its files in its data folder: leave OCTAVO_S3_* out, as for the server.`,
    )
  const { openContext } = await import('../app/context.ts')
  await using context = await openContext(config, secrets, { mayCreate: false })
  return await work(context, secrets, server)
}

/** Returns the server's configuration as far as it is known here: its data folder and the URL for links. */
async function findConfig(
  known?: string,
): Promise<{ config: Config; secrets: Secrets; server: ServerLocation['server'] }> {
  const dataSettings = readDataSettings()
  const { dataFolder, server } = await findServerLocation({
    ...dataSettings,
    given: known ?? dataSettings.given,
  })
  const { config, secrets } = loadConfig({
    data: dataFolder,
    ...(server === null ? {} : { 'public-url': server.publicUrl }),
  })
  return { config: { ...config, logLevel: 'error', logsAsText: process.stderr.isTTY }, secrets, server }
}
