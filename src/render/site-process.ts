/** The only entry point for rendering untrusted sites, which happens in a sandboxed process with limits. */
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
  renderChildren: number
  /** Command for samples in languages that Octavo does not run; null if there is none. */
  sampleRunner?: string | null
  siteMemoryMb: number
  /** Released while the process only waits for other servers. If omitted, no slot is used. */
  slot?: Slot
  projectId: string
  /** Ignores cached entries, because they may have caused an earlier attempt to fail. */
  isFresh?: boolean
}

/** Result of the process; the text of the manifest is transferred separately. */
export type BuiltSite = { problems: Problem[] } | { unloadable: readonly Problem[] }

export interface SiteProcess {
  /**
   * Must be called with the same tree each time; a second call builds again. Rejects with SiteUnloadableError or
   * PermanentError if there is nothing to render, with ProcessLimitError if the process was ended, with the signal's
   * reason, and with errors of the tree or the store.
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
      opening ??= openLimitedSiteProcess(sandbox, deps, tree, signal)
      await opening
      const { renderChildren: children, sampleRunner = null, isFresh = false } = deps
      const input = { request, children, sampleRunner, isFresh }
      const { value, bytes } = await sandbox.callPacked<BuiltSite>('build', input)
      if ('unloadable' in value) throw new SiteUnloadableError(value.unloadable)
      return { manifest: await parseManifest(bytes), problems: value.problems }
    },
    [Symbol.asyncDispose]: () => sandbox[Symbol.asyncDispose](),
  }
}

/** Sets limits by the size of the site's text; images and videos do not count, as they are only passed through. */
export async function openLimitedSiteProcess(
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
