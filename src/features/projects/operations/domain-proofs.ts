/** Domain states and grace periods, separate from the schemas, which the dashboard does not load. */

export const DOMAIN_STATES = ['pending', 'served'] as const
export type DomainState = (typeof DOMAIN_STATES)[number]

/** `operator` stands for domains named or vouched for by the operator at the command line. */
export const DOMAIN_PROOFS = ['dns', 'file', 'operator'] as const
export type DomainProof = (typeof DOMAIN_PROOFS)[number]

/** Days for which a served domain's proof can be missing before another project can take over. */
export const PROOF_GRACE_DAYS = 7
/** Days for which a pending domain is checked automatically. */
export const CHECKED_DAYS = 30
