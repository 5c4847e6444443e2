/** A project's settings for its agent jobs, as the dashboard reads and changes them. */
import { type Static, Type } from 'typebox'
import { EFFORTS } from '../../../base/api/form-choices.ts'
import { DISALLOWED_IN_LINES } from '../../../base/api/line.ts'
import { Line, Nullable } from '../../../base/api/schema.ts'
import { AGENT_CAP_RANGES, type AgentCap } from './agent-caps.ts'

const cap = (name: AgentCap) =>
  Type.Integer({ minimum: AGENT_CAP_RANGES[name][0], maximum: AGENT_CAP_RANGES[name][1] })

const ModelName = Line(200, { examples: ['anthropic:claude-sonnet-4-5'] })

const MAX_HOSTS = 20
const HOST = /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/
/** Name of one account or label on a forge, without separators. An email address is not allowed. */
const FORGE_NAME = `^[^\\s,/@${DISALLOWED_IN_LINES}][^,${DISALLOWED_IN_LINES}]*$`

const SETTINGS = {
  model: ModelName,
  models: Type.Array(ModelName, {
    maxItems: 20,
    uniqueItems: true,
    description: "Models that a job can be started with, in addition to the project's model.",
    examples: [['anthropic:claude-opus-4-5', 'anthropic:claude-haiku-4-5']],
  }),
  efforts: Type.Array(Type.Enum([...EFFORTS]), {
    maxItems: EFFORTS.length,
    uniqueItems: true,
    description: 'Reasoning efforts that a job can be started with.',
  }),
  style: Type.String({
    minLength: 1,
    maxLength: 4000,
    description: 'Style instructions for the agent.',
  }),
  hosts: Type.Array(
    Type.String({
      pattern: HOST.source,
      description: 'A host name in lower case, without scheme, port or path.',
      examples: ['developer.mozilla.org'],
    }),
    {
      maxItems: MAX_HOSTS,
      uniqueItems: true,
      description: 'Hosts whose pages the agent can read. Default: none.',
    },
  ),
  answersReviews: Type.Boolean({
    default: true,
    description: 'Whether review comments on pull requests by the agent start new turns of its jobs.',
  }),
  asksBack: Type.Boolean({
    default: true,
    description:
      'Whether the agent can ask questions while it works. The job stays active until someone replies. The agent never asks in jobs started by automations or in turns started by reviewers.',
  }),
  selfReview: Type.Boolean({
    default: true,
    description: 'Whether the agent reviews its whole change before publishing it.',
  }),
  drafts: Type.Boolean({
    default: false,
    description: 'Whether the agent opens its pull requests as drafts.',
  }),
  reviewers: Type.Array(Type.String({ minLength: 1, maxLength: 100, pattern: FORGE_NAME }), {
    maxItems: 20,
    description:
      'Reviewers to request on pull requests by the agent: user names, `organization/team` for teams on GitHub, Gitea and Forgejo, or `{uuid}` of an account on Bitbucket.',
    examples: [['ann', 'acme/docs']],
  }),
  labels: Type.Array(Type.String({ minLength: 1, maxLength: 100, pattern: FORGE_NAME }), {
    maxItems: 20,
    description: 'Labels to add to pull requests by the agent. Not supported by Bitbucket.',
    examples: [['documentation']],
  }),
  names: Type.Array(
    Type.String({
      minLength: 2,
      maxLength: 100,
      pattern: `^[^\\s${DISALLOWED_IN_LINES}](?:[^${DISALLOWED_IN_LINES}]*[^\\s${DISALLOWED_IN_LINES}])?$`,
    }),
    {
      maxItems: 200,
      description:
        'Names with a required spelling, in addition to the name of the site and its APIs. Any other spelling in a change is reported as a problem.',
      examples: [['PostgreSQL', 'Acme Cloud']],
    },
  ),
  externalLinks: Type.Boolean({
    default: false,
    description: 'Whether the server checks external links added by a change before publishing it.',
  }),
  commitAuthor: Line(200, {
    pattern: `^[^<>${DISALLOWED_IN_LINES}]+ <[^<>\\s${DISALLOWED_IN_LINES}]+@[^<>\\s${DISALLOWED_IN_LINES}]+>$`,
    description:
      'Author of commits by the agent, as `name <email>`. Forges show signed commits as verified if the email address belongs to the account with the signing key.',
    examples: ['Acme Docs <docs-bot@acme.example>'],
  }),
  signsOff: Type.Boolean({
    default: false,
    description: 'Whether commits by the agent end with a `Signed-off-by` trailer that names their author.',
  }),
  namesAskers: Type.Boolean({
    default: false,
    description:
      'Whether commits by the agent end with a `Co-authored-by` trailer, with name and email address, for each member who requested the change.',
  }),
  steps: cap('steps'),
  tokens: cap('tokens'),
  minutes: cap('minutes'),
  files: cap('files'),
  bytes: cap('bytes'),
}

export const AgentChoice = Type.Partial(Type.Object(SETTINGS), {
  additionalProperties: false,
  description: "Chosen settings; omitted ones use the operator's default.",
})
export type AgentChoice = Static<typeof AgentChoice>

export type AgentChoiceChange = { [Name in keyof AgentChoice]: AgentChoice[Name] | null }
export const AgentChoiceChange = Type.Unsafe<AgentChoiceChange>(
  Type.Partial(
    Type.Object(
      Object.fromEntries(Object.entries(SETTINGS).map(([name, schema]) => [name, Nullable(schema)])),
    ),
    { additionalProperties: false, description: "Null restores the operator's default." },
  ),
)
