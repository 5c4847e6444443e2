/** A complete node in this process, with its own database, an organization and an API key. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadConfig } from '../../src/app/config/config.ts'
import { type Node, type NodeOptions, startNode } from '../../src/app/node.ts'
import { addKey, addOrganization, addProject } from '../../src/app/operator/administration.ts'
import { createClient, type OctavoClient } from '../../src/client/client.ts'
import type { ExportJob } from '../../src/features/export/operations/static-export.ts'
import { openTestDatabase } from './database.ts'
import { type CheckedFetch, checkedFetch } from './openapi-check.ts'
import { writeSite } from './site.ts'
import { ended } from './until.ts'

export interface TestNode {
  node: Node
  url: string
  dataFolder: string
  /** Lets other processes share the database. */
  databaseUrl: string
  organizationId: string
  key: string
  client: OctavoClient
  /** A fetch that checks every response against the OpenAPI description served by the node. */
  fetch: CheckedFetch
  /** Writes the files to a folder and creates a project for it. */
  addSite(
    domain: string,
    files: Readonly<Record<string, string>>,
  ): Promise<{ projectId: string; folder: string }>
  /** Polls until the job has ended. */
  finished(jobId: string): Promise<ExportJob>
  [Symbol.asyncDispose](): Promise<void>
}

/** `env` overrides settings by environment variable. By default, jobs run in this process. */
export async function startTestNode(
  env: Record<string, string> = {},
  options: NodeOptions = {},
): Promise<TestNode> {
  await using starting = new AsyncDisposableStack()
  const dataFolder = await mkdtemp(join(tmpdir(), 'octavo-node-'))
  starting.defer(() => rm(dataFolder, { recursive: true, force: true }))
  const database = starting.use(await openTestDatabase())
  const { config, secrets } = loadConfig(
    {},
    {
      PORT: '0',
      OCTAVO_DATA: dataFolder,
      OCTAVO_LOG: 'silent',
      // Scripted models expect an exact sequence of requests.
      OCTAVO_AGENT_SELF_REVIEW: 'false',
      OCTAVO_RENDER_CHILDREN: '1',
      OCTAVO_SITE_RETRY_SECONDS: '1',
      OCTAVO_ALLOW_FSYNC_OFF: 'true',
      // Tests poll often and start many exports; tests of limits set their own.
      OCTAVO_LIMIT_READS: '100000/60',
      OCTAVO_LIMIT_EXPORTS: '1000/60',
      DATABASE_URL: database.url,
      ...env,
    },
  )
  const node = await startNode(config, secrets, options)
  starting.defer(() => node.stop())
  const url = node.context.publicUrl()
  const organization = await addOrganization(node.context, { name: 'Test', plan: 'enterprise' })
  const { text: key } = await addKey(node.context, { organizationId: organization.id, name: 'test' })
  const checked = await checkedFetch(url)
  const client = createClient({
    baseUrl: url,
    apiKey: key,
    fetch: (input, init) => checked(String(input), init),
  })
  const started = starting.move()
  return {
    node,
    url,
    dataFolder,
    databaseUrl: database.url,
    organizationId: organization.id,
    key,
    client,
    fetch: checked,
    async addSite(domain, files) {
      const folder = join(dataFolder, 'sites', domain)
      await writeSite(folder, files)
      const project = await addProject(node.context, {
        organizationId: organization.id,
        name: domain,
        domains: [domain],
        source: { kind: 'folder', repository: folder },
      })
      return { projectId: project.id, folder }
    },
    finished: (jobId) => ended(() => client.getExport(jobId)),
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  }
}
