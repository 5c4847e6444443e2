/** Session query: the current user and organizations. The router loads it before it opens a page. */
import { useQuery } from '@tanstack/react-query'
import { type Permission, roleHasPermission } from '../../../../src/base/api/roles.ts'
import type { Session } from '../../../../src/features/accounts/operations/people.ts'
import { internalQuery } from '../api/internal.ts'
import { currentOrganizationId } from '../api/send.ts'
import { queryClient } from './query-client.ts'
import { usePathParameters } from './query-parameters.ts'

export type SignedInUser = NonNullable<Session['user']>
export type Membership = Session['organizations'][number]

export const sessionQuery = {
  ...internalQuery('getSession'),
  queryKey: ['getSession'],
  staleTime: 5 * 60_000,
}

/**
 * True if a user has been signed in since the dashboard was opened. In that case, a missing session means that the
 * session has ended.
 */
let wasSignedIn = false

export async function loadSession(): Promise<Session> {
  const session = await queryClient.ensureQueryData(sessionQuery)
  wasSignedIn ||= session.user !== null
  return session
}

export function signInSearchParams(href: string): { to?: string; ended?: '1' } {
  return { ...(href === '/' ? {} : { to: href }), ...(wasSignedIn ? { ended: '1' } : {}) }
}

export function reloadSession(): Promise<Session> {
  return queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 })
}

export function endSession(): void {
  clearSessionData()
  queryClient.setQueryData<Session>(
    sessionQuery.queryKey,
    (session) => session && { ...session, user: null, organizations: [] },
  )
}

export function clearSessionData(): void {
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0] })
}

export function useSession(): Session {
  const { data } = useQuery(sessionQuery)
  if (data === undefined) throw new Error('The session must be loaded before a page is rendered.')
  return data
}

/** Returns the id of the current user for code that runs before a page renders; null when no user is known. */
export function signedInUserId(): string | null {
  return queryClient.getQueryData<Session>(sessionQuery.queryKey)?.user?.id ?? null
}

export function useUser(): SignedInUser {
  const { user } = useSession()
  if (user === null) throw new Error('This page requires a signed-in user.')
  return user
}

/** Returns the current organization with the user's role in it; undefined for users without an organization. */
export function useOrganization(): Membership | undefined {
  const { organizations } = useSession()
  return organizations.find(({ id }) => id === currentOrganizationId()) ?? organizations[0]
}

/** Like `useOrganization`, for pages that require an organization. */
export function useMembership(): Membership {
  const found = useOrganization()
  if (found === undefined) throw new Error('This page requires membership in an organization.')
  return found
}

/**
 * Returns whether the member has a permission. Only controls the display; the server checks permissions
 * again.
 */
export function useHasPermission(permission: Permission): boolean {
  const { role } = useMembership()
  const isArchived = useIsArchived()
  return roleHasPermission(role, permission) && !(isArchived && CHANGE_PERMISSIONS.has(permission))
}

/** Permissions to change a project; nobody has them in an archived project. */
const CHANGE_PERMISSIONS: ReadonlySet<Permission> = new Set([
  'feedback',
  'agent',
  'exports',
  'deployments',
  'projects',
])

export function useIsArchived(): boolean {
  const { projectId } = usePathParameters()
  const { data } = useQuery({ ...internalQuery('listProjects'), enabled: projectId !== undefined })
  return data?.archived.some(({ id }) => id === projectId) === true
}
