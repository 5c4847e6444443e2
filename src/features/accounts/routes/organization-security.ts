/** Routes for an organization's security rules. */

import { assertNoFaults } from '../../../base/errors/errors.ts'
import type { Handlers } from '../../../routing/handler.ts'
import type { ORGANIZATION_SECURITY_OPERATIONS } from '../operations/organization-security.ts'
import { changeSecurity, readOrganizationSecurity } from '../organizations/organization-security.ts'
import { domainFaults, normalizeMailDomain } from '../settings/mail-domains.ts'

export function organizationSecurityHandlers(): Handlers<typeof ORGANIZATION_SECURITY_OPERATIONS> {
  return {
    getOrganizationSecurity: async ({ db, caller }) => ({
      body: await readOrganizationSecurity(db, caller.organizationId),
    }),
    async updateOrganizationSecurity({ tx, caller: { organizationId, id: actor }, body }) {
      const mailDomains = body.mailDomains?.map(normalizeMailDomain)
      assertNoFaults((mailDomains ?? []).flatMap((domain, at) => domainFaults(domain, `/mailDomains/${at}`)))
      const { secondFactor } = body
      await changeSecurity(tx, {
        ...{ organizationId, actor },
        ...(secondFactor === undefined ? {} : { secondFactor }),
        ...(mailDomains === undefined ? {} : { mailDomains }),
      })
      const now = await readOrganizationSecurity(tx, organizationId)
      const details = {
        secondFactor: now.secondFactor === null ? 'optional' : `required after ${now.secondFactor.days} days`,
        mailDomains: now.mailDomains.join(', '),
      }
      return { body: now, audit: { subject: organizationId, details } }
    },
  }
}
