/** `octavo agent`: jobs of the agent, through the API. */
import { resolveProgramCommand } from '../../app/operator/program-call.ts'
import { EFFORTS, type Effort } from '../../base/api/form-choices.ts'
import { splitList } from '../../base/text/split-list.ts'
import { followAgentJob } from '../../client/follow-agent-job.ts'
import type { AgentJob } from '../../features/agent/operations/agent.ts'
import { formatEvent, formatJob, formatReview } from '../agent-lines.ts'
import { type Api, openProjectApi, PAGE_FLAGS, PROJECT_API_FLAGS, pageQuery } from '../api-client.ts'
import { type Command, type CommandInput, UsageError } from '../command.ts'
import { oneLine } from '../one-line.ts'

const FOLLOW = { help: 'Print each step as it happens, until the job ends.' } as const

export const agentRun: Command = {
  name: 'agent run',
  summary: 'Start an agent job.',
  worksOn: 'api',
  positionals: ['prompt'],
  flags: {
    feedback: { value: 'list', help: 'IDs of feedback that the job addresses, separated by commas.' },
    model: {
      value: '<provider>:<name>',
      help: "A model allowed by the project. Default: the project's model.",
    },
    effort: { value: EFFORTS.join('|'), help: 'Reasoning effort of the model, if allowed by the project.' },
    follow: FOLLOW,
    ...PROJECT_API_FLAGS,
  },
  async run(input) {
    const [prompt = ''] = input.positionals
    const feedbackIds = splitList(input.flag('feedback'))
    if (input.flag('feedback') !== undefined && feedbackIds.length === 0)
      throw new UsageError('--feedback contains no ID.')
    const model = input.flag('model')
    const body = {
      prompt,
      ...(feedbackIds.length > 0 && { feedbackIds }),
      ...(model !== undefined && { model }),
      ...parseEffort(input.flag('effort')),
    }
    const options = { idempotencyKey: crypto.randomUUID() }
    const api = await openProjectApi(input)
    const job = await api.client.createAgentJob(api.project.id, body, options)
    if (input.has('follow')) return follow(api, input, job.id, 0)
    input.print.result(job, formatJob(job))
    return 0
  },
}

function parseEffort(text: string | undefined): { effort?: Effort } {
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
    ...PAGE_FLAGS,
    ...PROJECT_API_FLAGS,
  },
  async run(input) {
    const { client, project } = await openProjectApi(input)
    const page = await client.listAgentJobs(project.id, pageQuery(input.flag))
    const rows = page.jobs.map((job) => [
      job.id,
      job.createdAt,
      job.status,
      String(job.filesChanged),
      oneLine(job.title ?? job.error ?? ''),
    ])
    input.print.list(
      page,
      ['ID', 'STARTED', 'STATUS', 'FILES', 'TITLE'],
      rows,
      `There is no agent job yet: ${resolveProgramCommand()} agent run "…" --project ${project.id}`,
    )
    if (page.nextCursor !== null) input.print.note(`For more: --cursor ${page.nextCursor}`)
    return 0
  },
}

export const agentShow = jobCommand('agent show', 'Show an agent job.', ({ client, project }, jobId) =>
  client.getAgentJob(project.id, jobId),
)

export const agentFollow: Command = {
  name: 'agent follow',
  summary: 'Print each step of an agent job as it happens, until it ends.',
  worksOn: 'api',
  positionals: ['job'],
  flags: {
    after: { value: 'number', help: 'Only steps after the step with this number.' },
    ...PROJECT_API_FLAGS,
  },
  async run(input) {
    const after = Number(input.flag('after') ?? 0)
    if (!Number.isSafeInteger(after) || after < 0) throw new UsageError('--after must be a whole number.')
    return follow(await openProjectApi(input), input, jobArgument(input), after)
  },
}

export const agentMessage: Command = {
  name: 'agent message',
  summary: 'Send a follow-up message to an agent job, on the same branch and pull request.',
  worksOn: 'api',
  positionals: ['job', 'prompt'],
  flags: { follow: FOLLOW, ...PROJECT_API_FLAGS },
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

export const agentCancel = jobCommand(
  'agent cancel',
  'Cancel an active agent job.',
  ({ client, project }, jobId) => client.cancelAgentJob(project.id, jobId),
)

export const agentPublish = jobCommand(
  'agent publish',
  'Retry publishing the checked change of a failed job.',
  ({ client, project }, jobId) => client.publishAgentJob(project.id, jobId),
)

export const agentArchive = jobCommand(
  'agent archive',
  'Archive an agent job permanently.',
  ({ client, project }, jobId) => client.archiveAgentJob(project.id, jobId),
)

export const agentReview: Command = {
  name: 'agent review',
  summary: 'Show the changes of an agent job and the reasons for them.',
  worksOn: 'api',
  positionals: ['job'],
  flags: PROJECT_API_FLAGS,
  async run(input) {
    const { client, project } = await openProjectApi(input)
    const review = await client.getAgentReview(project.id, jobArgument(input))
    input.print.result(review, formatReview(review, project.id))
    return 0
  },
}

export const agentAccept = jobCommand(
  'agent accept',
  'Merge the change of an agent job in a repository without a forge.',
  ({ client, project }, jobId, has) =>
    client.acceptAgentJob(project.id, jobId, { confirmRisks: has('confirm-risks') }),
  { 'confirm-risks': { help: 'Confirm a change in which every file has a high risk.' } },
)

export const agentDecline = jobCommand(
  'agent decline',
  'Decline the change of an agent job in a repository without a forge.',
  ({ client, project }, jobId) => client.declineAgentJob(project.id, jobId),
)

/** Creates a command that makes one call for a job and prints the job. */
function jobCommand(
  name: string,
  summary: string,
  call: (api: Api, jobId: string, has: CommandInput['has']) => Promise<AgentJob>,
  flags: Command['flags'] = {},
): Command {
  return {
    ...{ name, summary, worksOn: 'api', positionals: ['job'], flags: { ...flags, ...PROJECT_API_FLAGS } },
    async run(input) {
      const job = await call(await openProjectApi(input), jobArgument(input), input.has)
      input.print.result(job, formatJob(job))
      return 0
    },
  }
}

/** Follows a job. With `--json`, steps go to standard error. Exit code 1 if the job failed. */
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

/** Returns the last event number of a finished job, or 0 for an active job, whose events are all shown. */
async function lastEvent({ client, project }: Api, job: string): Promise<number> {
  const { status } = await client.getAgentJob(project.id, job)
  if (status === 'active') return 0
  let last = 0
  for await (const { id } of followAgentJob(client, project.id, job)) last = id
  return last
}

function jobArgument({ positionals }: CommandInput): string {
  return positionals[0] as string
}
