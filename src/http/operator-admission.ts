/** Authenticates the operator: the command line on the server's machine, by signature instead of a key. */
import type { FastifyRequest } from 'fastify'
import type { Permission } from '../base/api/roles.ts'
import { AppError } from '../base/errors/errors.ts'
import { type createProofCheck, isSigned } from '../base/operator-proof.ts'
import { OPERATOR_ACTOR } from '../database/audit.ts'
import type { Database, Queries } from '../database/database.ts'
import { findOrganization, type Organization } from '../features/accounts/organizations/organizations.ts'
import type { Caller } from '../routing/caller.ts'
import { ORGANIZATION_HEADER } from './member-admission.ts'
import { isForwarded } from './metrics-access.ts'

export interface OperatorAdmissionDeps {
  database: Database
  checkProof: ReturnType<typeof createProofCheck>
}

export function isOperatorCall({ headers }: FastifyRequest): boolean {
  return isSigned(headers.authorization)
}

/**
 * Admits the operator for the organization in the header, or the one that owns the object in the path. Throws
 * AppError `unauthorized`, or `not_found` if an organization is required and missing.
 */
export async function admitOperator(
  deps: OperatorAdmissionDeps,
  { permission, ownerTable }: { permission: Permission; ownerTable?: string | undefined },
  request: FastifyRequest,
): Promise<Caller> {
  const { method = '', url: target = '', headers, socket } = request.raw
  const { localPort: port = 0, localAddress, remoteAddress } = socket
  // The two addresses are equal only if the client runs on this machine and connects directly.
  const isLocal = remoteAddress !== undefined && remoteAddress === localAddress && !isForwarded(headers)
  if (!isLocal || !deps.checkProof(headers.authorization ?? '', { method, target, port }))
    throw new AppError('unauthorized')
  const organization = await findNamedOrganization(deps.database.queries, ownerTable, request)
  if (organization === null && permission !== 'machine') throw new AppError('not_found')
  return {
    kind: 'operator',
    id: OPERATOR_ACTOR,
    organizationId: organization?.id ?? '',
    plan: organization?.plan ?? 'enterprise',
    scopes: ['read', 'write'],
    role: null,
    projectIds: null,
  }
}

async function findNamedOrganization(
  queries: Queries,
  ownerTable: string | undefined,
  { headers, params }: FastifyRequest,
): Promise<Organization | null> {
  const named = headers[ORGANIZATION_HEADER]
  if (named !== undefined) return await findOrganization(queries, String(named))
  const { projectId, ...others } = (params ?? {}) as Readonly<Record<string, string>>
  const id = projectId ?? Object.values(others)[0]
  const table = projectId === undefined ? ownerTable : 'all_projects'
  if (id === undefined || table === undefined) return null
  const owner = await queries
    .selectFrom(table as 'all_projects')
    .select('organization_id')
    .where('id', '=', id)
    .executeTakeFirst()
  return owner === undefined ? null : await findOrganization(queries, owner.organization_id)
}
