/** `octavo projects`: manages and publishes sites and their sources. */
import { stat } from 'node:fs/promises'
import { isAbsolute, join, resolve } from 'node:path'
import { quoteForShell, resolveProgramCommand } from '../../../app/operator/program-call.ts'
import type { Deployment } from '../../../features/hosting/operations/deployments.ts'
import type { OperatorProject } from '../../../features/projects/operations/operator.ts'
import { ORG_FLAG, withErrorMessages, withOrganization, withServer } from '../../api-client.ts'
import { type Command, UsageError } from '../../command.ts'
import { followDeployment } from '../../work-bars.ts'

export const projectsCreate: Command = {
  name: 'projects create',
  summary: 'Create a project: a site with its source and host name.',
  worksOn: 'data',
  flags: {
    name: { value: 'text', help: 'Name.', isRequired: true },
    domain: { value: 'host', help: 'Host name of the site.', isRequired: true },
    source: {
      value: 'folder or URL',
      help: 'A folder on this machine, or the URL of a git repository.',
      isRequired: true,
    },
    ref: {
      value: 'ref',
      help: 'Branch, tag or commit. Default: the default branch, or the current files of a folder.',
    },
    docs: {
      value: 'folder',
      help: 'Folder inside the source that contains docs.json. Default: the root of the source.',
    },
    deployment: {
      value: 'kind',
      help: 'Where exports will be hosted unless they specify it: client-hosted (default) or air-gapped.',
    },
    org: ORG_FLAG,
  },
  async run({ flag, print }) {
    const source = parseSource(flag('source') as string)
    const docsFolder = flag('docs')
    if (source.kind === 'folder') await requireSource(source.repository, docsFolder, flag('ref'))
    const deployment = flag('deployment')
    const body = {
      name: flag('name') as string,
      domains: [flag('domain') as string],
      source: {
        ...source,
        ref: flag('ref') ?? null,
        ...(docsFolder === undefined ? {} : { docsFolder }),
      },
      ...(deployment === undefined ? {} : { defaultDeployment: deployment as 'client-hosted' }),
    }
    const project = await withOrganization(flag('org'), ({ call }) => call('createProject', { body }))
    const domain = project.domains[0] as string
    print.result({ projectId: project.id, siteId: project.siteId, domain }, [
      `${project.id}  ${project.name}  ${domain}`,
      `Publish it: ${resolveProgramCommand()} projects sync ${domain}`,
    ])
    return 0
  },
}

export const projectsList: Command = {
  name: 'projects list',
  summary: 'List the projects of an organization.',
  worksOn: 'data',
  flags: { org: ORG_FLAG },
  async run({ flag, print }) {
    const { projects } = await withOrganization(flag('org'), ({ call }) => call('findProjects'))
    print.list(
      projects,
      ['ID', 'NAME', 'DOMAIN', 'SOURCE'],
      projects.map((project) => [
        project.id,
        project.name,
        project.domains.map((domain) => formatDomain(project, domain)).join(', '),
        project.source.repository,
      ]),
      `There is no project yet. To create one: ${resolveProgramCommand()} projects create --help`,
    )
    return 0
  },
}

function formatDomain({ servedDomains }: OperatorProject, domain: string): string {
  return servedDomains.includes(domain) ? domain : `${domain} (not verified)`
}

export const projectsVouch: Command = {
  name: 'projects vouch',
  summary: 'Serve a project at a domain without verification.',
  worksOn: 'data',
  positionals: ['project', 'domain'],
  flags: { take: { help: 'Take the domain from the project that currently uses it.' } },
  async run({ positionals, has, print }) {
    const [named = '', domain = ''] = positionals
    const { name, ...vouched } = await withServer(async ({ call, findProject }) => {
      const { projectId, name } = await findProject(named)
      const given = { params: { projectId }, body: { domain, takesOver: has('take') } }
      const vouched = await withErrorMessages(call('vouchForDomain', given), {
        domain_taken: (said) => `${said}: use --take to take it over.`,
      })
      return { ...vouched, name }
    })
    print.result(vouched, [`${name} is served at ${vouched.domain}.`])
    return 0
  },
}

export const projectsSync: Command = {
  name: 'projects sync',
  summary: "Fetch a project's source and publish it.",
  worksOn: 'data',
  positionals: ['project'],
  flags: {},
  async run({ positionals, print }) {
    const { deployment, project, site } = await withServer(
      async ({ client, publicUrl, findProject }) => {
        const project = await findProject(positionals[0] as string)
        const started = await client.startDeployment(project.id)
        const deployment = await followDeployment(client, project.id, started)
        return { deployment, project, site: publicUrl === null ? null : project.url }
      },
      { runsJobs: true },
    )
    print.result({ ...deployment, siteUrl: site }, formatOutcome(deployment, project, site))
    return deployment.status === 'published' ? 0 : 1
  },
}

function formatOutcome(deployment: Deployment, project: OperatorProject, site: string | null): string[] {
  const { pageCount, revision, warningCount, error } = deployment
  if (deployment.status !== 'published') return [`Not published: ${error}`, ...problemsLine(project, null)]
  // A folder has no commits; its revision is a hash that means nothing to users.
  const of = revision === null || revision.startsWith('content:') ? '' : ` of ${revision}`
  const published = `Published ${pageCount} pages${of}`
  return [
    site === null ? `${published}. Serve them: ${resolveProgramCommand()} start` : `${published} at ${site}`,
    ...problemsLine(project, warningCount),
  ]
}

function problemsLine({ source, domains }: OperatorProject, count: number | null): string[] {
  if (count === 0) return ['No problems.']
  const found = count === null ? 'Problems' : `${count} ${count === 1 ? 'problem' : 'problems'}`
  if (source.kind !== 'folder') return [`${found}: see the site ${domains[0]} on the dashboard.`]
  const folder = source.docsFolder ? join(source.repository, source.docsFolder) : source.repository
  return [`${found}: ${resolveProgramCommand()} check ${quoteForShell(folder)}`]
}

/** Validates a source folder. Throws UsageError. With a ref, the docs are in a commit rather than on disk. */
async function requireSource(
  folder: string,
  docs: string | undefined,
  ref: string | undefined,
): Promise<void> {
  const found = await stat(folder).catch(() => null)
  if (found === null)
    throw new UsageError(`There is no folder ${folder}. Choose an existing folder with --source.`)
  if (!found.isDirectory()) throw new UsageError(`${folder} is a file. Choose its folder with --source.`)
  if (docs === undefined || ref !== undefined) return
  const inside = await stat(join(folder, docs)).catch(() => null)
  if (!inside?.isDirectory()) throw new UsageError(`There is no folder ${docs} in ${folder}. Correct --docs.`)
}

/** Treats everything that looks like a URL as a repository, and anything else as a local folder. */
export function parseSource(text: string): { kind: 'folder' | 'git'; repository: string } {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text) || /^[\w.-]+@[\w.-]+:/.test(text))
    return { kind: 'git', repository: text }
  return { kind: 'folder', repository: isAbsolute(text) ? text : resolve(text) }
}
