/** `octavo projects`: sites, where their source is, and publishing them. */
import { isAbsolute, resolve } from 'node:path'
import { addProject, chooseOrganization, projectsOf } from '../../app/administration.ts'
import { loadConfig } from '../../app/config.ts'
import { openContext } from '../../app/context.ts'
import { syncProject } from '../../app/sync-project.ts'
import type { Command } from '../command.ts'
import { bar, createProgressLine } from '../progress-line.ts'
import { table } from '../table.ts'
import { withDatabase } from '../with-database.ts'

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
    const docsFolder = flag('docs')
    const deployment = flag('deployment')
    const project = await withDatabase(async (context) => {
      const organization = await chooseOrganization(context, flag('org'))
      return addProject(context, {
        organizationId: organization.id,
        name: flag('name') as string,
        domains: [flag('domain') as string],
        source: {
          ...sourceOf(flag('source') as string),
          ref: flag('ref') ?? null,
          ...(docsFolder === undefined ? {} : { docsFolder }),
        },
        ...(deployment === undefined ? {} : { defaultDeployment: deployment as 'client-hosted' }),
      })
    })
    const domain = project.domains[0] as string
    print.result({ projectId: project.id, siteId: project.siteId, domain }, [
      `${project.id}  ${project.name}  ${domain}`,
      `Publish it: octavo projects sync ${domain}`,
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
      return projectsOf(context, organization.id)
    })
    print.result(
      projects.map((project) => ({ projectId: project.id, ...project })),
      projects.length === 0
        ? ['There is no project yet. Make one: octavo projects create --help']
        : table([
            ['ID', 'NAME', 'DOMAIN', 'SOURCE'],
            ...projects.map((project) => [
              project.id,
              project.name,
              project.domains.join(', '),
              project.source.repository,
            ]),
          ]),
    )
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
    const { config, secrets } = loadConfig()
    const line = createProgressLine()
    await using context = await openContext({ ...config, logLevel: 'error' }, secrets)
    const deployment = await syncProject(context, secrets, positionals[0] as string, (state) =>
      line.update(
        `${bar((state.pageCount / Math.max(1, state.totalPages ?? 0)) * 100)}  ${state.pageCount} of ${state.totalPages ?? '…'} pages`,
      ),
    ).finally(() => line.end())
    print.result(
      deployment,
      deployment.status === 'published'
        ? [
            `Published ${deployment.pageCount} pages of ${deployment.revision}; ${deployment.warningCount} problems.`,
          ]
        : [`Not published: ${deployment.error}`],
    )
    return deployment.status === 'published' ? 0 : 1
  },
}

/** Whatever looks like an address is a repository; all else is a folder of this machine. */
function sourceOf(text: string): { kind: 'folder' | 'git'; repository: string } {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text) || /^[\w.-]+@[\w.-]+:/.test(text))
    return { kind: 'git', repository: text }
  return { kind: 'folder', repository: isAbsolute(text) ? text : resolve(text) }
}
