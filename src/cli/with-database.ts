/** Opens the database for one command: joins the embedded one of a running node, or starts it for a moment. */
import { loadConfig, type Secrets } from '../app/config.ts'
import { type DatabaseContext, openDatabaseContext } from '../app/context.ts'

/** A command's own standard error is for people: of the log only faults are shown. */
export async function withDatabase<Result>(
  work: (context: DatabaseContext, secrets: Secrets) => Promise<Result>,
): Promise<Result> {
  const { config, secrets } = loadConfig()
  await using context = await openDatabaseContext({ ...config, logLevel: 'error' }, secrets)
  return await work(context, secrets)
}
