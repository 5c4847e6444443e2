/** `octavo previews`: previews of branches and pull requests, through the API. */
import { setTimeout as sleep } from 'node:timers/promises'
import { resolveProgramCommand } from '../../../app/operator/program-call.ts'
import type { Preview } from '../../../features/hosting/operations/previews.ts'
import { type Api, openProjectApi, PROJECT_API_FLAGS } from '../../api-client.ts'
import { type Command, type CommandInput, UsageError } from '../../command.ts'
import { oneLine } from '../../one-line.ts'
import { createProgressLine } from '../../progress-line.ts'
import { formatDeploymentProgress } from '../../work-bars.ts'

const FOLLOW = { follow: { help: 'Wait until the deployment of the preview ends.' } } as const
const POLL_INTERVAL_MS = 400

export const previewsList: Command = {
  name: 'previews list',
  summary: 'List the previews of a project, most recently pushed first.',
  worksOn: 'api',
  flags: PROJECT_API_FLAGS,
  async run(input) {
    const { client, project } = await openProjectApi(input)
    const list = await client.listPreviews(project.id)
    const rows = list.previews.map((one) => [
      one.previewId,
      oneLine(previewName(one), 40),
      one.state,
      one.expiresAt,
      one.previewUrl ?? '',
    ])
    input.print.list(
      list,
      ['ID', 'BRANCH', 'STATE', 'UNTIL', 'ADDRESS'],
      rows,
      `There are no previews. Create one: ${resolveProgramCommand()} previews create <branch> --project ${project.id}`,
    )
    return 0
  },
}

export const previewsCreate: Command = {
  name: 'previews create',
  summary: 'Create or update the preview of a branch.',
  worksOn: 'api',
  positionals: ['branch'],
  flags: { ...FOLLOW, ...PROJECT_API_FLAGS },
  async run(input) {
    const api = await openProjectApi(input)
    const options = { idempotencyKey: crypto.randomUUID() }
    const { previewId } = await api.client.createPreview(
      api.project.id,
      input.positionals[0] as string,
      options,
    )
    return waitUntilBuilt(input, api, previewId)
  },
}

export const previewsRebuild: Command = {
  name: 'previews rebuild',
  summary: 'Rebuild a preview from its branch.',
  worksOn: 'api',
  positionals: ['preview'],
  flags: { ...FOLLOW, ...PROJECT_API_FLAGS },
  async run(input) {
    const api = await openProjectApi(input)
    const { previewId } = await findPreview(input, api)
    const options = { idempotencyKey: crypto.randomUUID() }
    await api.client.rebuildPreview(api.project.id, previewId, options)
    return waitUntilBuilt(input, api, previewId)
  },
}

export const previewsRemove: Command = {
  name: 'previews remove',
  summary: 'Remove a preview, by its ID or branch.',
  worksOn: 'api',
  positionals: ['preview'],
  flags: PROJECT_API_FLAGS,
  async run(input) {
    const api = await openProjectApi(input)
    const preview = await findPreview(input, api)
    const removed = await api.client.removePreview(api.project.id, preview.previewId)
    input.print.result(removed, [`The preview of ${oneLine(previewName(preview), 100)} is removed.`])
    return 0
  },
}

async function findPreview({ positionals }: CommandInput, { client, project }: Api): Promise<Preview> {
  const name = positionals[0] as string
  const { previews } = await client.listPreviews(project.id)
  const found = previews.find(({ previewId, branch }) => previewId === name || branch === name)
  if (found === undefined)
    throw new UsageError(`There is no preview ${oneLine(name, 100)}. See previews list.`)
  return found
}

async function waitUntilBuilt(
  input: CommandInput,
  { client, project }: Api,
  previewId: string,
): Promise<number> {
  let preview = await client.getPreview(project.id, previewId)
  const line = createProgressLine()
  while (input.has('follow') && preview.state === 'building') {
    await sleep(POLL_INTERVAL_MS)
    preview = await client.getPreview(project.id, previewId)
    line.update(formatDeploymentProgress(preview.deployment))
  }
  line.end()
  const { error } = preview.deployment
  input.print.result(preview, [
    `${previewId}  ${preview.state}  ${preview.previewUrl ?? ''}`,
    ...(error === null ? [] : [`  ${oneLine(error, 400)}`]),
  ])
  return preview.state === 'failed' ? 1 : 0
}

function previewName({ branch, pullRequest }: Preview): string {
  return pullRequest === null ? branch : `${branch} (#${pullRequest})`
}
