/** The one door to the rendering of somebody else's site: it happens in a bounded process of its own. */
import { pathToFileURL } from 'node:url'
import type { Problem } from '../base/errors/problem.ts'
import type { FileTree } from '../base/files/file-tree.ts'
import { entryFile } from '../base/files/program-files.ts'
import type { Log } from '../base/log.ts'
import type { GuardedFetch } from '../base/net/guarded-fetch.ts'
import type { Slot } from '../base/slot.ts'
import type { ObjectStore } from '../objects/object-store.ts'
import { siteLimits } from '../sandbox/limits.ts'
import { type Sandbox, startSandbox } from '../sandbox/sandbox.ts'
import { SiteUnloadableError } from '../site/problems.ts'
import type { BuildRequest, RenderedSite } from './build.ts'
import type { RenderProgress } from './plan/render-scope.ts'
import { parseManifest } from './versions/manifest-text.ts'

export interface SiteProcessDeps {
  objects: ObjectStore
  guardedFetch: GuardedFetch
  log: Log
  /** Render children of one site. */
  renderChildren: number
  /** Megabytes that the process of one site may use. */
  siteMemoryMb: number
  /** Given back while the process only waits for other servers. Left out: it waits for nobody's turn. */
  slot?: Slot
  /** Whose cache is used. */
  projectId: string
  /** Nothing is read of the cache: an earlier attempt has failed, perhaps because of what is there. */
  isFresh?: boolean
}

/** What comes out of the process; the text of the manifest comes beside it. */
export type BuiltSite = { problems: Problem[] } | { unloadable: readonly Problem[] }

export interface SiteProcess {
  /**
   * Always of the same tree; a second call builds once more. Rejects with SiteUnloadableError or PermanentError when
   * there is nothing to render, with ProcessLimitError when the process was ended, with the signal's reason, and with
   * what the tree or the store rejected with.
   */
  build(
    tree: FileTree,
    request: BuildRequest,
    report: (progress: RenderProgress) => void,
    signal: AbortSignal,
  ): Promise<RenderedSite>
  [Symbol.asyncDispose](): Promise<void>
}

export function openSiteProcess(deps: SiteProcessDeps): SiteProcess {
  const sandbox = startSandbox(pathToFileURL(entryFile('site')), { memoryMb: deps.siteMemoryMb })
  let opening: Promise<void> | null = null
  return {
    async build(tree, request, report, signal) {
      sandbox.onProgress(report)
      opening ??= openForSite(sandbox, deps, tree, signal)
      await opening
      const input = { request, children: deps.renderChildren, isFresh: deps.isFresh ?? false }
      const { value, bytes } = await sandbox.callPacked<BuiltSite>('build', input)
      if ('unloadable' in value) throw new SiteUnloadableError(value.unloadable)
      return { manifest: await parseManifest(bytes), problems: value.problems }
    },
    [Symbol.asyncDispose]: () => sandbox[Symbol.asyncDispose](),
  }
}

/** Limits follow from the size of the site: pictures and films are passed on, not read. */
export async function openForSite(
  sandbox: Sandbox,
  deps: Omit<SiteProcessDeps, 'guardedFetch'> & { guardedFetch: GuardedFetch | null },
  tree: FileTree,
  signal: AbortSignal,
): Promise<void> {
  let textBytes = 0
  for (const [path, { sizeBytes }] of tree.files) if (TEXT.test(path)) textBytes += sizeBytes
  await sandbox.open({ ...deps, tree, signal }, siteLimits(tree.files.size, textBytes, deps.siteMemoryMb))
}

const TEXT = /\.(?:mdx?|json|ya?ml|[jt]sx?|mjs|css|svg|html?)$/i
