/** Operations on the server itself for its operators on the dashboard: the language model. */
import { type Static, Type } from 'typebox'
import { type DashboardOperation, DASHBOARD_ROW as ROW } from '../../../base/api/operation.ts'
import { DateTime, Line, Nullable } from '../../../base/api/schema.ts'
import { FailedTrial } from '../../../base/api/trial.ts'

const closed = (title: string) => ({ additionalProperties: false, title })

/** Settings that operators can change, by their names in the configuration. */
export const MODEL_SETTINGS = ['model', 'modelUrl', 'modelContext', 'assistantModel', 'modelKey'] as const

const ModelName = Type.String({
  minLength: 3,
  maxLength: 200,
  pattern: '^[a-z-]+:\\S',
  examples: ['anthropic:claude-sonnet-4-5'],
})
const ModelUrl = Line(500, {
  examples: ['http://127.0.0.1:8000/v1'],
  description: 'The part before /chat/completions; null: the own address of the provider.',
})
const ContextTokens = Type.Integer({
  minimum: 8000,
  maximum: 10_000_000,
  description: 'Tokens that the model takes at once; null: what is known of it.',
})

export const InstanceModel = Type.Object(
  {
    source: Type.Enum(['environment', 'dashboard', 'none'], {
      description: 'What says it. What the environment says is not changed here.',
    }),
    variables: Type.Array(Type.String(), { description: 'Of the environment, that say it.' }),
    model: Nullable(Type.String({ description: '`<provider>:<model>`; null: agent jobs are off.' })),
    url: Nullable(Type.String()),
    contextTokens: Nullable(Type.Integer()),
    contextUsed: Nullable(Type.Integer({ description: 'What counts for the model.' })),
    assistant: Nullable(Type.String({ description: 'Answers readers; null: the assistant is off.' })),
    key: Nullable(
      Type.Object(
        {
          source: Type.Enum(['environment', 'dashboard']),
          lastFour: Nullable(Type.String()),
          setAt: Nullable(DateTime),
          isUsable: Type.Boolean({
            description:
              'False when it was given for another address, or the secret of the node is another one.',
          }),
        },
        { additionalProperties: false },
      ),
    ),
    changedBy: Nullable(Type.String({ description: 'Name of the operator who changed it last.' })),
    changedAt: Nullable(DateTime),
    providers: Type.Array(
      Type.Object(
        {
          name: Type.String(),
          url: Nullable(Type.String({ description: 'Its own address.' })),
          needsKey: Type.Boolean(),
          hasEnvironmentKey: Type.Boolean(),
        },
        { additionalProperties: false },
      ),
    ),
  },
  closed('InstanceModel'),
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
            'Sealed at rest, sent to the address of the model only, in no answer. Left out: stays, unless the address is another one; null: is taken away.',
        }),
      ),
    ),
  },
  closed('ChangeInstanceModel'),
)
export type InstanceModelBody = Static<typeof InstanceModelBody>

export const ModelConnectionTest = Type.Object(
  {
    milliseconds: Type.Integer({ minimum: 0 }),
    said: Nullable(Type.String({ description: 'The beginning of its answer; text of the model.' })),
    callsTools: Type.Boolean({ description: 'As agent jobs need it.' }),
    failure: Nullable(FailedTrial),
  },
  closed('ModelTrial'),
)
export type ModelConnectionTest = Static<typeof ModelConnectionTest>

export const INSTANCE_OPERATIONS = {
  getInstanceModel: {
    ...ROW,
    method: 'GET',
    path: '/internal/instance/model',
    summary: 'The language model of the server, without its key',
    permission: 'instance',
    success: { status: 200, schema: InstanceModel },
  },
  updateInstanceModel: {
    ...ROW,
    method: 'PATCH',
    path: '/internal/instance/model',
    summary: 'Change the language model of the server, on all its nodes within seconds',
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
    summary: 'Ask a model one small question before it is saved',
    audit: 'instance.model_tested',
    permission: 'instance',
    body: InstanceModelBody,
    success: { status: 200, schema: ModelConnectionTest },
  },
} as const satisfies Record<string, DashboardOperation>
