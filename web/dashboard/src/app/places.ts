/** Which project and organization an address is about, and which was looked at last. */
import { useQuery } from '@tanstack/react-query'
import { useLocation, useParams } from '@tanstack/react-router'
import { mayDo } from '../../../../src/base/api/roles.ts'
import type {
  ProjectSummary,
  ProjectSummaryList,
} from '../../../../src/features/projects/operations/projects.ts'
import { internalQuery } from '../api/internal.ts'
import { currentOrganization, setOrganization } from '../api/send.ts'
import { isAt, organizationPlaces, type Place, projectPlaces } from './navigation.ts'
import { queryClient } from './query-client.ts'
import { loadSession, useOrganization, useSession } from './session.ts'

const LAST_PROJECT = 'octavo:project'

/** Of the organization that is looked at. */
export function projectsQuery() {
  return internalQuery('listProjects')
}

/** An archived one too. */
export function summaryIn(
  list: ProjectSummaryList | undefined,
  projectId: string | undefined,
): ProjectSummary | null {
  const all = list === undefined ? [] : [...list.projects, ...list.archived]
  return all.find(({ id }) => id === projectId) ?? null
}

/**
 * Makes the organization of that project the one that requests are for. False when none of the user's organizations
 * has such a project.
 */
export async function enterProject(projectId: string): Promise<boolean> {
  const { organizations } = await loadSession()
  const current = currentOrganization()
  const order = [...organizations].sort((a, b) => Number(b.id === current) - Number(a.id === current))
  for (const { id } of order) {
    setOrganization(id)
    const list = await queryClient.ensureQueryData(projectsQuery())
    if (summaryIn(list, projectId) !== null) {
      if (list.projects.some((project) => project.id === projectId)) remember(projectId)
      return true
    }
  }
  setOrganization(current ?? organizations[0]?.id ?? null)
  return false
}

/** For pages of no project: the organization of the project that was looked at last, else the first. */
export async function enterSomewhere(): Promise<void> {
  if (currentOrganization() !== null) return
  const last = lastProject()
  if (last !== null) await enterProject(last)
  else setOrganization((await loadSession()).organizations[0]?.id ?? null)
}

/** False when the user is not a member of it. */
export async function enterOrganization(organizationId: string): Promise<boolean> {
  const { organizations } = await loadSession()
  if (!organizations.some(({ id }) => id === organizationId)) return false
  setOrganization(organizationId)
  return true
}

/** Where `/` leads: the last project, else the first, else a place to make one; null for who belongs nowhere. */
export async function homeAddress(): Promise<string | null> {
  const { organizations } = await loadSession()
  const last = lastProject()
  if (last !== null) await enterProject(last)
  const first = organizations[0]
  if (first === undefined) return null
  setOrganization(currentOrganization() ?? first.id)
  const { projects } = await queryClient.ensureQueryData(projectsQuery())
  // One that was archived meanwhile is opened by who looks for it.
  if (projects.some(({ id }) => id === last)) return `/p/${last}`
  return projects[0] ? `/p/${projects[0].id}` : `/o/${currentOrganization()}/projects/new`
}

/** Id of the project in the address; only below `/p/{projectId}`. */
export function useProjectId(): string {
  const { projectId } = useParams({ strict: false })
  if (projectId === undefined) throw new Error('Pages of a project have its id in their address.')
  return projectId
}

/** The project in the address as the rail knows it: name, domains, address. Null while it is loaded, and of a wrong address. */
export function useProjectSummary(): ProjectSummary | null {
  const { projectId } = useParams({ strict: false })
  const { data } = useQuery({ ...projectsQuery(), enabled: projectId !== undefined })
  return summaryIn(data, projectId)
}

/**
 * The project that rail and bar lead into: the one in the address, else the last one of this organization that was looked
 * at, else its first. Undefined when there is none, or nobody knows yet.
 */
export function useProjectAtHand(): string | undefined {
  const here = useProjectSummary()
  const { data } = useQuery({ ...projectsQuery(), enabled: currentOrganization() !== null })
  if (here !== null) return here.id
  const last = lastProject()
  return data?.projects.some(({ id }) => id === last) ? (last ?? undefined) : data?.projects[0]?.id
}

/** The places of a project that there are on this server, and the one that somebody is at all the same. */
export function useProjectPlaces(projectId: string | undefined): Place[] {
  const { pathname } = useLocation()
  const { data } = useQuery({ ...projectsQuery(), enabled: projectId !== undefined })
  if (projectId === undefined) return []
  const hasAssistant = summaryIn(data, projectId)?.hasAssistant === true
  return projectPlaces(projectId).filter(
    (place) => hasAssistant || place.isOfAssistant !== true || isAt(place, pathname),
  )
}

/** The places of the organization that is looked at, as far as the member may see them. */
export function useOrganizationPlaces(): Place[] {
  const { user } = useSession()
  const organization = useOrganization()
  if (organization === undefined) return []
  return organizationPlaces(organization.id, user?.isOperator === true).filter(
    ({ permission }) => permission === undefined || mayDo(organization.role, permission),
  )
}

function remember(projectId: string): void {
  try {
    localStorage.setItem(LAST_PROJECT, projectId)
  } catch {
    // Without storage `/` leads to the first project.
  }
}

function lastProject(): string | null {
  try {
    return localStorage.getItem(LAST_PROJECT)
  } catch {
    return null
  }
}
