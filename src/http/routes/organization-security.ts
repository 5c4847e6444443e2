/** What an organization asks of the people in it. */
import { changeSecurity, organizationSecurity } from '../../accounts/organization-security.ts'
import { refuseFaults } from '../../contract/errors.ts'
import type { ORGANIZATION_SECURITY_OPERATIONS } from '../../contract/organization-security.ts'
import type { Handlers } from '../handler.ts'
import { domainFaults, mailDomain } from './mail-domains.ts'

export function organizationSecurityHandlers(): Handlers<typeof ORGANIZATION_SECURITY_OPERATIONS> {
  return {
    getOrganizationSecurity: async ({ db, caller }) => ({
      body: await organizationSecurity(db, caller.organizationId),
    }),
    async updateOrganizationSecurity({ tx, caller: { organizationId, id: actor }, body }) {
      const mailDomains = body.mailDomains?.map(mailDomain)
      refuseFaults((mailDomains ?? []).flatMap((domain, at) => domainFaults(domain, `/mailDomains/${at}`)))
      const { secondFactor } = body
      await changeSecurity(tx, {
        ...{ organizationId, actor },
        ...(secondFactor === undefined ? {} : { secondFactor }),
        ...(mailDomains === undefined ? {} : { mailDomains }),
      })
      const now = await organizationSecurity(tx, organizationId)
      const details = {
        secondFactor: now.secondFactor === null ? 'optional' : `required after ${now.secondFactor.days} days`,
        mailDomains: now.mailDomains.join(', '),
      }
      return { body: now, audit: { subject: organizationId, details } }
    },
  }
}
