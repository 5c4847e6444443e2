/** What a project chooses for its agent jobs, as the dashboard reads and changes it. */
import { Type } from 'typebox'
import { AGENT_CAP_RANGES, type AgentCap } from './agent-caps.ts'
import { Nullable } from './schema.ts'

const cap = (name: AgentCap) =>
  Type.Integer({ minimum: AGENT_CAP_RANGES[name][0], maximum: AGENT_CAP_RANGES[name][1] })

const ModelName = Type.String({ minLength: 1, maxLength: 200, examples: ['anthropic:claude-sonnet-4-5'] })

const AgentStyle = Type.String({
  minLength: 1,
  maxLength: 4000,
  description: 'How the documentation is to be written, in words for the agent.',
})

const AnswersReviews = Type.Boolean({
  default: true,
  description: 'Whether comments of reviewers on its pull requests become turns of its jobs.',
})

const SelfReview = Type.Boolean({
  default: true,
  description: 'Whether the agent looks over its whole change once more before it is published.',
})

export const AgentChoice = Type.Object(
  {
    model: Type.Optional(ModelName),
    style: Type.Optional(AgentStyle),
    answersReviews: Type.Optional(AnswersReviews),
    selfReview: Type.Optional(SelfReview),
    steps: Type.Optional(cap('steps')),
    tokens: Type.Optional(cap('tokens')),
    minutes: Type.Optional(cap('minutes')),
    files: Type.Optional(cap('files')),
    bytes: Type.Optional(cap('bytes')),
  },
  { additionalProperties: false, description: "What was chosen; what is left out is the operator's." },
)

const wantedCap = (name: AgentCap) => Type.Optional(Nullable(cap(name)))

export const AgentChoiceChange = Type.Object(
  {
    model: Type.Optional(Nullable(ModelName)),
    style: Type.Optional(Nullable(AgentStyle)),
    answersReviews: Type.Optional(Nullable(AnswersReviews)),
    selfReview: Type.Optional(Nullable(SelfReview)),
    steps: wantedCap('steps'),
    tokens: wantedCap('tokens'),
    minutes: wantedCap('minutes'),
    files: wantedCap('files'),
    bytes: wantedCap('bytes'),
  },
  { additionalProperties: false, description: "Null goes back to the operator's." },
)
