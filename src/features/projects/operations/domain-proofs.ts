/**
 * Domain states, and how long a domain may be without proof. Separate from the schemas, which the dashboard does not
 * load.
 */

export const DOMAIN_STATES = ['pending', 'served'] as const
export type DomainState = (typeof DOMAIN_STATES)[number]

/** `operator`: named or vouched for by the operator at the command line. */
export const DOMAIN_PROOFS = ['dns', 'file', 'operator'] as const
export type DomainProof = (typeof DOMAIN_PROOFS)[number]

/** How long the proof of a served domain may be missing before another project may take over the domain. */
export const PROOF_GRACE_DAYS = 7
/** How long a pending domain is checked automatically. */
export const CHECKED_DAYS = 30
