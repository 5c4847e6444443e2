/** `octavo agent`: jobs of the agent, through the API. */
import { programCall } from '../../app/operator/program-call.ts'
import { EFFORTS, type Effort } from '../../base/api/form-choices.ts'
import { followAgentJob } from '../../client/follow-agent-job.ts'
import type { AgentJob } from '../../features/agent/operations/agent.ts'
import { formatEvent, formatJob, formatReview } from '../agent-lines.ts'
import { type Api, CLIENT_FLAGS, openApi, PROJECT_FLAG } from '../api-client.ts'
import { type Command, type CommandInput, UsageError } from '../command.ts'
import { oneLine } from '../one-line.ts'
import { table } from '../table.ts'

const FLAGS = {
  project: PROJECT_FLAG,
  ...CLIENT_FLAGS,
} as const
const FOLLOW = { help: 'Print every step as it happens, until the job is over.' } as const

export const agentRun: Command = {
  name: 'agent run',
  summary: 'Have the agent change the documentation.',
  worksOn: 'api',
  positionals: ['prompt'],
  flags: {
    feedback: { value: 'list', help: 'Ids of feedback that the job answers, separated by commas.' },
    model: { value: '<provider>:<name>', help: 'Another model than the project’s, where it allows it.' },
    effort: { value: EFFORTS.join('|'), help: 'How much the model thinks, where the project allows it.' },
    follow: FOLLOW,
    ...FLAGS,
  },
  async run(input) {
    const [prompt = ''] = input.positionals
    const feedbackIds = splitList(input.flag('feedback'))
    const model = input.flag('model')
    const body = {
      prompt,
      ...(feedbackIds !== null && { feedbackIds }),
      ...(model !== undefined && { model }),
      ...effortOf(input.flag('effort')),
    }
    const options = { idempotencyKey: crypto.randomUUID() }
    const api = await openProjectApi(input)
    const job = await api.client.createAgentJob(api.project.id, body, options)
    if (input.has('follow')) return follow(api, input, job.id, 0)
    input.print.result(job, formatJob(job))
    return 0
  },
}

function effortOf(text: string | undefined): { effort?: Effort } {
  const effort = EFFORTS.find((one) => one === text)
  if (text !== undefined && effort === undefined)
    throw new UsageError(`--effort must be ${EFFORTS.join(', ')}.`)
  return effort === undefined ? {} : { effort }
}

export const agentList: Command = {
  name: 'agent list',
  summary: 'List agent jobs of a project, newest first.',
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
    const page = await client.listAgentJobs(project.id, {
      ...(limit === undefined ? {} : { limit: Number(limit) }),
      ...(cursor === undefined ? {} : { cursor }),
    })
    const rows = page.jobs.map((job) => [
      job.id,
      job.createdAt,
      job.status,
      String(job.filesChanged),
      oneLine(job.title ?? job.error ?? ''),
    ])
    input.print.result(
      page,
      rows.length === 0
        ? [`There is no agent job yet: ${programCall()} agent run "…" --project ${project.id}`]
        : table([['ID', 'STARTED', 'STATUS', 'FILES', 'TITLE'], ...rows]),
    )
    if (page.nextCursor !== null) input.print.note(`There is more: --cursor ${page.nextCursor}`)
    return 0
  },
}

export const agentShow: Command = {
  name: 'agent show',
  summary: 'Show an agent job.',
  worksOn: 'api',
  positionals: ['job'],
  flags: FLAGS,
  run: (input) => showJob(input, ({ client, project }) => client.getAgentJob(project.id, jobArgument(input))),
}

export const agentFollow: Command = {
  name: 'agent follow',
  summary: 'Print every step of an agent job as it happens, until it is over.',
  worksOn: 'api',
  positionals: ['job'],
  flags: { after: { value: 'number', help: 'Only steps behind this one.' }, ...FLAGS },
  async run(input) {
    const after = Number(input.flag('after') ?? 0)
    if (!Number.isSafeInteger(after) || after < 0) throw new UsageError('--after must be a whole number.')
    return follow(await openProjectApi(input), input, jobArgument(input), after)
  },
}

export const agentMessage: Command = {
  name: 'agent message',
  summary: 'Tell the agent what else to do: same branch, same pull request.',
  worksOn: 'api',
  positionals: ['job', 'prompt'],
  flags: { follow: FOLLOW, ...FLAGS },
  async run(input) {
    const [, prompt = ''] = input.positionals
    const api = await openProjectApi(input)
    const after = input.has('follow') ? await lastEvent(api, jobArgument(input)) : 0
    const options = { idempotencyKey: crypto.randomUUID() }
    const job = await api.client.sendAgentMessage(api.project.id, jobArgument(input), { prompt }, options)
    if (input.has('follow')) return follow(api, input, job.id, after)
    input.print.result(job, formatJob(job))
    return 0
  },
}

export const agentCancel: Command = {
  name: 'agent cancel',
  summary: 'Stop an agent job that is active.',
  worksOn: 'api',
  positionals: ['job'],
  flags: FLAGS,
  run: (input) =>
    showJob(input, ({ client, project }) => client.cancelAgentJob(project.id, jobArgument(input))),
}

export const agentPublish: Command = {
  name: 'agent publish',
  summary: 'Publish once more the checked change of a job that failed while it was published.',
  worksOn: 'api',
  positionals: ['job'],
  flags: FLAGS,
  run: (input) =>
    showJob(input, ({ client, project }) => client.publishAgentJob(project.id, jobArgument(input))),
}

export const agentArchive: Command = {
  name: 'agent archive',
  summary: 'Put an agent job away for good.',
  worksOn: 'api',
  positionals: ['job'],
  flags: FLAGS,
  run: (input) =>
    showJob(input, ({ client, project }) => client.archiveAgentJob(project.id, jobArgument(input))),
}

export const agentReview: Command = {
  name: 'agent review',
  summary: 'Show what an agent job has changed, and why.',
  worksOn: 'api',
  positionals: ['job'],
  flags: FLAGS,
  async run(input) {
    const { client, project } = await openProjectApi(input)
    const review = await client.getAgentReview(project.id, jobArgument(input))
    input.print.result(review, formatReview(review, project.id))
    return 0
  },
}

export const agentAccept: Command = {
  name: 'agent accept',
  summary: 'Merge the change of an agent job, for a repository without a forge.',
  worksOn: 'api',
  positionals: ['job'],
  flags: {
    'confirm-risks': { help: 'The second yes, for a change of which every file has a high risk.' },
    ...FLAGS,
  },
  run: (input) =>
    showJob(input, ({ client, project }) =>
      client.acceptAgentJob(project.id, jobArgument(input), { confirmRisks: input.has('confirm-risks') }),
    ),
}

export const agentDecline: Command = {
  name: 'agent decline',
  summary: 'Decline the change of an agent job, for a repository without a forge.',
  worksOn: 'api',
  positionals: ['job'],
  flags: FLAGS,
  run: (input) =>
    showJob(input, ({ client, project }) => client.declineAgentJob(project.id, jobArgument(input))),
}

async function showJob(input: CommandInput, fetchJob: (api: Api) => Promise<AgentJob>): Promise<number> {
  const job = await fetchJob(await openProjectApi(input))
  input.print.result(job, formatJob(job))
  return 0
}

/** Follows a job. With `--json`, steps are remarks and the job is the document. Exit code 1 if the job failed. */
async function follow(
  { client, project }: Api,
  { print }: CommandInput,
  id: string,
  after: number,
): Promise<number> {
  if (!print.isJson) print.note(`Following ${id}`)
  for await (const { event } of followAgentJob(client, project.id, id, { after })) {
    for (const line of formatEvent(event)) print.note(line)
  }
  const job = await client.getAgentJob(project.id, id)
  print.result(job, formatJob(job))
  return job.status === 'failed' ? 1 : 0
}

/** Returns the number of the last event of a finished job, or 0 for an active job, all of whose events are shown. */
async function lastEvent({ client, project }: Api, job: string): Promise<number> {
  const { status } = await client.getAgentJob(project.id, job)
  if (status === 'active') return 0
  let last = 0
  for await (const { id } of followAgentJob(client, project.id, job)) last = id
  return last
}

function openProjectApi({ flag }: CommandInput): Promise<Api> {
  return openApi(flag, flag('project') as string, 'id')
}

function jobArgument({ positionals }: CommandInput): string {
  return positionals[0] as string
}

function splitList(text: string | undefined): string[] | null {
  if (text === undefined) return null
  const ids = text
    .split(',')
    .map((id) => id.trim())
    .filter((id) => id !== '')
  if (ids.length === 0) throw new UsageError('--feedback names no entry.')
  return ids
}
