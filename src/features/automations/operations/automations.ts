/** Automations, which start agent jobs on events and schedules, and their runs. */

import { type Static, Type } from 'typebox'
import { AUTOMATION_KINDS, RUN_REASONS } from '../../../base/api/form-choices.ts'
import { type Operation, PUBLIC_ROW } from '../../../base/api/operation.ts'
import { DateTime, Line, Nullable, PageQuery } from '../../../base/api/schema.ts'
import { AGENT_CAP_RANGES } from '../../agent/operations/agent-caps.ts'
import { AutomationTrigger, Patterns } from './automation-triggers.ts'

const closedObject = (title: string) => ({ additionalProperties: false, title })
const plain = { additionalProperties: false } as const

/** Path that receives messages. The secret token in the URL is the only authorization. */
export const AUTOMATION_HOOK_PATH = '/hooks/automations/{automationId}/{token}'

export const MAX_AUTOMATIONS = 50
/** Maximum number of runs per automation within 24 hours that start a job or send it a message. */
export const MAX_RUNS_PER_DAY = 500

const cap = (name: 'steps' | 'minutes' | 'tokens') =>
  Type.Optional(Type.Integer({ minimum: AGENT_CAP_RANGES[name][0], maximum: AGENT_CAP_RANGES[name][1] }))

export const AutomationBudget = Type.Object(
  {
    steps: cap('steps'),
    minutes: cap('minutes'),
    tokens: cap('tokens'),
    runsPerDay: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_RUNS_PER_DAY,
        default: MAX_RUNS_PER_DAY,
        description: 'Maximum number of runs per 24 hours; further runs are skipped.',
      }),
    ),
  },
  {
    ...plain,
    description: "Limits of each turn of its jobs, at most the project's. Default: the project's limits.",
  },
)
export type AutomationBudget = Static<typeof AutomationBudget>

const AutomationId = Type.String({ pattern: '^aut_[0-9a-z]+$', examples: ['aut_01jd4q8r6v0000000000000000'] })
const RunId = Type.String({ pattern: '^arn_[0-9a-z]+$', examples: ['arn_01jd4q8r6v0000000000000000'] })
const Name = Line(120)
const Prompt = Type.String({
  minLength: 1,
  maxLength: 10_000,
  pattern: '\\S',
  description: 'Prompt of each job. The event that triggered the run is added to it.',
  examples: ['Bring the German pages up to date with the English ones that changed.'],
})
const Scope = Patterns(
  'Files in the docs folder that its jobs can change. Empty: all files that the agent can change.',
  ['de/**', 'docs.json'],
)
const Model = Line(200, { examples: ['anthropic:claude-sonnet-4-5'] })

const AUTOMATION = {
  automationId: AutomationId,
  projectId: Type.String(),
  name: Name,
  trigger: AutomationTrigger,
  prompt: Prompt,
  scope: Scope,
  budget: AutomationBudget,
  model: Nullable(Type.String({ description: "Null: the project's model." })),
  dryRun: Type.Boolean({ description: 'Runs record the prompt of the job but do not start it.' }),
  paused: Type.Boolean(),
  madeBy: Nullable(Type.String({ description: 'ID of the key or member.' })),
  nextRunAt: Nullable(
    Type.String({
      format: 'date-time',
      description: 'Next run of a schedule that is not paused; otherwise null.',
    }),
  ),
  lastRunAt: Nullable(DateTime),
  createdAt: DateTime,
  updatedAt: DateTime,
}

export const Automation = Type.Object(AUTOMATION, closedObject('Automation'))
export type Automation = Static<typeof Automation>

const Address = Type.String({
  description: 'URL that accepts messages from anyone who knows it. Shown only once.',
})

export const CreatedAutomation = Type.Object(
  { ...AUTOMATION, address: Nullable(Address) },
  closedObject('CreatedAutomation'),
)
export type CreatedAutomation = Static<typeof CreatedAutomation>

export const AutomationAddress = Type.Object({ address: Address }, closedObject('AutomationAddress'))

export const CreateAutomationBody = Type.Object(
  {
    name: Name,
    trigger: AutomationTrigger,
    prompt: Prompt,
    scope: Type.Optional(Scope),
    budget: Type.Optional(AutomationBudget),
    model: Type.Optional(Nullable(Model)),
    dryRun: Type.Optional(Type.Boolean({ default: false })),
    paused: Type.Optional(Type.Boolean({ default: false })),
  },
  closedObject('CreateAutomation'),
)
export type CreateAutomationBody = Static<typeof CreateAutomationBody>

export const UpdateAutomationBody = Type.Object(
  {
    name: Type.Optional(Name),
    trigger: Type.Optional(AutomationTrigger),
    prompt: Type.Optional(Prompt),
    scope: Type.Optional(Scope),
    budget: Type.Optional(AutomationBudget),
    model: Type.Optional(Nullable(Model)),
    dryRun: Type.Optional(Type.Boolean()),
    paused: Type.Optional(Type.Boolean()),
  },
  closedObject('UpdateAutomation'),
)
export type UpdateAutomationBody = Static<typeof UpdateAutomationBody>

export const AutomationList = Type.Object(
  { automations: Type.Array(Automation, { maxItems: MAX_AUTOMATIONS }) },
  closedObject('AutomationList'),
)
export type AutomationList = Static<typeof AutomationList>

export const DeletedAutomation = Type.Object(
  { automationId: AutomationId },
  closedObject('DeletedAutomation'),
)

export const RUN_STATES = ['started', 'added', 'skipped'] as const
export type RunState = (typeof RUN_STATES)[number]

export type RunReason = keyof typeof RUN_REASONS

export const AutomationRun = Type.Object(
  {
    runId: RunId,
    automationId: AutomationId,
    cause: Type.Enum([...AUTOMATION_KINDS, 'hand'], {
      description: '`hand`: started manually by a person.',
    }),
    topic: Type.String({
      description: 'Topic of the message; each topic has at most one open pull request.',
      examples: ['/guides/setup'],
    }),
    state: Type.Enum([...RUN_STATES], {
      description:
        '`added`: the topic already had an active job or open pull request, and its job received a message.',
    }),
    reason: Nullable(Type.Enum(Object.keys(RUN_REASONS) as RunReason[])),
    jobId: Nullable(Type.String({ pattern: '^aj_[0-9a-z]+$' })),
    asked: Type.String({
      description: 'Prompt of the job; in a dry run, the prompt that the job would have received.',
    }),
    createdAt: DateTime,
  },
  closedObject('AutomationRun'),
)
export type AutomationRun = Static<typeof AutomationRun>

export const AutomationRunList = Type.Object(
  { runs: Type.Array(AutomationRun), nextCursor: Nullable(Type.String()), hasMore: Type.Boolean() },
  closedObject('AutomationRunList'),
)
export type AutomationRunList = Static<typeof AutomationRunList>

export const ListRunsQuery = Type.Object({ ...PageQuery }, plain)
export type ListRunsQuery = Static<typeof ListRunsQuery>

export const TriggeredWorkflow = Type.Object(
  {
    schemaId: AutomationId,
    instanceId: RunId,
    jobId: Type.Optional(
      Type.String({ description: 'Omitted if the run was skipped; the run states the reason.' }),
    ),
  },
  closedObject('TriggeredWorkflow'),
)

const Id = Type.String({ minLength: 1, maxLength: 64 })
const ProjectParams = Type.Object({ projectId: Id })
export const AutomationParams = Type.Object({ projectId: Id, automationId: Id })

const ALL = '/v2/agent/{projectId}/automations'
const ONE = `${ALL}/{automationId}` as const

const ROW = {
  ...PUBLIC_ROW,
  area: 'agent',
  params: AutomationParams,
} as const
const CHANGE = { ...ROW } as const
/** Manual runs share the rate limit of agent jobs. */
const WORK = { name: 'agentJobs', counts: 'accepted' } as const

export const AUTOMATION_OPERATIONS = {
  listAutomations: {
    ...ROW,
    method: 'GET',
    path: ALL,
    summary: 'List the automations of a project, newest first',
    params: ProjectParams,
    success: { status: 200, schema: AutomationList },
  },
  createAutomation: {
    ...CHANGE,
    method: 'POST',
    path: ALL,
    summary: 'Create an automation; the URL of a webhook is returned only once',
    audit: 'automation.created',
    params: ProjectParams,
    body: CreateAutomationBody,
    success: {
      status: 201,
      schema: CreatedAutomation,
      headers: { Location: 'URL of the automation.' },
      isSecret: true,
    },
  },
  getAutomation: {
    ...ROW,
    method: 'GET',
    path: ONE,
    summary: 'Get an automation',
    success: { status: 200, schema: Automation },
  },
  updateAutomation: {
    ...CHANGE,
    method: 'PATCH',
    path: ONE,
    summary: 'Update, pause or resume an automation; the kind of its trigger cannot change',
    audit: 'automation.updated',
    body: UpdateAutomationBody,
    success: { status: 200, schema: Automation },
  },
  deleteAutomation: {
    ...CHANGE,
    method: 'DELETE',
    path: ONE,
    summary: 'Delete an automation and its runs, but not its jobs',
    audit: 'automation.deleted',
    success: { status: 200, schema: DeletedAutomation },
  },
  renewAutomationAddress: {
    ...CHANGE,
    method: 'POST',
    path: `${ONE}/address`,
    summary: "Replace the URL of an automation's webhook; the previous one stops working",
    audit: 'automation.address_renewed',
    success: { status: 200, schema: AutomationAddress, isSecret: true },
  },
  runAutomation: {
    ...CHANGE,
    method: 'POST',
    path: `${ONE}/run`,
    summary: 'Run an automation now',
    audit: 'automation.run',
    limit: WORK,
    success: { status: 202, schema: AutomationRun },
  },
  listAutomationRuns: {
    ...ROW,
    method: 'GET',
    path: `${ONE}/runs`,
    summary: 'List the runs of an automation, newest first',
    query: ListRunsQuery,
    success: { status: 200, schema: AutomationRunList },
  },
  triggerWorkflow: {
    ...CHANGE,
    method: 'POST',
    path: '/v1/workflow/{projectId}/{workflowSchemaId}/trigger',
    summary: 'Run an automation now, through its webhook URL',
    audit: 'automation.run',
    params: Type.Object({ projectId: Id, workflowSchemaId: Id }),
    limit: WORK,
    secondLimit: 'projectUpdates',
    success: { status: 202, schema: TriggeredWorkflow },
  },
} as const satisfies Record<string, Operation>
