/** `octavo projects`: manages and publishes sites and their sources. */
import { stat } from 'node:fs/promises'
import { isAbsolute, join, resolve } from 'node:path'
import {
  addProject,
  chooseOrganization,
  chooseProject,
  listOrganizationProjects,
  mainDomain,
  vouchForProjectDomain,
} from '../../../app/operator/administration.ts'
import { programCall, quoteForShell } from '../../../app/operator/program-call.ts'
import { sampleSiteUrl } from '../../../app/operator/sample-site.ts'
import { syncProject } from '../../../app/operator/sync-project.ts'
import type { Deployment } from '../../../features/hosting/operations/deployments.ts'
import { type Command, UsageError } from '../../command.ts'
import { createProgressLine } from '../../progress-line.ts'
import { table } from '../../table.ts'
import { withContext, withDatabase } from '../../with-database.ts'
import { formatDeploymentProgress } from '../../work-bars.ts'

type Project = Awaited<ReturnType<typeof chooseProject>>

const ORG = { value: 'id', help: 'Organization; the only one there is when left out.' }

export const projectsCreate: Command = {
  name: 'projects create',
  summary: 'Make a project: a site with its source and host name.',
  worksOn: 'data',
  flags: {
    name: { value: 'text', help: 'Its name.', isRequired: true },
    domain: { value: 'host', help: 'Host name of the site.', isRequired: true },
    source: {
      value: 'folder or URL',
      help: 'A folder of this machine, or the URL of a git repository.',
      isRequired: true,
    },
    ref: {
      value: 'ref',
      help: 'Branch, tag or commit; the default branch, or the files as they lie there, when left out.',
    },
    docs: { value: 'folder', help: 'Folder of docs.json inside the source; its root when left out.' },
    deployment: {
      value: 'kind',
      help: 'What exports are for unless they say so: client-hosted (default) or air-gapped.',
    },
    org: ORG,
  },
  async run({ flag, print }) {
    const source = parseSource(flag('source') as string)
    const docsFolder = flag('docs')
    if (source.kind === 'folder') await requireSource(source.repository, docsFolder, flag('ref'))
    const deployment = flag('deployment')
    const project = await withDatabase(async (context) => {
      const organization = await chooseOrganization(context, flag('org'))
      return addProject(context, {
        organizationId: organization.id,
        name: flag('name') as string,
        domains: [flag('domain') as string],
        source: {
          ...source,
          ref: flag('ref') ?? null,
          ...(docsFolder === undefined ? {} : { docsFolder }),
        },
        ...(deployment === undefined ? {} : { defaultDeployment: deployment as 'client-hosted' }),
      })
    })
    const domain = project.domains[0] as string
    print.result({ projectId: project.id, siteId: project.siteId, domain }, [
      `${project.id}  ${project.name}  ${domain}`,
      `Publish it: ${programCall()} projects sync ${domain}`,
    ])
    return 0
  },
}

export const projectsList: Command = {
  name: 'projects list',
  summary: 'List the projects of an organization.',
  worksOn: 'data',
  flags: { org: ORG },
  async run({ flag, print }) {
    const projects = await withDatabase(async (context) => {
      const organization = await chooseOrganization(context, flag('org'))
      return listOrganizationProjects(context, organization.id)
    })
    print.result(
      projects.map((project) => ({ projectId: project.id, ...project })),
      projects.length === 0
        ? [`There is no project yet. How to make one: ${programCall()} projects create --help`]
        : table([
            ['ID', 'NAME', 'DOMAIN', 'SOURCE'],
            ...projects.map((project) => [
              project.id,
              project.name,
              project.domains.map((domain) => formatDomain(project, domain)).join(', '),
              project.source.repository,
            ]),
          ]),
    )
    return 0
  },
}

function formatDomain({ servedDomains }: Project, domain: string): string {
  return servedDomains.includes(domain) ? domain : `${domain} (not proved)`
}

export const projectsVouch: Command = {
  name: 'projects vouch',
  summary: 'Serve a project at a domain without proof: you answer for it.',
  worksOn: 'data',
  positionals: ['project', 'domain'],
  flags: { take: { help: 'Take the domain from the project that is served at it.' } },
  async run({ positionals, has, print }) {
    const [named = '', wanted = ''] = positionals
    const { project, domain } = await withDatabase((context) =>
      vouchForProjectDomain(context, { project: named, domain: wanted, takesOver: has('take') }),
    )
    print.result({ projectId: project.id, domain }, [`${project.name} is served at ${domain}.`])
    return 0
  },
}

export const projectsSync: Command = {
  name: 'projects sync',
  summary: "Bring a project's source up to date and publish it.",
  worksOn: 'data',
  positionals: ['project'],
  flags: {},
  async run({ positionals, print }) {
    const line = createProgressLine()
    const { deployment, site, project } = await withContext(async (context, secrets, server) => {
      const project = await chooseProject(context, positionals[0] as string)
      const deployment = await syncProject(context, secrets, project, (state) =>
        line.update(formatDeploymentProgress(state)),
      ).finally(() => line.end())
      const isServed = server !== null || context.config.publicUrl !== null
      const site = isServed ? sampleSiteUrl(context, mainDomain(project)) : null
      return { deployment, project, site }
    })
    print.result({ ...deployment, siteUrl: site }, formatOutcome(deployment, project, site))
    return deployment.status === 'published' ? 0 : 1
  },
}

/** Describes the outcome of a deployment. `site` is null if no server is running. */
function formatOutcome(deployment: Deployment, project: Project, site: string | null): string[] {
  const { pageCount, revision, warningCount, error } = deployment
  if (deployment.status !== 'published') return [`Not published: ${error}`, ...problemsLine(project, null)]
  // A folder has no commits; its revision is a hash without meaning for people.
  const of = revision === null || revision.startsWith('content:') ? '' : ` of ${revision}`
  const published = `Published ${pageCount} pages${of}`
  return [
    site === null ? `${published}. Serve them: ${programCall()} start` : `${published} at ${site}`,
    ...problemsLine(project, warningCount),
  ]
}

/** Tells how to list the problems: with `octavo check` for a local folder, otherwise on the dashboard. */
function problemsLine({ source, domains }: Project, count: number | null): string[] {
  if (count === 0) return ['No problems.']
  const found = count === null ? 'What is wrong' : `${count} ${count === 1 ? 'problem' : 'problems'}`
  if (source.kind !== 'folder') return [`${found}: in the dashboard, at the site ${domains[0]}.`]
  const folder = source.docsFolder ? join(source.repository, source.docsFolder) : source.repository
  return [`${found}: ${programCall()} check ${quoteForShell(folder)}`]
}

/** Validates a source folder. Throws UsageError. With a ref, the docs are in a commit rather than on disk. */
async function requireSource(
  folder: string,
  docs: string | undefined,
  ref: string | undefined,
): Promise<void> {
  const found = await stat(folder).catch(() => null)
  if (found === null)
    throw new UsageError(`There is no folder ${folder}: name one that exists with --source.`)
  if (!found.isDirectory()) throw new UsageError(`${folder} is a file: name its folder with --source.`)
  if (docs === undefined || ref !== undefined) return
  const inside = await stat(join(folder, docs)).catch(() => null)
  if (!inside?.isDirectory()) throw new UsageError(`There is no folder ${docs} in ${folder}: correct --docs.`)
}

/** Treats everything that looks like a URL as a repository, and anything else as a local folder. */
export function parseSource(text: string): { kind: 'folder' | 'git'; repository: string } {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text) || /^[\w.-]+@[\w.-]+:/.test(text))
    return { kind: 'git', repository: text }
  return { kind: 'folder', repository: isAbsolute(text) ? text : resolve(text) }
}
