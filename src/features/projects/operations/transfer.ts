/** Transfer of a project: offered by an owner of one organization, accepted by an owner of another. */
import { type Static, Type } from 'typebox'
import { type Operation, PUBLIC_ROW } from '../../../base/api/operation.ts'
import { DateTime, Nullable, PageQuery } from '../../../base/api/schema.ts'

const closedObject = (title: string) => ({ additionalProperties: false, title })
const count = (description: string) => Type.Integer({ minimum: 0, description })

export const OFFER_DAYS = 7
export const MAX_OUTGOING_OFFERS = 20
/** Maximum number of open offers to an organization. Limited because its owners must review each offer. */
export const MAX_INCOMING_OFFERS = 200

export const TRANSFER_LOSSES = {
  webhooks:
    'Webhooks of this project and their deliveries are deleted, since they would notify the old organization.',
  push_secret: 'The secret of the push webhook is deleted. Create a new one and set it on the git host.',
  commit_key: 'The key that signs commits is deleted. Create a new one and add it to the forge.',
  git_tokens: 'Git tokens stay with the old organization. The new one needs its own to read the repository.',
  folder: 'The operator must grant access to the folder on the server again.',
  automations: 'Automations are paused, and their webhook URLs stop working.',
  domain_proofs:
    'Domains are still served but must be verified again, since the DNS record names the organization.',
  passes:
    'Passwords and signed links for readers are revoked, since people in the old organization know them.',
  members: 'Roles are not transferred. Only members of the new organization have access.',
  keys: 'API keys limited to this project are revoked. Keys limited to several projects lose access to it.',
  assignees: 'Feedback assigned to people outside the new organization becomes unassigned.',
  views: 'Saved views of feedback are deleted.',
  notifications: 'Notifications about this project are deleted.',
  review_links: 'Shared review links of agent jobs stop working.',
  previews: "Previews beyond the limit of the new organization's plan are removed.",
} as const
export type TransferLoss = keyof typeof TRANSFER_LOSSES

const Losses = Type.Array(
  Type.Object(
    {
      what: Type.Enum(Object.keys(TRANSFER_LOSSES) as TransferLoss[]),
      count: count('Number affected.'),
      text: Type.String({ description: 'Description of what is lost or changed.' }),
    },
    { additionalProperties: false },
  ),
  { description: 'What is not moved or is changed by the transfer; empty kinds are omitted.' },
)

const OFFER_FIELDS = {
  transferId: Type.String({ pattern: '^ptr_[0-9a-z]+$' }),
  projectId: Type.String(),
  name: Type.String({ description: 'Name of the project.' }),
  offeredAt: DateTime,
  expiresAt: DateTime,
}

export const TransferOffer = Type.Object(
  {
    ...OFFER_FIELDS,
    toOrganizationId: Type.String({
      description: 'ID of the new organization as entered. The response does not reveal whether it exists.',
    }),
  },
  closedObject('TransferOffer'),
)
export type TransferOffer = Static<typeof TransferOffer>

export const ProjectTransfer = Type.Object(
  {
    projectId: Type.String(),
    name: Type.String(),
    domains: Type.Array(Type.String(), {
      description: 'Domains that move with the project. The site stays online.',
    }),
    goesAlong: Type.Object(
      {
        feedback: count('Feedback entries, with their history and labels.'),
        deployments: count('Deployments, with their logs and problems.'),
        exports: count('Static exports, with their archives.'),
        agentJobs: count('Agent jobs, with their conversations.'),
        previews: count('Previews.'),
        automations: count('Automations, which are paused.'),
        codeRepositories: count('Code repositories.'),
      },
      {
        additionalProperties: false,
        description:
          'Number of items that move with the project. Settings, analytics and reader questions also move.',
      },
    ),
    losses: Losses,
    atWork: count('Deployments, exports and agent jobs that must end first.'),
    offer: Nullable(TransferOffer),
  },
  closedObject('ProjectTransfer'),
)
export type ProjectTransfer = Static<typeof ProjectTransfer>

export const IncomingTransfer = Type.Object(
  {
    ...OFFER_FIELDS,
    fromOrganization: Type.String({ description: 'Name of the organization.' }),
    domains: ProjectTransfer.properties.domains,
    goesAlong: ProjectTransfer.properties.goesAlong,
    losses: Losses,
    atWork: ProjectTransfer.properties.atWork,
  },
  closedObject('IncomingTransfer'),
)
export type IncomingTransfer = Static<typeof IncomingTransfer>

export const TransferList = Type.Object(
  {
    incoming: Type.Array(IncomingTransfer, { description: 'Newest first, paginated.' }),
    nextCursor: Nullable(
      Type.String({ description: 'Cursor for the next page of `incoming`; null at the end.' }),
    ),
    hasMore: Type.Boolean({ description: 'Whether `incoming` has more pages.' }),
    outgoing: Type.Array(TransferOffer, {
      description: `Newest first, not paginated; at most ${MAX_OUTGOING_OFFERS}.`,
    }),
  },
  closedObject('TransferList'),
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
  closedObject('TransferOutcome'),
)
export type TransferOutcome = Static<typeof TransferOutcome>

export const OfferTransferBody = Type.Object(
  {
    organizationId: Type.String({ minLength: 1, maxLength: 64, description: 'ID of the new organization.' }),
  },
  closedObject('OfferTransfer'),
)

export const TransferredProject = Type.Object(
  { projectId: Type.String(), name: Type.String() },
  closedObject('TransferredProject'),
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
    summary: 'Get what transferring a project moves and removes, and its open transfer request',
    needs: 'transfers',
    success: { status: 200, schema: ProjectTransfer },
  },
  offerTransfer: {
    ...CHANGE,
    path: '/v1/projects/{projectId}/transfer',
    summary: 'Request the transfer of a project to another organization; immediate for an owner of both',
    audit: 'project.transfer_offered',
    needsFresh: true,
    body: OfferTransferBody,
    success: { status: 200, schema: TransferOutcome },
  },
  withdrawTransfer: {
    ...CHANGE,
    method: 'DELETE',
    path: '/v1/projects/{projectId}/transfer',
    summary: 'Withdraw a transfer request',
    audit: 'project.transfer_withdrawn',
    success: { status: 200, schema: TransferOffer },
  },
  listTransfers: {
    ...ROW,
    method: 'GET',
    path: '/v1/project-transfers',
    summary: 'List transfer requests to and from the organization',
    params: null,
    query: ListQuery,
    needs: 'transfers',
    keyProjects: 'refused',
    success: { status: 200, schema: TransferList },
  },
  acceptTransfer: {
    ...CHANGE,
    path: '/v1/project-transfers/{transferId}/accept',
    summary: 'Accept a transfer request, which moves the project to this organization',
    audit: 'project.transferred',
    needsFresh: true,
    params: OfferParams,
    keyProjects: 'refused',
    success: { status: 200, schema: TransferredProject },
  },
  declineTransfer: {
    ...CHANGE,
    path: '/v1/project-transfers/{transferId}/decline',
    summary: 'Decline a transfer request',
    audit: 'project.transfer_declined',
    params: OfferParams,
    keyProjects: 'refused',
    success: { status: 200, schema: TransferredProject },
  },
} as const satisfies Record<string, Operation>
