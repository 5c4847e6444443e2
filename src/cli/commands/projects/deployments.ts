/** `octavo deployments`: versions of a hosted site, through the API. */
import { resolveProgramCommand } from '../../../app/operator/program-call.ts'
import type {
  Deployment,
  DeploymentState,
  SitePointer,
} from '../../../features/hosting/operations/deployments.ts'
import { type Api, openProjectApi, PAGE_FLAGS, PROJECT_API_FLAGS, pageQuery } from '../../api-client.ts'
import { type Command, type CommandInput, UsageError } from '../../command.ts'
import { oneLine } from '../../one-line.ts'
import { counted } from '../../progress-line.ts'
import { followDeployment } from '../../work-bars.ts'

const MAX_LISTED = 100

const deploymentArgument = ({ positionals }: CommandInput): string => positionals[0] as string

export const deploymentsList: Command = {
  name: 'deployments list',
  summary: 'List deployments of a project, newest first.',
  worksOn: 'api',
  flags: {
    ...PAGE_FLAGS,
    ...PROJECT_API_FLAGS,
  },
  async run(input) {
    const { client, project } = await openProjectApi(input)
    const page = await client.listDeployments(project.id, pageQuery(input.flag))
    const rows = page.deployments.map((one) => [
      one.deploymentId,
      one.createdAt,
      formatState(one),
      one.trigger,
      oneLine(describeDeployment(one), 60),
    ])
    input.print.list(
      page,
      ['ID', 'STARTED', 'STATE', 'BY', 'WHAT'],
      rows,
      `Nothing has been published yet. Publish: ${resolveProgramCommand()} deployments start --project ${project.id}`,
    )
    if (page.nextCursor !== null) input.print.note(`For more: --cursor ${page.nextCursor}`)
    return 0
  },
}

export const deploymentsShow: Command = {
  name: 'deployments show',
  summary: 'Show a deployment: its stages, log, problems and changed pages.',
  worksOn: 'api',
  positionals: ['deployment'],
  flags: PROJECT_API_FLAGS,
  async run(input) {
    const { client, project } = await openProjectApi(input)
    const deployment = await client.getDeployment(project.id, deploymentArgument(input))
    input.print.result(deployment, formatDetails(deployment))
    return 0
  },
}

export const deploymentsStart: Command = {
  name: 'deployments start',
  summary: 'Fetch the source and publish the site, on the server.',
  worksOn: 'api',
  flags: { follow: { help: 'Wait until the deployment ends.' }, ...PROJECT_API_FLAGS },
  async run(input) {
    const { client, project } = await openProjectApi(input)
    const started = await client.startDeployment(project.id, { idempotencyKey: crypto.randomUUID() })
    const state = input.has('follow') ? await followDeployment(client, project.id, started) : started
    input.print.result(state, formatDetails(state))
    return state.status === 'failed' ? 1 : 0
  },
}

export const deploymentsCancel: Command = {
  name: 'deployments cancel',
  summary: 'Cancel a queued or running deployment.',
  worksOn: 'api',
  positionals: ['deployment'],
  flags: PROJECT_API_FLAGS,
  async run(input) {
    const { client, project } = await openProjectApi(input)
    const deployment = await client.cancelDeployment(project.id, deploymentArgument(input))
    input.print.result(deployment, [`${deployment.deploymentId} is cancelled.`])
    return 0
  },
}

export const deploymentsPromote: Command = {
  name: 'deployments promote',
  summary: 'Make an earlier version live and pin it.',
  worksOn: 'api',
  positionals: ['deployment'],
  flags: PROJECT_API_FLAGS,
  async run(input) {
    const api = await openProjectApi(input)
    return reportPromotion(
      input,
      api,
      await api.client.promoteDeployment(api.project.id, deploymentArgument(input)),
    )
  },
}

export const deploymentsRollback: Command = {
  name: 'deployments rollback',
  summary: 'Make the previous version live and pin it.',
  worksOn: 'api',
  flags: PROJECT_API_FLAGS,
  async run(input) {
    const api = await openProjectApi(input)
    const page = await api.client.listDeployments(api.project.id, { limit: MAX_LISTED })
    const live = page.deployments.findIndex(({ isLive }) => isLive)
    const before = page.deployments.slice(live + 1).find(({ isKept }) => isKept)
    if (live < 0 || before === undefined)
      throw new UsageError('There is no earlier version to roll back to. See deployments list.')
    return reportPromotion(
      input,
      api,
      await api.client.promoteDeployment(api.project.id, before.deploymentId),
    )
  },
}

export const deploymentsRelease: Command = {
  name: 'deployments release',
  summary: 'Unpin a version, which makes the newest one live.',
  worksOn: 'api',
  flags: PROJECT_API_FLAGS,
  async run(input) {
    const { client, project } = await openProjectApi(input)
    const pointer = await client.releaseSite(project.id)
    input.print.result(pointer, [`${pointer.deploymentId} is live. The next deployment replaces it.`])
    return 0
  },
}

function reportPromotion(input: CommandInput, { project }: Api, pointer: SitePointer): number {
  input.print.result(pointer, [
    `${pointer.deploymentId} is live and pinned.`,
    `Unpin it: ${resolveProgramCommand()} deployments release --project ${project.id}`,
  ])
  return 0
}

function formatState({ status, isLive, isKept }: DeploymentState): string {
  if (isLive) return 'live'
  return status === 'published' && !isKept ? 'files removed' : status
}

function describeDeployment({ error, commit, revision }: DeploymentState): string {
  return error ?? commit?.title ?? revision ?? ''
}

function formatDetails(deployment: Deployment): string[] {
  const { deploymentId, commit, revision, changes, log, changedPages, warnings, warningCount } = deployment
  return [
    `${deploymentId}  ${formatState(deployment)}  ${counted(deployment.pageCount, 'page')}`,
    ...(commit === null
      ? []
      : [`  ${revision?.slice(0, 10)} ${oneLine(commit.title, 80)} (${commit.author})`]),
    ...(deployment.error === null ? [] : [`  ${oneLine(deployment.error, 400)}`]),
    ...log.map(({ at, text }) => `  ${at}  ${oneLine(text, 200)}`),
    ...(changes === null
      ? []
      : [`  Pages: ${changes.added} added, ${changes.changed} changed, ${changes.removed} removed`]),
    ...changedPages.map(({ path, change }) => `    ${change.padEnd(7)} ${oneLine(path, 120)}`),
    ...(warningCount === 0 ? [] : [`  ${warningCount} problems in the content`]),
    ...warnings.map(
      ({ path, line, message }) => `    ${path}${line === null ? '' : `:${line}`} ${oneLine(message, 200)}`,
    ),
  ]
}
