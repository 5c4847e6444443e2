/** What a deployment goes on with: the version in front before it, and what its build has left. */
import type { Queries } from '../database/database.ts'
import { ObjectMissingError, type ObjectStore } from '../objects/object-store.ts'
import { memoryOfProject } from '../render/versions/cache-entries.ts'
import type { SiteManifest } from '../render/versions/manifest.ts'
import { readManifest } from '../render/versions/site-versions.ts'
import type { DeploymentRow } from './store.ts'

export interface EarlierVersion {
  /** Where builds of this site leave what the next one need not make again. */
  memory: string
  /** Digests of files that were read whole when their version was made. */
  seen: Set<string>
}

/** Of the project itself, or of the preview that the deployment is of: what one has learnt is for no other. */
export async function findEarlier(
  { database, objects }: { database: { queries: Queries }; objects: ObjectStore },
  deployment: SiteOf,
): Promise<EarlierVersion> {
  const { project_id: projectId, preview_id: previewId } = deployment
  const keys = new Set<string>()
  const front = await keyInFront(database.queries, projectId, previewId)
  if (front !== null) keys.add(front)
  const seen = new Set<string>()
  // A set goes on to what is added to it meanwhile: the same version for other readers.
  for (const key of keys) {
    const manifest = await readManifest(objects, key).catch(nullWhenMissing)
    for (const { manifestKey } of manifest?.audiences ?? []) keys.add(manifestKey)
    if (manifest !== null) addFiles(seen, manifest)
  }
  return { memory: memoryOf(deployment), seen }
}

/** No later build meets what an earlier one has left, of this site alone; one that is at work makes what is gone. */
export async function forgetEarlier(objects: ObjectStore, deployment: SiteOf): Promise<void> {
  const keys: string[] = []
  for await (const { key } of objects.list(memoryOf(deployment))) keys.push(key)
  for (const key of keys) await objects.delete(key)
}

type SiteOf = Pick<DeploymentRow, 'project_id' | 'preview_id'>

function memoryOf({ project_id: projectId, preview_id: previewId }: SiteOf): string {
  return `${memoryOfProject(projectId)}${previewId ?? 'site'}/`
}

export function addFiles(seen: Set<string>, { files }: Pick<SiteManifest, 'files'>): void {
  for (const path in files) seen.add((files[path] as SiteManifest['files'][string]).sha256)
}

async function keyInFront(queries: Queries, projectId: string, previewId: string | null) {
  const row =
    previewId === null
      ? queries.selectFrom('published_sites').select('manifest_key').where('project_id', '=', projectId)
      : queries.selectFrom('previews').select('manifest_key').where('id', '=', previewId)
  const found = await row.executeTakeFirst()
  return found?.manifest_key ?? null
}

function nullWhenMissing(error: unknown): null {
  if (error instanceof ObjectMissingError) return null
  throw error
}
