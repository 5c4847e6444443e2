/** Transfer of a project to another organization: an owner of one side offers, an owner of the other accepts. */
import { type Static, Type } from 'typebox'
import { type Operation, PUBLIC_ROW } from '../../../base/api/operation.ts'
import { DateTime, Nullable, PageQuery } from '../../../base/api/schema.ts'

const closed = (title: string) => ({ additionalProperties: false, title })
const count = (description: string) => Type.Integer({ minimum: 0, description })

/** Number of days before an offer expires. */
export const OFFER_DAYS = 7
/** Maximum number of open offers from one organization. */
export const MAX_OUTGOING_OFFERS = 20
/** Maximum number of open offers to one organization from all others, since its owners have to review each. */
export const MAX_INCOMING_OFFERS = 200

/** Data that a transfer deletes or changes, in sentences that people read before they confirm. */
export const TRANSFER_LOSSES = {
  webhooks:
    'Webhooks of this project are deleted, with their deliveries: they would tell the old organization.',
  push_secret: 'The secret of the push webhook is deleted: create a new one and give it to the git host.',
  commit_key: 'The key that signs commits is deleted: make a new one, and show it to the forge.',
  git_tokens: 'Git tokens stay with the old organization: the new one needs its own to read the repository.',
  folder: 'The folder on the server has to be granted again by whoever runs the server.',
  automations: 'Automations are paused, and the addresses of those that have one stop working.',
  domain_proofs: 'Domains stay served, but have to be verified again: the DNS record names the organization.',
  passes: 'Passwords and signed links of readers end: people of the old organization have them.',
  members: 'Roles do not go along: only members of the new organization have access.',
  keys: 'API keys limited to this project alone are revoked; those limited to several lose access to it.',
  assignees: 'Feedback assigned to people who are not in the new organization loses its assignee.',
  views: 'Saved views of feedback are deleted.',
  notifications: 'Notifications about this project are deleted.',
  review_links: 'Review links of agent jobs that were given away stop working.',
  previews: 'Previews beyond what the plan of the new organization allows are removed.',
} as const
export type TransferLoss = keyof typeof TRANSFER_LOSSES

const Losses = Type.Array(
  Type.Object(
    {
      what: Type.Enum(Object.keys(TRANSFER_LOSSES) as TransferLoss[]),
      count: count('How many there are.'),
      text: Type.String({ description: 'As a sentence.' }),
    },
    { additionalProperties: false },
  ),
  { description: 'What does not go along, or not as it is; what there is none of is left out.' },
)

const OFFER = {
  transferId: Type.String({ pattern: '^ptr_[0-9a-z]+$' }),
  projectId: Type.String(),
  name: Type.String({ description: 'Of the project.' }),
  offeredAt: DateTime,
  expiresAt: DateTime,
}

export const TransferOffer = Type.Object(
  {
    ...OFFER,
    toOrganizationId: Type.String({ description: 'As it was given; whether there is one is not told.' }),
  },
  closed('TransferOffer'),
)
export type TransferOffer = Static<typeof TransferOffer>

export const ProjectTransfer = Type.Object(
  {
    projectId: Type.String(),
    name: Type.String(),
    domains: Type.Array(Type.String(), { description: 'They go along, and the site stays online.' }),
    goesAlong: Type.Object(
      {
        feedback: count('Entries of feedback, with their history and labels.'),
        deployments: count('Deployments, with their logs and problems.'),
        exports: count('Static exports, with their archives.'),
        agentJobs: count('Agent jobs, with their conversations.'),
        previews: count('Previews.'),
        automations: count('Automations, paused.'),
        codeRepositories: count('Addresses of code repositories.'),
      },
      {
        additionalProperties: false,
        description: 'Settings, analytics and questions of readers go along too.',
      },
    ),
    losses: Losses,
    atWork: count('Deployments, exports and agent jobs that have to end first.'),
    offer: Nullable(TransferOffer),
  },
  closed('ProjectTransfer'),
)
export type ProjectTransfer = Static<typeof ProjectTransfer>

export const IncomingTransfer = Type.Object(
  {
    ...OFFER,
    fromOrganization: Type.String({ description: 'Its name.' }),
    domains: ProjectTransfer.properties.domains,
    goesAlong: ProjectTransfer.properties.goesAlong,
    losses: Losses,
    atWork: ProjectTransfer.properties.atWork,
  },
  closed('IncomingTransfer'),
)
export type IncomingTransfer = Static<typeof IncomingTransfer>

export const TransferList = Type.Object(
  {
    incoming: Type.Array(IncomingTransfer, { description: 'The newest first, a page at a time.' }),
    nextCursor: Nullable(Type.String({ description: 'Of `incoming`; null when there is no more.' })),
    hasMore: Type.Boolean({ description: 'Whether `incoming` goes on.' }),
    outgoing: Type.Array(TransferOffer, {
      description: `The newest first: all of them, at most ${MAX_OUTGOING_OFFERS}.`,
    }),
  },
  closed('TransferList'),
)

export type TransferList = Static<typeof TransferList>

const ListQuery = Type.Object(PageQuery, { additionalProperties: false })
export type TransferListQuery = Static<typeof ListQuery>

export const TransferOutcome = Type.Object(
  {
    state: Type.Enum(['offered', 'transferred'], {
      description: '`transferred`: the caller is an owner of both organizations.',
    }),
    projectId: Type.String(),
    offer: Nullable(TransferOffer),
  },
  closed('TransferOutcome'),
)
export type TransferOutcome = Static<typeof TransferOutcome>

export const OfferTransferBody = Type.Object(
  { organizationId: Type.String({ minLength: 1, maxLength: 64, description: 'The new organization.' }) },
  closed('OfferTransfer'),
)

export const TransferredProject = Type.Object(
  { projectId: Type.String(), name: Type.String() },
  closed('TransferredProject'),
)
export type TransferredProject = Static<typeof TransferredProject>

const Params = Type.Object({ projectId: Type.String({ minLength: 1, maxLength: 64 }) })
const OfferParams = Type.Object({ transferId: Type.String({ minLength: 1, maxLength: 64 }) })

const ROW = {
  ...PUBLIC_ROW,
  area: 'projects',
  params: Params,
} as const
const CHANGE = {
  ...ROW,
  method: 'POST',
  needs: 'transfers',
  ofArchived: 'allowed',
  needsRoom: false,
} as const

export const TRANSFER_OPERATIONS = {
  getProjectTransfer: {
    ...ROW,
    method: 'GET',
    path: '/v1/projects/{projectId}/transfer',
    summary: 'Get what goes along with a project, what does not, and its offer',
    needs: 'transfers',
    success: { status: 200, schema: ProjectTransfer },
  },
  offerTransfer: {
    ...CHANGE,
    path: '/v1/projects/{projectId}/transfer',
    summary: 'Offer a project to another organization; an owner of both transfers it at once',
    audit: 'project.transfer_offered',
    needsFresh: true,
    body: OfferTransferBody,
    success: { status: 200, schema: TransferOutcome },
  },
  withdrawTransfer: {
    ...CHANGE,
    method: 'DELETE',
    path: '/v1/projects/{projectId}/transfer',
    summary: 'Withdraw the offer of a project',
    audit: 'project.transfer_withdrawn',
    success: { status: 200, schema: TransferOffer },
  },
  listTransfers: {
    ...ROW,
    method: 'GET',
    path: '/v1/project-transfers',
    summary: 'List offers to and from the organization',
    params: null,
    query: ListQuery,
    needs: 'transfers',
    keyProjects: 'refused',
    success: { status: 200, schema: TransferList },
  },
  acceptTransfer: {
    ...CHANGE,
    path: '/v1/project-transfers/{transferId}/accept',
    summary: 'Accept an offered project: it belongs to this organization from then on',
    audit: 'project.transferred',
    needsFresh: true,
    params: OfferParams,
    keyProjects: 'refused',
    success: { status: 200, schema: TransferredProject },
  },
  declineTransfer: {
    ...CHANGE,
    path: '/v1/project-transfers/{transferId}/decline',
    summary: 'Decline an offered project',
    audit: 'project.transfer_declined',
    params: OfferParams,
    keyProjects: 'refused',
    success: { status: 200, schema: TransferredProject },
  },
} as const satisfies Record<string, Operation>
