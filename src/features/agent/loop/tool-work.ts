/** Runs in the process of a job's tools: everything that reads the repository's files and the model's patterns. */

import { limitProblems } from '../../../base/errors/problem.ts'
import { htmlToMarkdown } from '../../../render/html/html-markdown.ts'
import type { SiteManifest } from '../../../render/versions/manifest.ts'
import { encodeManifest } from '../../../render/versions/manifest-text.ts'
import { type OpenInside, Packed } from '../../../sandbox/inside.ts'
import {
  type CheckBodies,
  createChangeChecker,
  createSiteLoader,
  openCheckBodies,
} from '../check/check-change.ts'
import { storeImage } from '../edit/inspect-picture.ts'
import { openWorkspace } from '../publish/workspace.ts'
import type { ToolContext } from './tool.ts'
import type { CheckOutcome, PlaceImageInput, ToolCallInput, ToolOutcome, ToolStart } from './tool-process.ts'
import { runAsResult, runTool } from './toolbox.ts'

export const open: OpenInside = ({ tree, objects, cache, log }) => {
  const { signal } = new AbortController() // calls are cancelled by ending the process
  const sessions = new Map<number, JobSession>()
  const opened = (id: number) => {
    const session = sessions.get(id)
    if (session === undefined) throw new Error('the tools were not started')
    return session
  }
  const before = createSiteLoader()
  let bodies: CheckBodies | undefined
  return {
    async start({
      id,
      changes,
      begun,
      scope,
      guide,
      sources,
      renderChildren,
      ...site
    }: ToolStart): Promise<void> {
      const workspace = openWorkspace(tree, new Map(changes), scope)
      const known = new Map(sources)
      bodies ??= openCheckBodies({ cache, renderChildren, log })
      const checker = createChangeChecker(
        { objects, cache, renderChildren, log, bodies },
        { ...site, workspace, begun: new Map(begun), sources: known },
        before,
      )
      sessions.set(id, { workspace, checker, guide, sources: known })
    },
    async end({ id }: { id: number }): Promise<void> {
      sessions.delete(id)
    },
    async tool({ id, call, caps, said }: ToolCallInput): Promise<ToolOutcome> {
      const session = opened(id)
      const result = await runTool(contextOf(session, { caps, said, signal }), call)
      return { result, said, changes: [...session.workspace.changes] }
    },
    async place({ id, call, caps, said, placed }: PlaceImageInput): Promise<ToolOutcome> {
      const session = opened(id)
      const context = contextOf(session, { caps, said, signal })
      const result = await runAsResult(context, call, () => storeImage(context, placed))
      if (!result.isError) session.sources.set(placed.picture.digest, placed.source)
      return { result, said, changes: [...session.workspace.changes] }
    },
    async readHtml({ html }: { html: string }): Promise<string> {
      return htmlToMarkdown(html)
    },
    check: async ({ id }: { id: number }) => await packCheck(opened(id), signal),
  }
}

function contextOf(
  { workspace, guide, checker }: JobSession,
  given: Pick<ToolContext, 'caps' | 'said' | 'signal'>,
): ToolContext {
  return {
    workspace,
    guide,
    findNewProblems: (wanted) => checker.findNewProblems(wanted),
    previewPage: (path, wanted) => checker.previewPage(path, wanted),
    ...given,
  }
}

async function packCheck({ checker }: JobSession, signal: AbortSignal): Promise<Packed> {
  const { before, after, problems, ...found } = await checker.checkChange(signal)
  const [first, second] = [await serializeManifest(before), await serializeManifest(after)]
  const outcome: CheckOutcome = {
    ...found,
    problems: limitProblems(problems),
    beforeBytes: first?.length ?? null,
    afterBytes: second?.length ?? null,
  }
  return new Packed(outcome, Buffer.concat([first ?? EMPTY, second ?? EMPTY]))
}

const EMPTY = new Uint8Array()

async function serializeManifest(manifest: SiteManifest | null): Promise<Buffer | null> {
  return manifest === null ? null : await encodeManifest(manifest)
}

interface JobSession extends Pick<ToolContext, 'workspace' | 'guide'> {
  checker: ReturnType<typeof createChangeChecker>
  sources: Map<string, string>
}
