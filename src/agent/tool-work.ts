/** What runs in the process of a job's tools: all that reads the repository's files and the model's patterns. */
import { boundProblems } from '../contract/problem.ts'
import type { SiteManifest } from '../render/manifest.ts'
import { encodeManifest } from '../render/manifest-text.ts'
import { type OpenInside, Packed } from '../sandbox/inside.ts'
import { createChangeChecker } from './check-change.ts'
import type { ToolContext } from './tool.ts'
import type { CheckOutcome, ToolCallInput, ToolOutcome, ToolStart } from './tool-process.ts'
import { runTool } from './toolbox.ts'
import { openWorkspace } from './workspace.ts'

export const open: OpenInside = ({ tree, objects, log }) => {
  const { signal } = new AbortController() // whoever wants an end ends the process
  let bench: Bench | null = null
  const opened = () => {
    if (bench === null) throw new Error('the tools were not started')
    return bench
  }
  return {
    async start({ changes, siteId, origin, renderChildren }: ToolStart): Promise<void> {
      const workspace = openWorkspace(tree, new Map(changes))
      const checker = createChangeChecker({ objects, renderChildren, log }, { workspace, siteId, origin })
      bench = { workspace, checker }
    },
    async tool({ call, caps, said }: ToolCallInput): Promise<ToolOutcome> {
      const { workspace, checker } = opened()
      const context: ToolContext = {
        workspace,
        caps,
        findNewProblems: (wanted) => checker.findNewProblems(wanted),
        previewPage: (path, wanted) => checker.previewPage(path, wanted),
        said,
        signal,
      }
      const result = await runTool(context, call)
      return { result, said, changes: [...workspace.changes] }
    },
    async check(): Promise<Packed> {
      const { problems, before, after } = await opened().checker.checkChange(signal)
      const [first, second] = [await textOf(before), await textOf(after)]
      const outcome: CheckOutcome = {
        problems: boundProblems(problems),
        beforeBytes: first?.length ?? null,
        afterBytes: second?.length ?? null,
      }
      return new Packed(outcome, Buffer.concat([first ?? NOTHING, second ?? NOTHING]))
    },
  }
}

const NOTHING = new Uint8Array()

async function textOf(manifest: SiteManifest | null): Promise<Buffer | null> {
  return manifest === null ? null : await encodeManifest(manifest)
}

type Bench = Pick<ToolContext, 'workspace'> & { checker: ReturnType<typeof createChangeChecker> }
