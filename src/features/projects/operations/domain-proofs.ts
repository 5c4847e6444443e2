/** How domains stand, and how long they may stand without a proof. Without the schemas, which the dashboard does not load. */

export const DOMAIN_STATES = ['pending', 'served'] as const
export type DomainState = (typeof DOMAIN_STATES)[number]

/** `operator`: the operator has named or vouched for it at the command line. */
export const DOMAIN_PROOFS = ['dns', 'file', 'operator'] as const
export type DomainProof = (typeof DOMAIN_PROOFS)[number]

/** How long the proof of a domain that is served may be gone before another project may take the domain. */
export const PROOF_GRACE_DAYS = 7
/** How long a domain that waits is looked at without being asked. */
export const CHECKED_DAYS = 30
