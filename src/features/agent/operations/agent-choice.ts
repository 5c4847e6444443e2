/** A project's settings for its agent jobs, as the dashboard reads and changes them. */
import { type Static, Type } from 'typebox'
import { EFFORTS } from '../../../base/api/form-choices.ts'
import { DISALLOWED_IN_LINES } from '../../../base/api/line.ts'
import { Line, Nullable } from '../../../base/api/schema.ts'
import { AGENT_CAP_RANGES, type AgentCap } from './agent-caps.ts'

const cap = (name: AgentCap) =>
  Type.Integer({ minimum: AGENT_CAP_RANGES[name][0], maximum: AGENT_CAP_RANGES[name][1] })

const ModelName = Line(200, { examples: ['anthropic:claude-sonnet-4-5'] })

const AgentStyle = Type.String({
  minLength: 1,
  maxLength: 4000,
  description: 'How the documentation is to be written, in words for the agent.',
})

const MAX_HOSTS = 20
const HOST = /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/
const Hosts = Type.Array(
  Type.String({
    pattern: HOST.source,
    description: 'A host name in lower case, without scheme, port and path.',
    examples: ['developer.mozilla.org'],
  }),
  {
    maxItems: MAX_HOSTS,
    uniqueItems: true,
    description: 'Hosts whose pages the agent may read while it works; none when left out.',
  },
)

const AnswersReviews = Type.Boolean({
  default: true,
  description: 'Whether comments of reviewers on its pull requests become turns of its jobs.',
})

const SelfReview = Type.Boolean({
  default: true,
  description: 'Whether the agent looks over its whole change once more before it is published.',
})

const Drafts = Type.Boolean({
  default: false,
  description: 'Whether its pull requests are opened as drafts, for a person to call ready.',
})

/** A single account or label name at a forge: no separators, and not an e-mail address. */
const FORGE_NAME = `^[^\\s,/@${DISALLOWED_IN_LINES}][^,${DISALLOWED_IN_LINES}]*$`

const Reviewers = Type.Array(Type.String({ minLength: 1, maxLength: 100, pattern: FORGE_NAME }), {
  maxItems: 20,
  description:
    'Who is asked to review its pull requests: user names of the forge, `organization/team` for a team at GitHub, Gitea and Forgejo, `{uuid}` of an account at Bitbucket.',
  examples: [['ann', 'acme/docs']],
})

const Labels = Type.Array(Type.String({ minLength: 1, maxLength: 100, pattern: FORGE_NAME }), {
  maxItems: 20,
  description: 'Labels that its pull requests get. Bitbucket has none.',
  examples: [['documentation']],
})

const Names = Type.Array(
  Type.String({
    minLength: 2,
    maxLength: 100,
    pattern: `^[^\\s${DISALLOWED_IN_LINES}](?:[^${DISALLOWED_IN_LINES}]*[^\\s${DISALLOWED_IN_LINES}])?$`,
  }),
  {
    maxItems: 200,
    description:
      'Names as the documentation has to write them, beside the name of the site and those of its APIs: another spelling in a change is a problem.',
    examples: [['PostgreSQL', 'Acme Cloud']],
  },
)

const ExternalLinks = Type.Boolean({
  default: false,
  description:
    'Whether the server asks the addresses of other sites that a change brings, before it is published.',
})

const AsksBack = Type.Boolean({
  default: true,
  description:
    'Whether the agent may ask a question back while it works; the job stays active until a message answers it. Jobs of automations and turns of reviewers never ask.',
})

const Models = Type.Array(ModelName, {
  maxItems: 20,
  uniqueItems: true,
  description: 'Models that a job may be started with, beside that of the project.',
  examples: [['anthropic:claude-opus-4-5', 'anthropic:claude-haiku-4-5']],
})

const Efforts = Type.Array(Type.Enum([...EFFORTS]), {
  maxItems: EFFORTS.length,
  uniqueItems: true,
  description: 'Efforts of thinking that a job may be started with.',
})

const CommitAuthor = Line(200, {
  pattern: `^[^<>${DISALLOWED_IN_LINES}]+ <[^<>\\s${DISALLOWED_IN_LINES}]+@[^<>\\s${DISALLOWED_IN_LINES}]+>$`,
  description:
    'As whom its commits are made, `name <e-mail>`. A forge calls signed commits verified when the address belongs to the account that has the signing key.',
  examples: ['Acme Docs <docs-bot@acme.example>'],
})

const SignsOff = Type.Boolean({
  default: false,
  description: 'Whether its commits end with `Signed-off-by`, in the name of their author.',
})

const NamesAskers = Type.Boolean({
  default: false,
  description:
    'Whether its commits end with `Co-authored-by` for each member who asked for the change, with name and e-mail address.',
})

export const AgentChoice = Type.Object(
  {
    model: Type.Optional(ModelName),
    models: Type.Optional(Models),
    efforts: Type.Optional(Efforts),
    style: Type.Optional(AgentStyle),
    hosts: Type.Optional(Hosts),
    answersReviews: Type.Optional(AnswersReviews),
    asksBack: Type.Optional(AsksBack),
    selfReview: Type.Optional(SelfReview),
    drafts: Type.Optional(Drafts),
    reviewers: Type.Optional(Reviewers),
    labels: Type.Optional(Labels),
    names: Type.Optional(Names),
    externalLinks: Type.Optional(ExternalLinks),
    commitAuthor: Type.Optional(CommitAuthor),
    signsOff: Type.Optional(SignsOff),
    namesAskers: Type.Optional(NamesAskers),
    steps: Type.Optional(cap('steps')),
    tokens: Type.Optional(cap('tokens')),
    minutes: Type.Optional(cap('minutes')),
    files: Type.Optional(cap('files')),
    bytes: Type.Optional(cap('bytes')),
  },
  { additionalProperties: false, description: "What was chosen; what is left out is the operator's." },
)
export type AgentChoice = Static<typeof AgentChoice>

const capChange = (name: AgentCap) => Type.Optional(Nullable(cap(name)))

export const AgentChoiceChange = Type.Object(
  {
    model: Type.Optional(Nullable(ModelName)),
    models: Type.Optional(Nullable(Models)),
    efforts: Type.Optional(Nullable(Efforts)),
    style: Type.Optional(Nullable(AgentStyle)),
    hosts: Type.Optional(Nullable(Hosts)),
    answersReviews: Type.Optional(Nullable(AnswersReviews)),
    asksBack: Type.Optional(Nullable(AsksBack)),
    selfReview: Type.Optional(Nullable(SelfReview)),
    drafts: Type.Optional(Nullable(Drafts)),
    reviewers: Type.Optional(Nullable(Reviewers)),
    labels: Type.Optional(Nullable(Labels)),
    names: Type.Optional(Nullable(Names)),
    externalLinks: Type.Optional(Nullable(ExternalLinks)),
    commitAuthor: Type.Optional(Nullable(CommitAuthor)),
    signsOff: Type.Optional(Nullable(SignsOff)),
    namesAskers: Type.Optional(Nullable(NamesAskers)),
    steps: capChange('steps'),
    tokens: capChange('tokens'),
    minutes: capChange('minutes'),
    files: capChange('files'),
    bytes: capChange('bytes'),
  },
  { additionalProperties: false, description: "Null goes back to the operator's." },
)
