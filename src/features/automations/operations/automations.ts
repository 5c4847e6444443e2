/** Automations, which start agent jobs by themselves, and their runs. */

import { type Static, Type } from 'typebox'
import { AUTOMATION_KINDS, RUN_REASONS } from '../../../base/api/form-choices.ts'
import { type Operation, PUBLIC_ROW } from '../../../base/api/operation.ts'
import { DateTime, Line, Nullable, PageQuery } from '../../../base/api/schema.ts'
import { AGENT_CAP_RANGES } from '../../agent/operations/agent-caps.ts'
import { AutomationTrigger, Patterns } from './automation-triggers.ts'

const closed = (title: string) => ({ additionalProperties: false, title })
const plain = { additionalProperties: false } as const

/** Path that receives messages: knowledge of the URL is the permission to send them. */
export const AUTOMATION_HOOK_PATH = '/hooks/automations/{automationId}/{token}'

/** Maximum number of automations per project. */
export const MAX_AUTOMATIONS = 50
/** Maximum number of runs of one automation that start or feed a job, within 24 hours. */
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
        description: 'In any 24 hours; what comes after them is skipped.',
      }),
    ),
  },
  {
    ...plain,
    description:
      "Caps of each turn of its jobs, below those of the project; what is left out is the project's.",
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
  description: 'What each job is asked to do; what began the run is told beside it.',
  examples: ['Bring the German pages up to date with the English ones that changed.'],
})
const Scope = Patterns(
  'Files below the docs folder that its jobs may change; none: all that the agent may change.',
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
  model: Nullable(Type.String({ description: "Null: the project's." })),
  dryRun: Type.Boolean({ description: 'Runs are written down with what a job would be asked; none begins.' }),
  paused: Type.Boolean(),
  madeBy: Nullable(Type.String({ description: 'Id of the key or member.' })),
  nextRunAt: Nullable(
    Type.String({ format: 'date-time', description: 'Of a schedule that is not paused; null for others.' }),
  ),
  lastRunAt: Nullable(DateTime),
  createdAt: DateTime,
  updatedAt: DateTime,
}

export const Automation = Type.Object(AUTOMATION, closed('Automation'))
export type Automation = Static<typeof Automation>

const Address = Type.String({
  description: 'Where messages are sent to; whoever knows it may send them. Shown this once.',
})

export const CreatedAutomation = Type.Object(
  { ...AUTOMATION, address: Nullable(Address) },
  closed('CreatedAutomation'),
)
export type CreatedAutomation = Static<typeof CreatedAutomation>

export const AutomationAddress = Type.Object({ address: Address }, closed('AutomationAddress'))

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
  closed('CreateAutomation'),
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
  closed('UpdateAutomation'),
)
export type UpdateAutomationBody = Static<typeof UpdateAutomationBody>

export const AutomationList = Type.Object(
  { automations: Type.Array(Automation, { maxItems: MAX_AUTOMATIONS }) },
  closed('AutomationList'),
)
export type AutomationList = Static<typeof AutomationList>

export const DeletedAutomation = Type.Object({ automationId: AutomationId }, closed('DeletedAutomation'))

export const RUN_STATES = ['started', 'added', 'skipped'] as const
export type RunState = (typeof RUN_STATES)[number]

export type RunReason = keyof typeof RUN_REASONS

export const AutomationRun = Type.Object(
  {
    runId: RunId,
    automationId: AutomationId,
    cause: Type.Enum([...AUTOMATION_KINDS, 'hand'], {
      description: '`hand`: somebody asked for it.',
    }),
    topic: Type.String({
      description: 'What it is about: one topic has one open pull request at a time.',
      examples: ['/guides/setup'],
    }),
    state: Type.Enum([...RUN_STATES], {
      description:
        '`added`: the job of this topic was at work, or its pull request open, and got a message instead.',
    }),
    reason: Nullable(Type.Enum(Object.keys(RUN_REASONS) as RunReason[])),
    jobId: Nullable(Type.String({ pattern: '^aj_[0-9a-z]+$' })),
    asked: Type.String({ description: 'What the job was asked; of a dry run, what it would have been.' }),
    createdAt: DateTime,
  },
  closed('AutomationRun'),
)
export type AutomationRun = Static<typeof AutomationRun>

export const AutomationRunList = Type.Object(
  { runs: Type.Array(AutomationRun), nextCursor: Nullable(Type.String()), hasMore: Type.Boolean() },
  closed('AutomationRunList'),
)
export type AutomationRunList = Static<typeof AutomationRunList>

export const ListRunsQuery = Type.Object({ ...PageQuery }, plain)
export type ListRunsQuery = Static<typeof ListRunsQuery>

export const TriggeredWorkflow = Type.Object(
  {
    schemaId: AutomationId,
    instanceId: RunId,
    jobId: Type.Optional(
      Type.String({ description: 'Left out when the run was skipped; its row says why.' }),
    ),
  },
  closed('TriggeredWorkflow'),
)

const Id = Type.String({ minLength: 1, maxLength: 64 })
const ProjectParams = Type.Object({ projectId: Id })
export const AutomationParams = Type.Object({ projectId: Id, automationId: Id })

const ALL = '/v2/agent/{projectId}/automations'
const ONE = `${ALL}/{automationId}` as const

/** Properties shared by most operations. */
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
    summary: 'Have agent jobs begin by themselves; the answer holds the address of a webhook, once',
    audit: 'automation.created',
    params: ProjectParams,
    body: CreateAutomationBody,
    success: {
      status: 201,
      schema: CreatedAutomation,
      headers: { Location: 'Address of the automation.' },
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
    summary: 'Change an automation, pause it, or let it go on; the kind of its trigger stays',
    audit: 'automation.updated',
    body: UpdateAutomationBody,
    success: { status: 200, schema: Automation },
  },
  deleteAutomation: {
    ...CHANGE,
    method: 'DELETE',
    path: ONE,
    summary: 'Delete an automation with its runs; its jobs stay',
    audit: 'automation.deleted',
    success: { status: 200, schema: DeletedAutomation },
  },
  renewAutomationAddress: {
    ...CHANGE,
    method: 'POST',
    path: `${ONE}/address`,
    summary: 'Give a webhook another address; the one before takes no more messages',
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
    summary: 'Run an automation now, at the address that other platforms have for it',
    audit: 'automation.run',
    params: Type.Object({ projectId: Id, workflowSchemaId: Id }),
    limit: WORK,
    secondLimit: 'projectUpdates',
    success: { status: 202, schema: TriggeredWorkflow },
  },
} as const satisfies Record<string, Operation>
