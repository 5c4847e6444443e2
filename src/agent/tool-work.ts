/** What runs in the process of a job's tools: all that reads the repository's files and the model's patterns. */
import type { OpenInside } from '../sandbox/inside.ts'
import { type ChangeCheck, createChangeChecker } from './check-change.ts'
import { CapReachedError, type ToolContext } from './tool.ts'
import type { ToolCallInput, ToolOutcome, ToolStart } from './tool-process.ts'
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
      const changes = () => [...workspace.changes]
      try {
        return { result: await runTool(context, call), said, changes: changes() }
      } catch (error) {
        if (error instanceof CapReachedError) return { capReached: error.message, said, changes: changes() }
        throw error
      }
    },
    async check(): Promise<ChangeCheck> {
      return await opened().checker.checkChange(signal)
    },
  }
}

type Bench = Pick<ToolContext, 'workspace'> & { checker: ReturnType<typeof createChangeChecker> }
