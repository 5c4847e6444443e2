/** Verifies pending domains, and periodically verifies served domains again. */
import type { Log } from '../../../base/log.ts'
import { repeat } from '../../../base/repeat.ts'
import type { Database } from '../../../database/database.ts'
import { checkProof, domainChallenge, type ProofCheckDeps } from './domain-challenge.ts'
import { claimDueChecks } from './domain-checks.ts'
import { type DomainClaim, findLostClaim, recordCheck } from './domain-claims.ts'

export interface DomainWatchDeps extends ProofCheckDeps {
  database: Database
  isProofAsked: boolean
  log: Log
  onRound?: () => void
}

const POLL_INTERVAL_MS = 2000
const BATCH_SIZE = 10

/** Checks due domains until disposed. Several nodes share the work. */
export function watchDomains(deps: DomainWatchDeps): AsyncDisposable {
  return repeat({
    work: (signal) => checkDueDomains(deps, signal),
    everyMs: POLL_INTERVAL_MS,
    onFailure: (error) => deps.log.warn({ error: error.message }, 'domains.watch_failed'),
    ...(deps.onRound === undefined ? {} : { onRound: deps.onRound }),
  })
}

export async function checkDueDomains(deps: DomainWatchDeps, signal: AbortSignal): Promise<void> {
  const { isProofAsked } = deps
  const due = await claimDueChecks(deps.database.queries, { maxClaims: BATCH_SIZE, isProofAsked })
  const checks = due.map(async (claim) => {
    try {
      await checkDomain(deps, claim, signal)
    } catch (error) {
      signal.throwIfAborted()
      // The domain is checked again when the lease expires.
      const { projectId, domain } = claim
      deps.log.warn({ projectId, domain, error: (error as Error).message }, 'domain.check_failed')
    }
  })
  await Promise.all(checks)
}

async function checkDomain(deps: DomainWatchDeps, claim: DomainClaim, signal: AbortSignal): Promise<void> {
  const { database, log } = deps
  const proofCheck = await checkProof(deps, domainChallenge(claim.organizationId, claim.domain), signal)
  if (proofCheck.kind === 'proved' && claim.state === 'pending') {
    // Checks the verification of the current project once more before that project loses the domain.
    const lost = await findLostClaim(database.queries, claim.domain)
    if (lost !== null) await checkDomain(deps, lost, signal)
  }
  await database.transaction((tx) => recordCheck(tx, claim, proofCheck))
  log.info({ projectId: claim.projectId, domain: claim.domain, found: proofCheck.kind }, 'domain.checked')
}
