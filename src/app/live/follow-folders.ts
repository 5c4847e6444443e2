/** Publishes watched folder projects when their files change. */

import { type FolderWatch, watchFolder } from '../../base/files/watch-folder.ts'
import type { Log } from '../../base/log.ts'
import { repeat } from '../../base/repeat.ts'
import { SYSTEM_ACTOR } from '../../database/audit.ts'
import type { Database } from '../../database/database.ts'
import { type StartDeploymentDeps, startDeployment } from '../../features/hosting/deploy/start-deployment.ts'
import type { FolderRules } from '../../git/source-folder.ts'
import { openSourceFolder } from '../../git/source-folder.ts'

export interface FollowFoldersDeps extends StartDeploymentDeps {
  database: Database
  folders: FolderRules
  log: Log
}

/** Delay until watching starts or stops after the setting changes. */
const POLL_INTERVAL_MS = 5000
/** Maximum number of watched folders, because each uses watches of the operating system. */
const MAX_WATCHED_FOLDERS = 100
/** Delay after the last change, since editors write often and each publish creates a version. */
const DEBOUNCE_MS = 300

interface FollowedProject {
  id: string
  organization_id: string
  repository: string
  folder_granted: boolean
}

export function followFolders(deps: FollowFoldersDeps): AsyncDisposable {
  const watches = new Map<string, { folder: string; watch: Promise<FolderWatch | null> }>()
  const end = async (id: string) => {
    const known = watches.get(id)
    watches.delete(id)
    const watch = await known?.watch
    watch?.[Symbol.dispose]()
  }
  const polling = repeat({
    async work() {
      const rows = await findFollowedProjects(deps.database)
      for (const [id, { folder }] of watches)
        if (!rows.some((row) => row.id === id && row.repository === folder)) await end(id)
      for (const row of rows)
        if (!watches.has(row.id))
          watches.set(row.id, { folder: row.repository, watch: watchProjectFolder(deps, row) })
    },
    everyMs: POLL_INTERVAL_MS,
    onFailure: (error) => deps.log.warn({ error: error.message }, 'publishing.look_failed'),
  })
  return {
    async [Symbol.asyncDispose]() {
      await polling[Symbol.asyncDispose]()
      await Promise.all([...watches.keys()].map(end))
    },
  }
}

async function watchProjectFolder(
  deps: FollowFoldersDeps,
  row: FollowedProject,
): Promise<FolderWatch | null> {
  let timer: NodeJS.Timeout | null = null
  const note = (error: unknown) =>
    deps.log.warn({ projectId: row.id, error: (error as Error).message }, 'publishing.folder_unwatched')
  try {
    const { path } = openSourceFolder(deps.folders, row)
    const watch = await watchFolder(path, {
      changed() {
        if (timer !== null) clearTimeout(timer)
        timer = setTimeout(() => void publish(deps, row).catch(note), DEBOUNCE_MS)
      },
      failed: note,
    })
    return {
      [Symbol.dispose]() {
        if (timer !== null) clearTimeout(timer)
        watch[Symbol.dispose]()
      },
    }
  } catch (error) {
    note(error)
    return null
  }
}

async function publish(deps: FollowFoldersDeps, { id, organization_id }: FollowedProject): Promise<void> {
  const request = { organizationId: organization_id, projectId: id, actor: SYSTEM_ACTOR }
  await deps.database.transaction((tx) => startDeployment(deps, tx, { ...request, trigger: 'folder' }))
}

async function findFollowedProjects({ queries }: Database): Promise<FollowedProject[]> {
  return queries
    .selectFrom('project_publishing')
    .innerJoin('projects', 'projects.id', 'project_publishing.project_id')
    .select(['projects.id', 'organization_id', 'repository', 'folder_granted'])
    .where('follows', '=', true)
    .where('archived_at', 'is', null)
    .where('source_kind', '=', 'folder')
    .orderBy('projects.id')
    .limit(MAX_WATCHED_FOLDERS)
    .execute()
}
