/** Domains of a project: served domains, pending domains, and the records or files that verify them. */
import { type Static, Type } from 'typebox'
import type { DashboardOperation } from '../../../base/api/operation.ts'
import { DateTime, Nullable } from '../../../base/api/schema.ts'
import { DOMAIN_PROOFS, DOMAIN_STATES, PROOF_GRACE_DAYS } from './domain-proofs.ts'

export const ProjectDomain = Type.Object(
  {
    domain: Type.String(),
    state: Type.Enum([...DOMAIN_STATES]),
    proof: Nullable(Type.Enum([...DOMAIN_PROOFS], { description: 'How it was last verified; null: never.' })),
    record: Type.Object(
      {
        name: Type.String({ examples: ['_octavo-challenge.docs.example.com'] }),
        value: Type.String({ examples: ['octavo-domain=5f1c0a7e3b9d4c6f8a2e1b0d7c9f6a3e'] }),
      },
      { additionalProperties: false, description: 'A TXT record that verifies the domain.' },
    ),
    file: Type.Object(
      { url: Type.String(), content: Type.String() },
      {
        additionalProperties: false,
        description: 'A file that verifies the domain, served over https or http.',
      },
    ),
    checkedAt: Nullable(DateTime),
    reason: Nullable(
      Type.String({
        description: 'Why the last check failed; null: the domain is verified or has not been checked.',
      }),
    ),
    nextCheckAt: Nullable(Type.String({ format: 'date-time', description: 'Null: no automatic check.' })),
    unprovedSince: Nullable(
      Type.String({
        format: 'date-time',
        description: `When checks of a served domain began to fail. After ${PROOF_GRACE_DAYS} days, another project that verifies the domain can take it over.`,
      }),
    ),
  },
  { additionalProperties: false, title: 'ProjectDomain' },
)
export type ProjectDomain = Static<typeof ProjectDomain>

export const ProjectDomainParams = Type.Object({
  projectId: Type.String({ minLength: 1, maxLength: 64 }),
  domain: Type.String({ minLength: 1, maxLength: 300 }),
})

export const DOMAIN_OPERATIONS = {
  checkDomain: {
    method: 'POST',
    area: 'dashboard',
    path: '/internal/projects/{projectId}/domains/{domain}/check',
    summary: 'Request verification of a domain; the project shows the result',
    audit: { none: 'it has a check made sooner: what the check changes has a row of its own' },
    permission: 'projects',
    limit: { name: 'members', counts: 'request' },
    params: ProjectDomainParams,
    query: null,
    body: null,
    success: { status: 202, schema: ProjectDomain },
  },
} as const satisfies Record<string, DashboardOperation>
