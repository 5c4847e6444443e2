/** `octavo deployments`: versions of a hosted site, through the API. */
import { setTimeout as sleep } from 'node:timers/promises'
import { programCall } from '../../../app/operator/program-call.ts'
import type {
  Deployment,
  DeploymentState,
  SitePointer,
} from '../../../features/hosting/operations/deployments.ts'
import { type Api, CLIENT_FLAGS, openApi, PROJECT_FLAG } from '../../api-client.ts'
import { type Command, type CommandInput, UsageError } from '../../command.ts'
import { oneLine } from '../../one-line.ts'
import { createProgressLine } from '../../progress-line.ts'
import { table } from '../../table.ts'
import { formatDeploymentProgress } from '../../work-bars.ts'

const FLAGS = { project: PROJECT_FLAG, ...CLIENT_FLAGS } as const
const POLL_INTERVAL_MS = 400
const MAX_LISTED = 100

const openProjectApi = ({ flag }: CommandInput): Promise<Api> =>
  openApi(flag, flag('project') as string, 'id')
const deploymentArgument = ({ positionals }: CommandInput): string => positionals[0] as string

export const deploymentsList: Command = {
  name: 'deployments list',
  summary: 'List deployments of a project, newest first.',
  worksOn: 'api',
  flags: {
    limit: { value: 'number', help: 'How many, 1 to 100; 50 when left out.' },
    cursor: { value: 'cursor', help: 'Where the list before ended.' },
    ...FLAGS,
  },
  async run(input) {
    const limit = input.flag('limit')
    const cursor = input.flag('cursor')
    const { client, project } = await openProjectApi(input)
    const page = await client.listDeployments(project.id, {
      ...(limit === undefined ? {} : { limit: Number(limit) }),
      ...(cursor === undefined ? {} : { cursor }),
    })
    const rows = page.deployments.map((one) => [
      one.deploymentId,
      one.createdAt,
      formatState(one),
      one.trigger,
      oneLine(describeDeployment(one), 60),
    ])
    input.print.result(
      page,
      rows.length === 0
        ? [`Nothing has been published yet: ${programCall()} deployments start --project ${project.id}`]
        : table([['ID', 'STARTED', 'STATE', 'BY', 'WHAT'], ...rows]),
    )
    if (page.nextCursor !== null) input.print.note(`There is more: --cursor ${page.nextCursor}`)
    return 0
  },
}

export const deploymentsShow: Command = {
  name: 'deployments show',
  summary: 'Show a deployment: its stages, log, problems and changed pages.',
  worksOn: 'api',
  positionals: ['deployment'],
  flags: FLAGS,
  async run(input) {
    const { client, project } = await openProjectApi(input)
    const deployment = await client.getDeployment(project.id, deploymentArgument(input))
    input.print.result(deployment, formatDetails(deployment))
    return 0
  },
}

export const deploymentsStart: Command = {
  name: 'deployments start',
  summary: 'Bring the source up to date and publish the site, on the server.',
  worksOn: 'api',
  flags: { follow: { help: 'Wait until it is over.' }, ...FLAGS },
  async run(input) {
    const { client, project } = await openProjectApi(input)
    let state = await client.startDeployment(project.id, { idempotencyKey: crypto.randomUUID() })
    const line = createProgressLine()
    while (input.has('follow') && (state.status === 'queued' || state.status === 'running')) {
      await sleep(POLL_INTERVAL_MS)
      state = await client.getDeployment(project.id, state.deploymentId)
      line.update(formatDeploymentProgress(state))
    }
    line.end()
    input.print.result(state, formatDetails(state))
    return state.status === 'failed' ? 1 : 0
  },
}

export const deploymentsCancel: Command = {
  name: 'deployments cancel',
  summary: 'Cancel a deployment that is queued or running.',
  worksOn: 'api',
  positionals: ['deployment'],
  flags: FLAGS,
  async run(input) {
    const { client, project } = await openProjectApi(input)
    const deployment = await client.cancelDeployment(project.id, deploymentArgument(input))
    input.print.result(deployment, [`${deployment.deploymentId} is cancelled.`])
    return 0
  },
}

export const deploymentsPromote: Command = {
  name: 'deployments promote',
  summary: 'Put a kept version in front, and hold it there until it is released.',
  worksOn: 'api',
  positionals: ['deployment'],
  flags: FLAGS,
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
  summary: 'Put the version in front that was published before the one that is live.',
  worksOn: 'api',
  flags: FLAGS,
  async run(input) {
    const api = await openProjectApi(input)
    const page = await api.client.listDeployments(api.project.id, { limit: MAX_LISTED })
    const live = page.deployments.findIndex(({ isLive }) => isLive)
    const before = page.deployments.slice(live + 1).find(({ isKept }) => isKept)
    if (live < 0 || before === undefined)
      throw new UsageError('There is no kept version before the one that is live: see deployments list.')
    return reportPromotion(
      input,
      api,
      await api.client.promoteDeployment(api.project.id, before.deploymentId),
    )
  },
}

export const deploymentsRelease: Command = {
  name: 'deployments release',
  summary: 'Let go of a version that is held in front: the newest one takes its place.',
  worksOn: 'api',
  flags: FLAGS,
  async run(input) {
    const { client, project } = await openProjectApi(input)
    const pointer = await client.releaseSite(project.id)
    input.print.result(pointer, [`${pointer.deploymentId} is live; what is published next takes its place.`])
    return 0
  },
}

function reportPromotion(input: CommandInput, { project }: Api, pointer: SitePointer): number {
  input.print.result(pointer, [
    `${pointer.deploymentId} is live, and is held in front.`,
    `Let go of it: ${programCall()} deployments release --project ${project.id}`,
  ])
  return 0
}

function formatState({ status, isLive, isKept }: DeploymentState): string {
  if (isLive) return 'live'
  return status === 'published' && !isKept ? 'not kept' : status
}

function describeDeployment({ error, commit, revision }: DeploymentState): string {
  return error ?? commit?.title ?? revision ?? ''
}

function formatDetails(deployment: Deployment): string[] {
  const { deploymentId, commit, revision, changes, log, changedPages, warnings, warningCount } = deployment
  return [
    `${deploymentId}  ${formatState(deployment)}  ${deployment.pageCount} pages`,
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
