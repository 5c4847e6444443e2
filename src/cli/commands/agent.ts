/** `octavo agent`: jobs of the agent, through the API. */
import { followAgentJob } from '../../client/follow-agent-job.ts'
import type { AgentJob } from '../../contract/agent.ts'
import { eventLines, jobLines, reviewLines } from '../agent-lines.ts'
import { CLIENT_FLAGS, clientOf } from '../api-client.ts'
import { type Command, type CommandInput, UsageError } from '../command.ts'
import { oneLine } from '../one-line.ts'
import { table } from '../table.ts'

const FLAGS = {
  project: { value: 'id', help: 'The project (prj_…).', isRequired: true },
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
    follow: FOLLOW,
    ...FLAGS,
  },
  async run(input) {
    const [prompt = ''] = input.positionals
    const feedbackIds = listOf(input.flag('feedback'))
    const body = { prompt, ...(feedbackIds === null ? {} : { feedbackIds }) }
    const options = { idempotencyKey: crypto.randomUUID() }
    const job = await clientOf(input.flag).createAgentJob(projectOf(input), body, options)
    if (input.has('follow')) return follow(input, job.id, 0)
    input.print.result(job, jobLines(job))
    return 0
  },
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
    const page = await clientOf(input.flag).listAgentJobs(projectOf(input), {
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
        ? ['There is no agent job yet: octavo agent run "…"']
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
  run: (input) => showJob(input, (client) => client.getAgentJob(projectOf(input), jobOf(input))),
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
    return follow(input, jobOf(input), after)
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
    const client = clientOf(input.flag)
    const after = input.has('follow') ? await lastEvent(input) : 0
    const options = { idempotencyKey: crypto.randomUUID() }
    const job = await client.sendAgentMessage(projectOf(input), jobOf(input), { prompt }, options)
    if (input.has('follow')) return follow(input, job.id, after)
    input.print.result(job, jobLines(job))
    return 0
  },
}

export const agentCancel: Command = {
  name: 'agent cancel',
  summary: 'Stop an agent job that is active.',
  worksOn: 'api',
  positionals: ['job'],
  flags: FLAGS,
  run: (input) => showJob(input, (client) => client.cancelAgentJob(projectOf(input), jobOf(input))),
}

export const agentArchive: Command = {
  name: 'agent archive',
  summary: 'Put an agent job away for good.',
  worksOn: 'api',
  positionals: ['job'],
  flags: FLAGS,
  run: (input) => showJob(input, (client) => client.archiveAgentJob(projectOf(input), jobOf(input))),
}

export const agentReview: Command = {
  name: 'agent review',
  summary: 'Show what an agent job has changed, and why.',
  worksOn: 'api',
  positionals: ['job'],
  flags: FLAGS,
  async run(input) {
    const review = await clientOf(input.flag).getAgentReview(projectOf(input), jobOf(input))
    input.print.result(review, reviewLines(review))
    return 0
  },
}

export const agentAccept: Command = {
  name: 'agent accept',
  summary: 'Merge the change of an agent job, for a repository without a forge.',
  worksOn: 'api',
  positionals: ['job'],
  flags: FLAGS,
  run: (input) => showJob(input, (client) => client.acceptAgentJob(projectOf(input), jobOf(input))),
}

export const agentDecline: Command = {
  name: 'agent decline',
  summary: 'Decline the change of an agent job, for a repository without a forge.',
  worksOn: 'api',
  positionals: ['job'],
  flags: FLAGS,
  run: (input) => showJob(input, (client) => client.declineAgentJob(projectOf(input), jobOf(input))),
}

async function showJob(
  { flag, print }: CommandInput,
  ask: (client: ReturnType<typeof clientOf>) => Promise<AgentJob>,
): Promise<number> {
  const job = await ask(clientOf(flag))
  print.result(job, jobLines(job))
  return 0
}

/** With `--json` the steps are remarks and the job is the document. A job that failed is exit code 1. */
async function follow(input: CommandInput, id: string, after: number): Promise<number> {
  const { print } = input
  const client = clientOf(input.flag)
  if (!print.isJson) print.note(`Following ${id}`)
  for await (const { event } of followAgentJob(client, projectOf(input), id, { after })) {
    for (const line of eventLines(event)) print.note(line)
  }
  const job = await client.getAgentJob(projectOf(input), id)
  print.result(job, jobLines(job))
  return job.status === 'failed' ? 1 : 0
}

/** Number of the last step of a job that is over; 0 of one that is at work, whose steps are all of interest. */
async function lastEvent(input: CommandInput): Promise<number> {
  const client = clientOf(input.flag)
  const { status } = await client.getAgentJob(projectOf(input), jobOf(input))
  if (status === 'active') return 0
  let last = 0
  for await (const { id } of followAgentJob(client, projectOf(input), jobOf(input))) last = id
  return last
}

function projectOf({ flag }: CommandInput): string {
  return flag('project') as string
}

function jobOf({ positionals }: CommandInput): string {
  return positionals[0] as string
}

function listOf(text: string | undefined): string[] | null {
  if (text === undefined) return null
  const ids = text
    .split(',')
    .map((id) => id.trim())
    .filter((id) => id !== '')
  if (ids.length === 0) throw new UsageError('--feedback names no entry.')
  return ids
}
