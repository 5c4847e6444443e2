/**
 * Access to a site: public, or restricted to holders of a password or signed link and to organization
 * members.
 */

import { type Static, Type } from 'typebox'
import { MAX_LINK_DAYS, SITE_PASSWORD_LENGTHS } from '../../../base/api/form-limits.ts'
import { type DashboardOperation, DASHBOARD_ROW as ROW } from '../../../base/api/operation.ts'
import { DateTime, Line, Nullable } from '../../../base/api/schema.ts'
import { ProjectParams } from '../../projects/operations/projects.ts'

const closedObject = (title: string) => ({ additionalProperties: false, title })

export const ACCESS_PATH = '/_octavo/access'
/** Path to which the dashboard sends members back. */
export const ACCESS_ENTER_PATH = `${ACCESS_PATH}/enter`
export const ACCESS_MEMBERS_PATH = `${ACCESS_PATH}/members`
export const ACCESS_LEAVE_PATH = `${ACCESS_PATH}/leave`
export const ACCESS_PATHS: ReadonlySet<string> = new Set([
  ACCESS_PATH,
  ACCESS_ENTER_PATH,
  ACCESS_MEMBERS_PATH,
  ACCESS_LEAVE_PATH,
])
/** Dashboard page that sends a member back to a site. */
export const OPEN_SITE_PATH = '/open-site'

export const MAX_SITE_PASSWORDS = 5
export const MAX_SITE_LINKS = 200

export const SitePass = Type.Object(
  {
    passId: Type.String(),
    kind: Type.Enum(['password', 'link']),
    name: Type.String(),
    groups: Type.Array(Type.String(), {
      description: 'Page groups that the password or link gives access to, sorted.',
    }),
    expiresAt: Nullable(DateTime),
    createdAt: DateTime,
  },
  closedObject('SitePass'),
)
export type SitePass = Static<typeof SitePass>

export const SiteAccessState = Type.Object(
  {
    isPrivate: Type.Boolean({ description: 'Whether only readers with access can read the site.' }),
    admitsMembers: Type.Boolean({ description: 'Members of the organization can sign in to read the site.' }),
    passes: Type.Array(SitePass, { description: 'Newest first.' }),
  },
  closedObject('SiteAccess'),
)
export type SiteAccessState = Static<typeof SiteAccessState>

export const UpdateSiteAccessBody = Type.Object(
  { isPrivate: Type.Optional(Type.Boolean()), admitsMembers: Type.Optional(Type.Boolean()) },
  closedObject('UpdateSiteAccess'),
)
export type UpdateSiteAccessBody = Static<typeof UpdateSiteAccessBody>

const PassGroups = Type.Optional(
  Type.Array(Type.String({ minLength: 1, maxLength: 64, pattern: '^[\\p{L}\\p{N}][\\p{L}\\p{N} _.-]*$' }), {
    maxItems: 20,
    uniqueItems: true,
    description:
      'Page groups that the password or link gives access to, as in `groups` in the frontmatter of pages.',
  }),
)
const PassName = Line(100)

export const CreateSitePassBody = Type.Union(
  [
    Type.Object(
      {
        kind: Type.Literal('password'),
        name: PassName,
        groups: PassGroups,
        password: Type.String({
          minLength: SITE_PASSWORD_LENGTHS.least,
          maxLength: SITE_PASSWORD_LENGTHS.most,
        }),
      },
      { additionalProperties: false },
    ),
    Type.Object(
      {
        kind: Type.Literal('link'),
        name: PassName,
        groups: PassGroups,
        days: Type.Integer({
          minimum: 1,
          maximum: MAX_LINK_DAYS,
          description: 'Number of days for which the link is valid.',
        }),
      },
      { additionalProperties: false },
    ),
  ],
  { title: 'CreateSitePass' },
)
export type CreateSitePassBody = Static<typeof CreateSitePassBody>

export const CreatedSitePass = Type.Object(
  {
    ...SitePass.properties,
    url: Nullable(Type.String({ description: 'The signed link; null for a password.' })),
  },
  closedObject('CreatedSitePass'),
)
export type CreatedSitePass = Static<typeof CreatedSitePass>

export const OpenSiteBody = Type.Object(
  {
    host: Type.String({ minLength: 1, maxLength: 253 }),
    state: Type.String({ minLength: 20, maxLength: 64, description: 'State of the requesting browser.' }),
    to: Type.String({ minLength: 1, maxLength: 2000, description: 'Path to open after signing in.' }),
  },
  closedObject('OpenSite'),
)

export const OpenedSite = Type.Object(
  { url: Type.String({ description: 'URL that leads back to the site. Valid for one minute.' }) },
  closedObject('OpenedSite'),
)

const ACCESS = '/internal/projects/{projectId}/access'

const PassParams = Type.Object({
  ...ProjectParams.properties,
  passId: Type.String({ minLength: 1, maxLength: 64 }),
})

export const SITE_ACCESS_OPERATIONS = {
  getSiteAccess: {
    ...ROW,
    method: 'GET',
    path: ACCESS,
    summary: "Get the read access settings of a project's site",
    permission: 'projects',
    params: ProjectParams,
    success: { status: 200, schema: SiteAccessState },
  },
  updateSiteAccess: {
    ...ROW,
    method: 'PATCH',
    path: ACCESS,
    summary: 'Make the site of a project private or public',
    permission: 'projects',
    audit: 'project.access_changed',
    params: ProjectParams,
    body: UpdateSiteAccessBody,
    success: { status: 200, schema: SiteAccessState },
  },
  createSitePass: {
    ...ROW,
    method: 'POST',
    path: `${ACCESS}/passes`,
    summary: 'Create a password or signed link for readers',
    permission: 'projects',
    audit: 'project.pass_created',
    params: ProjectParams,
    body: CreateSitePassBody,
    success: { status: 201, schema: CreatedSitePass, isSecret: true },
  },
  getSiteLink: {
    ...ROW,
    method: 'GET',
    path: `${ACCESS}/passes/{passId}`,
    summary: 'Get a password or signed link with its URL',
    permission: 'projects',
    params: PassParams,
    success: { status: 200, schema: CreatedSitePass },
  },
  deleteSitePass: {
    ...ROW,
    method: 'DELETE',
    path: `${ACCESS}/passes/{passId}`,
    summary: 'Delete a password or signed link, which ends access for readers who used it',
    permission: 'projects',
    audit: 'project.pass_deleted',
    params: PassParams,
    success: { status: 200, schema: SiteAccessState },
  },
  openSite: {
    ...ROW,
    method: 'POST',
    path: '/internal/open-site',
    summary: 'Redirect a member back to a private site',
    permission: null,
    audit: { none: 'it looks and changes nothing: it is a POST so that no page elsewhere can ask' },
    needsRoom: false,
    body: OpenSiteBody,
    success: { status: 200, schema: OpenedSite },
  },
} as const satisfies Record<string, DashboardOperation>
