/** API client for commands, and the flags that configure it. */
import { readClientSettings, readDataSettings } from '../app/config/config.ts'
import { findServer } from '../app/operator/find-server.ts'
import { listRunningServers, type RunningServer } from '../app/operator/running-servers.ts'
import { createClient, type OctavoClient } from '../client/client.ts'
import { type CommandInput, type Flag, UsageError } from './command.ts'

export const CLIENT_FLAGS = {
  url: {
    value: 'address',
    help: 'Address of the API. Left out: OCTAVO_URL, else the server that runs on this machine.',
  },
  key: {
    value: 'key',
    help: 'Admin API key. Better: OCTAVO_KEY in the environment, which no process list shows. Left out where the server runs: a key that is kept in its data folder.',
  },
} as const satisfies Record<string, Flag>

export const PROJECT_FLAG = {
  value: 'id or domain',
  help: 'The project: its id (prj_…) or one of its domains.',
  isRequired: true,
} as const satisfies Flag

export interface Api {
  client: OctavoClient
  /** As given by the user where no lookup was necessary. */
  project: { id: string; domain: string }
}

/**
 * Opens the API for a project named by id or domain; `needs` selects which of them the call requires. If the other
 * one was given, or there is no key, the data of the server on this machine is consulted. Throws UsageError.
 */
export async function openApi(
  flag: CommandInput['flag'],
  named: string,
  needs: 'id' | 'domain',
): Promise<Api> {
  const given = readClientSettings({ url: flag('url'), key: flag('key') })
  const server = await serverAt(given.url)
  const url = given.url ?? server?.url ?? given.defaultUrl
  const isId = named.startsWith('prj_')
  if (given.key !== null && isId === (needs === 'id'))
    return {
      client: createClient({ baseUrl: url, apiKey: given.key }),
      project: { id: named, domain: named },
    }
  if (server === null)
    throw new UsageError(
      given.key === null
        ? 'An admin API key is needed: set OCTAVO_KEY. Only on the machine of a running server one is found by itself.'
        : `Only the machine of the server knows the ${needs} of ${named}: name the project by its ${needs} here.`,
    )
  // With a key and the right name, the modules that open a database are not needed.
  const [{ chooseProject, mainDomain }, { getCommandLineKey: commandLineKey }, { withDatabase }] =
    await Promise.all([
      import('../app/operator/administration.ts'),
      import('../app/operator/command-line-key.ts'),
      import('./with-database.ts'),
    ])
  const { project, key } = await withDatabase(async (context) => {
    const project = await chooseProject(context, named)
    return { project, key: given.key ?? (await commandLineKey(context, project.organizationId)) }
  }, server.dataFolder)
  return {
    client: createClient({ baseUrl: url, apiKey: key }),
    project: { id: project.id, domain: mainDomain(project) },
  }
}

/** Returns a server on this machine only, so that a local key is never sent elsewhere, whatever URL was given. */
async function serverAt(url: string | null): Promise<RunningServer | null> {
  if (url === null) return await findServer(readDataSettings().given)
  const origin = URL.parse(url)?.origin
  const servers = await listRunningServers()
  return (
    servers.find((server) =>
      [server.url, server.publicUrl].some((known) => URL.parse(known)?.origin === origin),
    ) ?? null
  )
}
