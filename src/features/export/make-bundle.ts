/** Steps from the source of an export to its archive in object storage. */
import type { Problem } from '../../base/errors/problem.ts'
import type { Database } from '../../database/database.ts'
import {
  openProjectTree,
  PROJECT_SOURCE_COLUMNS,
  type ProjectSourceDeps,
  readRepositoryAddress,
} from '../../git/project-source.ts'
import type { CheckedStore } from '../../objects/checked-store.ts'
import { openSiteProcess, type SiteProcessDeps } from '../../render/site-process.ts'
import { putBlob, readBlob } from '../../render/versions/blobs.ts'
import type { SiteManifest } from '../../render/versions/manifest.ts'
import { compareCodeUnits } from '../../render/versions/output-names.ts'
import { type BuildWork, buildUntilComplete, getStageTimer } from '../../render/whole-site.ts'
import { type BundleDigest, measureBundle, openBundle } from './archive/archive.ts'
import { MANIFEST_FILE, SIGNATURE_FILE } from './archive/bundle-inspection.ts'
import type { BundleSigner } from './archive/signature.ts'
import type { ExportRow } from './store.ts'

export interface MakeBundleDeps
  extends Omit<SiteProcessDeps, 'log' | 'objects' | 'slot' | 'projectId' | 'isFresh'> {
  database: Database
  objects: CheckedStore
  git: ProjectSourceDeps
  /** URL at which readers of a bundle reach the platform, if the project lets bundles use the platform. */
  publicUrl: () => string
  /** Returns null if bundles are not signed. Rejects with PermanentError if the key cannot be read. */
  findSigner(): Promise<BundleSigner | null>
  hasAssistant: () => boolean
}

export interface MadeBundle {
  bundle: BundleDigest
  manifest: SiteManifest
  problems: Problem[]
}

/** Returns an object key derived from the content, so that exports with equal content share one object. */
export function bundleKey(sha256: string): string {
  return `bundles/${sha256}.tar.gz`
}

/** Builds the archive, from the row's revision if set. Equal rows and revisions give equal archives. */
export async function makeBundle(deps: MakeBundleDeps, job: ExportRow, work: BuildWork): Promise<MadeBundle> {
  const { objects } = deps
  const timed = getStageTimer(work)
  const project = await findProject(deps, job)
  await using tree = await timed('source', () =>
    openProjectTree(deps.git, project, job.revision, work.signal),
  )
  await work.onRevision?.(tree.revision)
  await work.slot.acquire()
  await using site = openSiteProcess({
    ...deps,
    log: work.log,
    slot: work.slot,
    projectId: job.project_id,
    isFresh: job.attempt > 1,
  })
  const signer = await deps.findSigner()
  const request = {
    deployment: job.deployment,
    features: { ...job.features, assistant: job.features.assistant && deps.hasAssistant() },
    origin: `https://${job.domain}`,
    siteId: project.site_id,
    platformUrl: deps.publicUrl(),
    widgets: job.widgets,
    repository: readRepositoryAddress(project),
    ...(signer === null ? {} : { signer: signer.keyId }),
    audience: job.groups,
    ...(job.paths === null ? {} : { paths: job.paths }),
  }
  const { manifest, problems, look } = await timed('render', () =>
    buildUntilComplete(
      work.log,
      async () => {
        const built = await site.build(tree, request, work.report, work.signal)
        return { ...built, manifest: await signManifest(objects, built.manifest, signer) }
      },
      (built) => measureBundle(objects, built, work.signal),
    ),
  )
  work.onWhole?.(manifest.pageCount)
  const { sha256, sizeBytes } = look
  await timed('store', () => storeBundle(objects, manifest, { sha256, sizeBytes }, work.signal))
  return { bundle: { sha256, sizeBytes }, manifest, problems }
}

async function signManifest(
  objects: CheckedStore,
  manifest: SiteManifest,
  signer: BundleSigner | null,
): Promise<SiteManifest> {
  const listed = manifest.files[MANIFEST_FILE]
  if (signer === null || listed === undefined) return manifest
  const signature = signer.sign(await readBlob(objects, listed.sha256))
  const files = { ...manifest.files, [SIGNATURE_FILE]: await putBlob(objects, SIGNATURE_FILE, signature) }
  return {
    ...manifest,
    files: Object.fromEntries(Object.entries(files).sort(([a], [b]) => compareCodeUnits(a, b))),
  }
}

async function findProject(deps: MakeBundleDeps, job: ExportRow) {
  return deps.database.queries
    .selectFrom('projects')
    .select(PROJECT_SOURCE_COLUMNS)
    .select('site_id')
    .where('id', '=', job.project_id)
    .executeTakeFirstOrThrow()
}

/** The key is a hash of the bytes, so storing them twice is harmless. */
async function storeBundle(
  objects: CheckedStore,
  manifest: SiteManifest,
  bundle: BundleDigest,
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted()
  const key = bundleKey(bundle.sha256)
  if ((await objects.check(key)) === 'whole') return
  await objects.put(key, openBundle(objects, manifest, bundle), { contentType: 'application/gzip' })
}
