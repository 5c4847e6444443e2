/** Routes of site access: settings for members, and the sign-in of members to a private site. */

import { AppError } from '../../../base/errors/errors.ts'
import type { Tx } from '../../../database/database.ts'
import type { Handlers } from '../../../routing/handler.ts'
import { findSessionMembership, requireSecondFactor } from '../../accounts/people/session-memberships.ts'
import { hashPassword } from '../../accounts/sign-in/password.ts'
import { findHostedSite } from '../access/site-access.ts'
import {
  createSitePass,
  deleteSitePass,
  getSiteAccess,
  getSitePass,
  type NewPass,
  type SitePassDeps,
  updateSiteAccess,
} from '../access/site-passes.ts'
import { type StartDeploymentDeps, startDeployment } from '../deploy/start-deployment.ts'
import { ACCESS_ENTER_PATH, type SITE_ACCESS_OPERATIONS } from '../operations/site-access.ts'
import type { PreviewAddresses } from '../previews/preview-address.ts'
import { siteOrigin } from '../serve/site-origin.ts'
import { ticketUse } from './sign-in-page.ts'

type SiteAccessDeps = SitePassDeps & StartDeploymentDeps & Pick<PreviewAddresses, 'previewDomain'>

/** Lifetime of the ticket that a member takes from the dashboard to the site. */
const TICKET_LIFETIME_MS = 60_000

export function siteAccessHandlers(deps: SiteAccessDeps): Handlers<typeof SITE_ACCESS_OPERATIONS> {
  return {
    getSiteAccess: async ({ db, caller: { organizationId }, params }) => ({
      body: await getSiteAccess(db, { organizationId, ...params }),
    }),
    updateSiteAccess: async ({ tx, caller: { organizationId }, params, body }) => ({
      body: await updateSiteAccess(tx, { organizationId, ...params }, body),
      audit: { details: body },
    }),
    async createSitePass({ tx, caller: { organizationId, id: createdBy }, params, body }) {
      const { kind, name, groups = [] } = body
      const about = { name, groups, createdBy }
      const newPass: NewPass =
        body.kind === 'password'
          ? { ...about, kind: 'password', passwordHash: await hashPassword(body.password) }
          : { ...about, kind: 'link', days: body.days }
      const made = await createSitePass(deps, tx, { organizationId, ...params }, newPass)
      if (groups.length > 0) await makeVersionFor(deps, tx, { organizationId, actor: createdBy, ...params })
      return { body: made, audit: { subject: params.projectId, details: { kind, name, groups } } }
    },
    getSiteLink: async ({ db, caller: { organizationId }, params: { projectId, passId } }) => ({
      body: await getSitePass(deps, db, { organizationId, projectId }, passId),
    }),
    async deleteSitePass({ tx, caller: { organizationId }, params: { projectId, passId } }) {
      const body = await deleteSitePass(tx, { organizationId, projectId }, passId)
      return { body, audit: { subject: projectId, details: { passId } } }
    },
    async openSite({ tx, caller: { person }, body: { host, state, to } }) {
      if (person === null) throw new AppError('signed_out')
      const site = await findHostedSite(tx, host, deps.previewDomain())
      const standing =
        site &&
        (await findSessionMembership(tx, {
          userId: person.id,
          sessionId: person.sessionId,
          organizationId: site.organizationId,
        }))
      if (!site || site.isDeleted || !standing || !site.access.admitsMembers) throw new AppError('not_found')
      requireSecondFactor(standing)
      const claim = { kind: 'member', id: person.id, expiresAt: Date.now() + TICKET_LIFETIME_MS } as const
      const ticket = deps.readerTokens.sign(site.projectId, claim, ticketUse(state))
      const query = new URLSearchParams({ ticket, to })
      return { body: { url: `${siteOrigin(deps.publicUrl(), host)}${ACCESS_ENTER_PATH}?${query}` } }
    },
  }
}

/** Starts a deployment if the site is published, because each set of groups has a separate version. */
async function makeVersionFor(
  deps: StartDeploymentDeps,
  tx: Tx,
  scope: { organizationId: string; projectId: string; actor: string },
): Promise<void> {
  const published = await tx
    .selectFrom('published_sites')
    .select('project_id')
    .where('project_id', '=', scope.projectId)
    .executeTakeFirst()
  if (published !== undefined) await startDeployment(deps, tx, scope)
}
