/** Domain states and grace periods. Separate from the schemas, because the dashboard does not load those. */

export const DOMAIN_STATES = ['pending', 'served'] as const
export type DomainState = (typeof DOMAIN_STATES)[number]

/** `operator` means that the operator added the domain or vouched for it at the command line. */
export const DOMAIN_PROOFS = ['dns', 'file', 'operator'] as const
export type DomainProof = (typeof DOMAIN_PROOFS)[number]

/** Days for which the verification of a served domain can be missing before another project can take over. */
export const PROOF_GRACE_DAYS = 7
/** Days for which a pending domain is checked automatically. */
export const PENDING_CHECK_DAYS = 30
