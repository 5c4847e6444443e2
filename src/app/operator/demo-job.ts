/** `octavo demo` and `octavo demo agent`: a separate node with a sample site in a git repository. */

import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { programFile } from '../../base/files/program-files.ts'
import { getDeployment } from '../../features/hosting/deploy/read-deployments.ts'
import type { Deployment } from '../../features/hosting/operations/deployments.ts'
import { findProject, type Project } from '../../features/projects/projects.ts'
import { git } from '../../git/git.ts'
import { loadConfig } from '../config/config.ts'
import type { Context } from '../context.ts'
import { startNode } from '../node.ts'
import { addKey, addOrganization, addProject } from './administration.ts'
import { awaitDeployment, publishSample, sampleSiteUrl } from './sample-site.ts'

const EXAMPLE = programFile('examples/keepsake')
const DEMO_RECORDING_FILE = programFile('examples/keepsake.recording.json')
const DOMAIN = 'keepsake.localhost'

export const DEMO_PROMPT =
  'Readers believe that a restore throws away their newer work. Say what it really does, and write a guide on getting a single file back.'

export const DEMO_FEEDBACK = {
  path: '/guides/restore',
  helpful: false,
  reason: 'Missing information',
  comment:
    'I deleted one photo and want just that one back. It says everything gets overwritten, so I did not dare to run it.',
}

export interface DemoNode {
  url: string
  site: string
  domain: string
  key: string
  projectId: string
  context: Context
  /** Whether this start created the demo. */
  isNew: boolean
  repository: string
  newestCommit(): Promise<string>
  published(): Promise<Deployment>
  [Symbol.asyncDispose](): Promise<void>
}

/** Stored in the data folder of a demo, so that later starts find its project. */
const STATE_FILE = 'demo.json'

type DemoState = Pick<DemoNode, 'key' | 'projectId'>

export async function readDemoState(folder: string): Promise<DemoState | null> {
  const text = await readFile(join(folder, STATE_FILE), 'utf8').catch(() => null)
  return text === null ? null : (JSON.parse(text) as DemoState)
}

export async function writeDemoState(folder: string, { key, projectId }: DemoState): Promise<void> {
  await writeFile(join(folder, STATE_FILE), JSON.stringify({ key, projectId }), { mode: 0o600 })
}

export const demoDataFolder = (folder: string): string => join(folder, 'data')

/**
 * Starts the node of the demo. Ignores the settings of the environment, so that no other database, model or
 * port is used. Without a folder, the demo is temporary; an existing demo in the folder is continued.
 */
export async function startDemoNode(
  report: (step: string) => void,
  { folder: given, port = 0 }: { folder?: string; port?: number } = {},
): Promise<DemoNode> {
  await using starting = new AsyncDisposableStack()
  const folder = given ?? (await mkdtemp(join(tmpdir(), 'octavo-demo-')))
  if (given === undefined) starting.defer(() => rm(folder, { recursive: true, force: true }))
  const known = given === undefined ? null : await readDemoState(folder)
  const repository = join(folder, 'keepsake')
  if (known === null) {
    report('Creating a git repository for the example site …')
    await mkdir(folder, { recursive: true })
    await makeRepository(repository)
  }
  report('Starting a node with its own PostgreSQL …')
  const settings = { PORT: String(port), OCTAVO_DATA: demoDataFolder(folder), OCTAVO_LOG: 'error' }
  const { config, secrets } = loadConfig({}, { ...settings, OCTAVO_MODEL: `replay:${DEMO_RECORDING_FILE}` })
  const { context, stop } = await startNode(config, secrets)
  starting.defer(stop)
  const { queries } = context.database
  const { key, projectId } = known ?? (await addSite(context, repository, report))
  const project = await findProject(queries, projectId)
  if (project === null) throw new Error('The project of the demo was deleted. Start over with --reset.')
  const started = starting.move()
  return {
    context,
    isNew: known === null,
    url: context.publicUrl(),
    site: sampleSiteUrl(context, DOMAIN),
    domain: DOMAIN,
    key,
    projectId,
    repository,
    newestCommit: async () => {
      const name = await git(['rev-parse', '--short', 'main'], { gitDir: join(repository, '.git') })
      return name.toString().trim()
    },
    published: async () => requirePublished(await newestDeployment(context, project)),
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  }
}

async function addSite(
  context: Context,
  repository: string,
  report: (step: string) => void,
): Promise<DemoState> {
  const { id: organizationId } = await addOrganization(context, { name: 'Demonstration', plan: 'enterprise' })
  const { text: key } = await addKey(context, { organizationId, name: 'Demonstration' })
  const project = await addProject(context, {
    ...{ organizationId, name: 'Keepsake', domains: [DOMAIN] },
    source: { kind: 'folder', repository: join(repository, 'docs') },
  })
  report('Publishing the site …')
  requirePublished(await publishSample(context, project))
  return { key, projectId: project.id }
}

async function makeRepository(folder: string): Promise<void> {
  // An interrupted first start may have left part of the repository.
  await rm(folder, { recursive: true, force: true })
  await cp(EXAMPLE, folder, { recursive: true })
  await git(['init', '--quiet', '--initial-branch=main', folder])
  const call = {
    gitDir: join(folder, '.git'),
    identity: { name: 'Keepsake', email: 'docs@keepsake.example', at: new Date() },
  }
  await git(['--work-tree', folder, 'add', '--all', folder], call)
  await git(['commit', '--quiet', '--message=Documentation of Keepsake'], call)
}

async function newestDeployment(context: Context, project: Project): Promise<Deployment> {
  const { id } = await context.database.queries
    .selectFrom('deployments')
    .select('id')
    .where('project_id', '=', project.id)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  const { queries } = context.database
  const scope = { organizationId: project.organizationId, projectId: project.id }
  return await awaitDeployment(context, project, await getDeployment(queries, scope, id))
}

function requirePublished(deployment: Deployment): Deployment {
  if (deployment.status === 'failed') throw new Error(`The site was not published: ${deployment.error}`)
  return deployment
}
