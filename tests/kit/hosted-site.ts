/** A public site for any host name, for testing servers without a database. */
import type { HostedSite, ReaderGate } from '../../src/features/hosting/access/site-access.ts'

export function publicSite(manifestKey: string | null): HostedSite {
  const access = { isPrivate: false, admitsMembers: true, passes: [] }
  return { projectId: 'prj_test', organizationId: 'org_test', manifestKey, access }
}

export const OPEN_GATE: ReaderGate = { admit: async () => ({ groups: [], isKnown: false }) }
