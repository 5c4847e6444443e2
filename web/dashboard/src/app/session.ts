/** Who is signed in and where: one query, which every page can count on once the router has let it in. */
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { mayDo, type Permission } from '../../../../src/base/api/roles.ts'
import type { Session } from '../../../../src/features/accounts/operations/people.ts'
import { internalQuery } from '../api/internal.ts'
import { currentOrganization } from '../api/send.ts'
import { queryClient } from './query-client.ts'

export type SignedInUser = NonNullable<Session['user']>
export type Membership = Session['organizations'][number]

export const sessionQuery = {
  ...internalQuery('getSession'),
  queryKey: ['getSession'],
  staleTime: 5 * 60_000,
}

/** Somebody was signed in since the dashboard was opened: a session that is missing now has ended. */
let wasSignedIn = false

export async function loadSession(): Promise<Session> {
  const session = await queryClient.ensureQueryData(sessionQuery)
  wasSignedIn ||= session.user !== null
  return session
}

/** Search parameters of the sign-in page that leads back to `href`. */
export function signInSearch(href: string): { to?: string; ended?: '1' } {
  return { ...(href === '/' ? {} : { to: href }), ...(wasSignedIn ? { ended: '1' } : {}) }
}

/** Asks again: after signing in, and after what changes name, roles or organizations. */
export function reloadSession(): Promise<Session> {
  return queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 })
}

/** The server knows of no session: what was loaded with it is forgotten, and nobody is signed in from now on. */
export function endSession(): void {
  forgetAllButSession()
  queryClient.setQueryData<Session>(
    sessionQuery.queryKey,
    (session) => session && { ...session, user: null, organizations: [] },
  )
}

/** Pages count on the session, so it stays known throughout. */
export function forgetAllButSession(): void {
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0] })
}

export function useSession(): Session {
  const { data } = useQuery(sessionQuery)
  if (data === undefined) throw new Error('The session is loaded before any page.')
  return data
}

/** For what runs before a page is drawn; null while nobody is known to be signed in. */
export function signedInId(): string | null {
  return queryClient.getQueryData<Session>(sessionQuery.queryKey)?.user?.id ?? null
}

/** Of a page for members. */
export function useUser(): SignedInUser {
  const { user } = useSession()
  if (user === null) throw new Error('Pages for members are shown to members.')
  return user
}

/** The organization that is looked at, with the role in it; undefined for who belongs to none. */
export function useOrganization(): Membership | undefined {
  const { organizations } = useSession()
  return organizations.find(({ id }) => id === currentOrganization()) ?? organizations[0]
}

/** The same, of a page of an organization. */
export function useMembership(): Membership {
  const found = useOrganization()
  if (found === undefined) throw new Error('Pages of an organization are shown to its members.')
  return found
}

/** Whether the member may do that here; the server decides again. */
export function useMayDo(permission: Permission): boolean {
  const { role } = useMembership()
  const isArchived = useIsArchived()
  return mayDo(role, permission) && !(isArchived && CHANGES.has(permission))
}

/** What changes something of the project that is looked at: in an archived one nobody may. */
const CHANGES: ReadonlySet<Permission> = new Set(['feedback', 'agent', 'exports', 'deployments', 'projects'])

/** Of the project in the address. */
export function useIsArchived(): boolean {
  const { projectId } = useParams({ strict: false })
  const { data } = useQuery({ ...internalQuery('listProjects'), enabled: projectId !== undefined })
  return data?.archived.some(({ id }) => id === projectId) === true
}
