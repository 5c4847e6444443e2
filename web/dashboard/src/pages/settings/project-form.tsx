/** Form for a part of the project's settings. */
import { useQuery } from '@tanstack/react-query'
import type { ComponentChildren } from 'preact'
import type {
  ProjectDetail,
  UpdateProjectBody,
} from '../../../../../src/features/projects/operations/projects.ts'
import { internal, internalQuery } from '../../api/internal.ts'
import type { Confirmation } from '../../app/dialogs.tsx'
import { queryClient } from '../../app/query-client.ts'
import { useHasPermission } from '../../app/session.ts'
import { isSame } from '../../forms/draft.ts'
import type { Draft, Entry } from '../../forms/field-spec.ts'
import { isConflict, SettingsForm } from '../../forms/settings-form.tsx'

const projectQuery = (projectId: string) => internalQuery('getProject', { params: { projectId } })

export const useProjectDetail = (projectId: string) => useQuery(projectQuery(projectId))

export function ProjectForm(props: {
  project: ProjectDetail
  read?: (project: ProjectDetail) => object
  fields: (draft: Draft, project: ProjectDetail) => readonly Entry[]
  question?: (draft: Draft, before: Draft) => Confirmation | null
  children?: ComponentChildren
}) {
  const { project, ...more } = props
  const mayChange = useHasPermission('projects')
  return (
    <SettingsForm<ProjectDetail, Change>
      operation="updateProject"
      stored={project}
      isOff={!mayChange}
      save={(changes, { base }) => saveProject(changes, base)}
      {...more}
    />
  )
}

type Change = Omit<UpdateProjectBody, 'updatedAt'>

async function saveProject(changes: Change, base: ProjectDetail): Promise<ProjectDetail> {
  const params = { projectId: base.id }
  const { queryKey } = projectQuery(base.id)
  const send = (updatedAt: string) => internal('updateProject', { params, body: { updatedAt, ...changes } })
  const saved = await send(base.updatedAt).catch(async (error: unknown) => {
    if (!isConflict(error)) throw error
    // If others changed a different part of the settings, there is no conflict.
    const newest = await internal('getProject', { params })
    queryClient.setQueryData(queryKey, newest)
    if (!hasSameValues(changes, newest, base)) throw error
    return send(newest.updatedAt)
  })
  queryClient.setQueryData(queryKey, saved)
  void queryClient.invalidateQueries({ queryKey: ['listProjects'] })
  return saved
}

/** Returns whether `one` and `other` have the same values in the fields of `changes`. */
function hasSameValues(changes: object, one: unknown, other: unknown): boolean {
  return Object.entries(changes).every(([name, change]) => {
    const [here, there] = [one, other].map(
      (values) => (values as Record<string, unknown> | undefined)?.[name],
    )
    return typeof change === 'object' && change !== null && !Array.isArray(change)
      ? hasSameValues(change, here, there)
      : isSame(here, there)
  })
}
