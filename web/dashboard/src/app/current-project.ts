/** Determines the project and organization of a URL, and those that were visited last. */
import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { roleHasPermission } from '../../../../src/base/api/roles.ts'
import type {
  ProjectSummary,
  ProjectSummaryList,
} from '../../../../src/features/projects/operations/projects.ts'
import { internalQuery } from '../api/internal.ts'
import { currentOrganizationId, setOrganization } from '../api/send.ts'
import {
  isActiveItem,
  listOrganizationNavigation,
  listProjectNavigation,
  type NavigationItem,
} from './navigation.ts'
import { queryClient } from './query-client.ts'
import { usePathParameters } from './query-parameters.ts'
import { loadSession, useOrganization, useSession } from './session.ts'
import { readStored, writeStored } from './stored.ts'

const LAST_PROJECT_KEY = 'octavo:project'

export function projectsQuery() {
  return internalQuery('listProjects')
}

export function findProjectSummary(
  list: ProjectSummaryList | undefined,
  projectId: string | undefined,
): ProjectSummary | null {
  const all = list === undefined ? [] : [...list.projects, ...list.archived]
  return all.find(({ id }) => id === projectId) ?? null
}

/**
 * Switches requests to the organization of the given project. Returns false when no organization of the user has that
 * project.
 */
export async function selectProject(projectId: string): Promise<boolean> {
  const { organizations } = await loadSession()
  const current = currentOrganizationId()
  const order = [...organizations].sort((a, b) => Number(b.id === current) - Number(a.id === current))
  for (const { id } of order) {
    setOrganization(id)
    const list = await queryClient.ensureQueryData(projectsQuery())
    if (findProjectSummary(list, projectId) !== null) {
      if (list.projects.some((project) => project.id === projectId)) writeStored(LAST_PROJECT_KEY, projectId)
      return true
    }
  }
  setOrganization(current ?? organizations[0]?.id ?? null)
  return false
}

/**
 * Selects the organization for pages outside a project: that of the last visited project, otherwise the
 * first.
 */
export async function selectDefaultOrganization(): Promise<void> {
  if (currentOrganizationId() !== null) return
  const last = readStored(LAST_PROJECT_KEY)
  if (last !== null) await selectProject(last)
  else setOrganization((await loadSession()).organizations[0]?.id ?? null)
}

/** Returns false when the user is not a member of the organization. */
export async function selectOrganization(organizationId: string): Promise<boolean> {
  const { organizations } = await loadSession()
  if (!organizations.some(({ id }) => id === organizationId)) return false
  setOrganization(organizationId)
  return true
}

/**
 * Returns the target of `/`: the last project, else the first, else the page to create one. Null for users without an
 * organization.
 */
export async function resolveHomePath(): Promise<string | null> {
  const { organizations } = await loadSession()
  const last = readStored(LAST_PROJECT_KEY)
  if (last !== null) await selectProject(last)
  const first = organizations[0]
  if (first === undefined) return null
  setOrganization(currentOrganizationId() ?? first.id)
  const { projects } = await queryClient.ensureQueryData(projectsQuery())
  // A project that has been archived in the meantime is not opened automatically.
  if (projects.some(({ id }) => id === last)) return `/p/${last}`
  return projects[0] ? `/p/${projects[0].id}` : `/o/${currentOrganizationId()}/projects/new`
}

/** Returns the project id from the URL; only valid below `/p/{projectId}`. */
export function useProjectId(): string {
  const { projectId } = usePathParameters()
  if (projectId === undefined) throw new Error('Project pages must have the project ID in their URL.')
  return projectId
}

/**
 * Returns the sidebar's data for the project in the URL: name, domains, URL of the site. Null while loading and for an
 * unknown project.
 */
export function useProjectSummary(): ProjectSummary | null {
  const { projectId } = usePathParameters()
  const { data } = useQuery({ ...projectsQuery(), enabled: projectId !== undefined })
  return findProjectSummary(data, projectId)
}

/**
 * Returns the project that the sidebar and the bottom bar link to: the one in the URL, else the last visited project
 * of this organization, else its first. Undefined when there is none or the list has not loaded yet.
 */
export function useCurrentProjectId(): string | undefined {
  const routeProject = useProjectSummary()
  const { data } = useQuery({ ...projectsQuery(), enabled: currentOrganizationId() !== null })
  if (routeProject !== null) return routeProject.id
  const last = readStored(LAST_PROJECT_KEY)
  return data?.projects.some(({ id }) => id === last) ? (last ?? undefined) : data?.projects[0]?.id
}

/** Returns the project entries available on this server; the entry of the current page is always included. */
export function useProjectNavigation(projectId: string | undefined): NavigationItem[] {
  const { pathname } = useLocation()
  const { data } = useQuery({ ...projectsQuery(), enabled: projectId !== undefined })
  if (projectId === undefined) return []
  const hasAssistant = findProjectSummary(data, projectId)?.hasAssistant === true
  return listProjectNavigation(projectId).filter(
    (item) => hasAssistant || item.isOfAssistant !== true || isActiveItem(item, pathname),
  )
}

export function useOrganizationNavigation(): NavigationItem[] {
  const { user } = useSession()
  const organization = useOrganization()
  if (organization === undefined) return []
  return listOrganizationNavigation(organization.id, user?.isOperator === true).filter(
    ({ permission }) => permission === undefined || roleHasPermission(organization.role, permission),
  )
}
