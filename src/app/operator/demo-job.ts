/** `octavo demo agent`: a temporary node with a sample site in a temporary git repository, until it is disposed. */

import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { programFile } from '../../base/files/program-files.ts'
import { getDeployment } from '../../features/hosting/deploy/read-deployments.ts'
import type { Deployment } from '../../features/hosting/operations/deployments.ts'
import type { Project } from '../../features/projects/projects.ts'
import { git } from '../../git/git.ts'
import { loadConfig } from '../config/config.ts'
import { startNode } from '../node.ts'
import { addKey, addOrganization, addProject } from './administration.ts'
import { publishSample, sampleSiteUrl } from './sample-site.ts'
import { awaitDeployment } from './sync-project.ts'

const EXAMPLE = programFile('examples/keepsake')
const RECORDING = programFile('examples/keepsake.recording.json')
const DOMAIN = 'keepsake.localhost'

/** Prompt that the recording answers. */
export const DEMO_PROMPT =
  'Readers believe that a restore throws away their newer work. Say what it really does, and write a guide on getting a single file back.'

/** Feedback of a reader, as submitted by the form on the pages. */
export const DEMO_FEEDBACK = {
  path: '/guides/restore',
  helpful: false,
  reason: 'Missing information',
  comment:
    'I deleted one photo and want just that one back. It says everything gets overwritten, so I did not dare to run it.',
}

export interface DemoNode {
  /** URL of the API. */
  url: string
  /** URL of the site. */
  site: string
  /** Host name of the site. */
  domain: string
  key: string
  projectId: string
  /** Working copy of the repository. */
  repository: string
  /** Returns the abbreviated hash of the newest commit of `main`, from which the site is published. */
  newestCommit(): Promise<string>
  /** Waits for the latest deployment of the site and returns it. */
  published(): Promise<Deployment>
  /** Stops the node and removes everything it wrote. */
  [Symbol.asyncDispose](): Promise<void>
}

/** Ignores the settings of the environment, so that no other database, model or port is used. */
export async function startDemoNode(report: (step: string) => void): Promise<DemoNode> {
  await using starting = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'octavo-demo-'))
  starting.defer(() => rm(folder, { recursive: true, force: true }))
  report('Making a git repository of the example site …')
  const repository = await makeRepository(join(folder, 'keepsake'))
  report('Starting a node with its own PostgreSQL …')
  const settings = { PORT: '0', OCTAVO_DATA: join(folder, 'data'), OCTAVO_LOG: 'error' }
  const { config, secrets } = loadConfig({}, { ...settings, OCTAVO_MODEL: `replay:${RECORDING}` })
  const { context, stop } = await startNode(config, secrets)
  starting.defer(stop)
  const organization = await addOrganization(context, { name: 'Demonstration', plan: 'enterprise' })
  const { text: key } = await addKey(context, { organizationId: organization.id, name: 'Demonstration' })
  const project = await addProject(context, {
    organizationId: organization.id,
    name: 'Keepsake',
    domains: [DOMAIN],
    source: { kind: 'folder', repository: join(repository, 'docs') },
  })
  report('Publishing the site …')
  requirePublished(await publishSample(context, project))
  const started = starting.move()
  return {
    url: context.publicUrl(),
    site: sampleSiteUrl(context, DOMAIN),
    domain: DOMAIN,
    key,
    projectId: project.id,
    repository,
    newestCommit: async () => {
      const name = await git(['rev-parse', '--short', 'main'], { gitDir: join(repository, '.git') })
      return name.toString().trim()
    },
    published: async () => requirePublished(await newestDeployment(context, project)),
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  }
}

async function makeRepository(folder: string): Promise<string> {
  await cp(EXAMPLE, folder, { recursive: true })
  await git(['init', '--quiet', '--initial-branch=main', folder])
  const call = {
    gitDir: join(folder, '.git'),
    identity: { name: 'Keepsake', email: 'docs@keepsake.example', at: new Date() },
  }
  await git(['--work-tree', folder, 'add', '--all', folder], call)
  await git(['commit', '--quiet', '--message=Documentation of Keepsake'], call)
  return folder
}

async function newestDeployment(
  context: Parameters<typeof awaitDeployment>[0],
  project: Project,
): Promise<Deployment> {
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
