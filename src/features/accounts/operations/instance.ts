/** Server settings that operators change on the dashboard: the language model. */
import { type Static, Type } from 'typebox'
import { type DashboardOperation, DASHBOARD_ROW as ROW } from '../../../base/api/operation.ts'
import { DateTime, Line, Nullable } from '../../../base/api/schema.ts'
import { FailedTrial } from '../../../base/api/trial.ts'

const closedObject = (title: string) => ({ additionalProperties: false, title })

export const MODEL_SETTINGS = ['model', 'modelUrl', 'modelContext', 'assistantModel', 'modelKey'] as const

const ModelName = Type.String({
  minLength: 3,
  maxLength: 200,
  pattern: '^[a-z-]+:\\S',
  examples: ['anthropic:claude-sonnet-4-5'],
})
const ModelUrl = Line(500, {
  examples: ['http://127.0.0.1:8000/v1'],
  description: "Base URL, the part before /chat/completions; null: the provider's default.",
})
const ContextTokens = Type.Integer({
  minimum: 8000,
  maximum: 10_000_000,
  description: "Size of the model's context, in tokens; null: the known size for this model.",
})

export const InstanceModel = Type.Object(
  {
    source: Type.Enum(['environment', 'dashboard', 'none'], {
      description: 'Where the model is set. Environment variables cannot be changed here.',
    }),
    variables: Type.Array(Type.String(), { description: 'Environment variables that set the model.' }),
    model: Nullable(Type.String({ description: '`<provider>:<model>`; null: agent jobs are off.' })),
    url: Nullable(Type.String()),
    contextTokens: Nullable(Type.Integer()),
    contextUsed: Nullable(Type.Integer({ description: "Tokens in the model's context." })),
    assistant: Nullable(
      Type.String({ description: 'Model that answers readers; null: the assistant is off.' }),
    ),
    key: Nullable(
      Type.Object(
        {
          source: Type.Enum(['environment', 'dashboard']),
          lastFour: Nullable(Type.String()),
          setAt: Nullable(DateTime),
          isUsable: Type.Boolean({
            description: "False if it was saved for another URL, or if the node's secret has changed since.",
          }),
        },
        { additionalProperties: false },
      ),
    ),
    changedBy: Nullable(Type.String({ description: 'Operator who last changed these settings.' })),
    changedAt: Nullable(DateTime),
    providers: Type.Array(
      Type.Object(
        {
          name: Type.String(),
          url: Nullable(Type.String({ description: 'Its URL.' })),
          needsKey: Type.Boolean(),
          hasEnvironmentKey: Type.Boolean(),
        },
        { additionalProperties: false },
      ),
    ),
  },
  closedObject('InstanceModel'),
)
export type InstanceModel = Static<typeof InstanceModel>

export const InstanceModelBody = Type.Object(
  {
    model: Nullable(ModelName),
    url: Nullable(ModelUrl),
    contextTokens: Nullable(ContextTokens),
    assistant: Nullable(ModelName),
    key: Type.Optional(
      Nullable(
        Type.String({
          minLength: 1,
          maxLength: 4000,
          description:
            "Encrypted at rest, sent only to the model's URL, and never returned. If omitted, it is unchanged, unless the URL changes; null removes it.",
        }),
      ),
    ),
  },
  closedObject('ChangeInstanceModel'),
)
export type InstanceModelBody = Static<typeof InstanceModelBody>

export const ModelConnectionTest = Type.Object(
  {
    milliseconds: Type.Integer({ minimum: 0 }),
    said: Nullable(Type.String({ description: "Beginning of the model's response." })),
    callsTools: Type.Boolean({ description: 'Whether the model can call tools, as agent jobs require.' }),
    failure: Nullable(FailedTrial),
  },
  closedObject('ModelTrial'),
)
export type ModelConnectionTest = Static<typeof ModelConnectionTest>

export const INSTANCE_OPERATIONS = {
  getInstanceModel: {
    ...ROW,
    method: 'GET',
    path: '/internal/instance/model',
    summary: 'Get the language model of the server, without its key',
    permission: 'instance',
    success: { status: 200, schema: InstanceModel },
  },
  updateInstanceModel: {
    ...ROW,
    method: 'PATCH',
    path: '/internal/instance/model',
    summary: 'Update the language model of the server; applies to all nodes within seconds',
    needsFresh: true,
    audit: 'instance.model_changed',
    permission: 'instance',
    body: InstanceModelBody,
    success: { status: 200, schema: InstanceModel },
  },
  testInstanceModel: {
    ...ROW,
    method: 'POST',
    path: '/internal/instance/model/test',
    summary: 'Test a model before it is saved',
    audit: 'instance.model_tested',
    permission: 'instance',
    body: InstanceModelBody,
    success: { status: 200, schema: ModelConnectionTest },
  },
} as const satisfies Record<string, DashboardOperation>
