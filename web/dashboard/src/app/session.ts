/** Session query: the current user and organizations. Every page may rely on it once the router has admitted it. */
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { type Permission, roleHasPermission } from '../../../../src/base/api/roles.ts'
import type { Session } from '../../../../src/features/accounts/operations/people.ts'
import { internalQuery } from '../api/internal.ts'
import { currentOrganizationId } from '../api/send.ts'
import { queryClient } from './query-client.ts'

export type SignedInUser = NonNullable<Session['user']>
export type Membership = Session['organizations'][number]

export const sessionQuery = {
  ...internalQuery('getSession'),
  queryKey: ['getSession'],
  staleTime: 5 * 60_000,
}

/** Whether a user was signed in since the dashboard was opened; a missing session then means that it has ended. */
let wasSignedIn = false

export async function loadSession(): Promise<Session> {
  const session = await queryClient.ensureQueryData(sessionQuery)
  wasSignedIn ||= session.user !== null
  return session
}

/** Returns the search parameters of the sign-in page that redirects to `href`. */
export function signInSearchParams(href: string): { to?: string; ended?: '1' } {
  return { ...(href === '/' ? {} : { to: href }), ...(wasSignedIn ? { ended: '1' } : {}) }
}

/** Reloads the session after signing in and after changes of the name, roles or organizations. */
export function reloadSession(): Promise<Session> {
  return queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 })
}

/** Clears all data loaded with the session and marks the user as signed out. */
export function endSession(): void {
  clearSessionData()
  queryClient.setQueryData<Session>(
    sessionQuery.queryKey,
    (session) => session && { ...session, user: null, organizations: [] },
  )
}

/** Clears the cache except for the session, which mounted pages rely on. */
export function clearSessionData(): void {
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0] })
}

export function useSession(): Session {
  const { data } = useQuery(sessionQuery)
  if (data === undefined) throw new Error('The session is loaded before any page.')
  return data
}

/** Returns the id of the current user for code that runs before a page renders; null when no user is known. */
export function signedInUserId(): string | null {
  return queryClient.getQueryData<Session>(sessionQuery.queryKey)?.user?.id ?? null
}

/** Returns the current user; only valid on pages for members. */
export function useUser(): SignedInUser {
  const { user } = useSession()
  if (user === null) throw new Error('Pages for members are shown to members.')
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
  if (found === undefined) throw new Error('Pages of an organization are shown to its members.')
  return found
}

/** Returns whether the member has a permission here. The server checks it again. */
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

/** Returns whether the project in the URL is archived. */
export function useIsArchived(): boolean {
  const { projectId } = useParams({ strict: false })
  const { data } = useQuery({ ...internalQuery('listProjects'), enabled: projectId !== undefined })
  return data?.archived.some(({ id }) => id === projectId) === true
}
