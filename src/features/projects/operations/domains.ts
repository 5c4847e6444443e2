/** The domains of a project: served ones, pending ones, and the proofs to create. */
import { type Static, Type } from 'typebox'
import type { DashboardOperation } from '../../../base/api/operation.ts'
import { DateTime, Nullable } from '../../../base/api/schema.ts'
import { DOMAIN_PROOFS, DOMAIN_STATES, PROOF_GRACE_DAYS } from './domain-proofs.ts'

export const ProjectDomain = Type.Object(
  {
    domain: Type.String(),
    state: Type.Enum([...DOMAIN_STATES]),
    proof: Nullable(
      Type.Enum([...DOMAIN_PROOFS], { description: 'How it was proved last. Null: it never was.' }),
    ),
    record: Type.Object(
      {
        name: Type.String({ examples: ['_octavo-challenge.docs.example.com'] }),
        value: Type.String({ examples: ['octavo-domain=5f1c0a7e3b9d4c6f8a2e1b0d7c9f6a3e'] }),
      },
      { additionalProperties: false, description: 'A TXT record that proves it.' },
    ),
    file: Type.Object(
      { url: Type.String(), content: Type.String() },
      { additionalProperties: false, description: 'A file that proves it, over https or http.' },
    ),
    checkedAt: Nullable(DateTime),
    reason: Nullable(
      Type.String({
        description: 'What the last check did not find. Null: it found the proof, or none was made.',
      }),
    ),
    nextCheckAt: Nullable(
      Type.String({ format: 'date-time', description: 'Null: only when somebody asks, or never.' }),
    ),
    unprovedSince: Nullable(
      Type.String({
        format: 'date-time',
        description: `Of a domain that is served: since when checks find no proof. After ${PROOF_GRACE_DAYS} days another project that proves it may take it.`,
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
    summary: 'Have the proof of a domain looked for soon; the project shows what was found',
    audit: { none: 'it has a check made sooner: what the check changes has a row of its own' },
    permission: 'projects',
    limit: { name: 'members', counts: 'request' },
    params: ProjectDomainParams,
    query: null,
    body: null,
    success: { status: 202, schema: ProjectDomain },
  },
} as const satisfies Record<string, DashboardOperation>
