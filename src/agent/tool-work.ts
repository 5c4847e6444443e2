/** What runs in the process of a job's tools: all that reads the repository's files and the model's patterns. */
import { boundProblems } from '../contract/problem.ts'
import { htmlMarkdown } from '../render/html/html-markdown.ts'
import type { SiteManifest } from '../render/versions/manifest.ts'
import { encodeManifest } from '../render/versions/manifest-text.ts'
import { type OpenInside, Packed } from '../sandbox/inside.ts'
import { bodiesFor, type ChangeCheck, createChangeChecker, createLoad } from './check-change.ts'
import { type ChangedCode, findNamingPages, type NamedPages } from './name-pages.ts'
import type { RestingBodies } from './resting-bodies.ts'
import type { ToolContext } from './tool.ts'
import type { CheckOutcome, ToolCallInput, ToolOutcome, ToolStart } from './tool-process.ts'
import { runTool } from './toolbox.ts'
import { openWorkspace } from './workspace.ts'

export const open: OpenInside = ({ tree, objects, log }) => {
  const { signal } = new AbortController() // whoever wants an end ends the process
  const benches = new Map<number, Bench>()
  const opened = (id: number) => {
    const bench = benches.get(id)
    if (bench === undefined) throw new Error('the tools were not started')
    return bench
  }
  const before = createLoad()
  let bodies: RestingBodies | undefined
  return {
    async start({
      id,
      changes,
      begun,
      scope,
      siteId,
      origin,
      names,
      renderChildren,
      guide,
    }: ToolStart): Promise<void> {
      const workspace = openWorkspace(tree, new Map(changes), scope)
      bodies ??= bodiesFor({ objects, renderChildren, log })
      const checker = createChangeChecker(
        { objects, renderChildren, log, bodies },
        { workspace, begun: new Map(begun), siteId, origin, names },
        before,
      )
      benches.set(id, { workspace, checker, guide })
    },
    async end({ id }: { id: number }): Promise<void> {
      benches.delete(id)
    },
    async tool({ id, call, caps, said }: ToolCallInput): Promise<ToolOutcome> {
      const { workspace, checker, guide } = opened(id)
      const context: ToolContext = {
        workspace,
        guide,
        caps,
        findNewProblems: (wanted) => checker.findNewProblems(wanted),
        previewPage: (path, wanted) => checker.previewPage(path, wanted),
        said,
        signal,
      }
      const result = await runTool(context, call)
      return { result, said, changes: [...workspace.changes] }
    },
    async namingPages(changed: ChangedCode): Promise<NamedPages> {
      return await findNamingPages(tree, changed)
    },
    async readHtml({ html }: { html: string }): Promise<string> {
      return htmlMarkdown(html)
    },
    async check({ id }: { id: number }): Promise<Packed> {
      return await packed(await opened(id).checker.checkChange(signal))
    },
  }
}

async function packed({ before, after, problems, ...found }: ChangeCheck): Promise<Packed> {
  const [first, second] = [await textOf(before), await textOf(after)]
  const outcome: CheckOutcome = {
    ...found,
    problems: boundProblems(problems),
    beforeBytes: first?.length ?? null,
    afterBytes: second?.length ?? null,
  }
  return new Packed(outcome, Buffer.concat([first ?? NOTHING, second ?? NOTHING]))
}

const NOTHING = new Uint8Array()

async function textOf(manifest: SiteManifest | null): Promise<Buffer | null> {
  return manifest === null ? null : await encodeManifest(manifest)
}

type Bench = Pick<ToolContext, 'workspace' | 'guide'> & { checker: ReturnType<typeof createChangeChecker> }
