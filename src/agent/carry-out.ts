/** Where a call of the model is carried out: in the process of the docs, or at the desks of code and of other sites. */
import { CODE_TOOL_NAMES } from '../contract/agent-tools.ts'
import type { ToolCall, ToolResult } from '../model/model.ts'
import { placePicture } from './place-picture.ts'
import { proveClaims } from './prove-claims.ts'
import type { Run } from './run.ts'

/** Rejects as the tools' processes do, and with the signal's reason. */
export async function carryOut(run: Run, call: ToolCall): Promise<ToolResult> {
  const { tools, code, pages, workSignal } = run
  const isCode = (CODE_TOOL_NAMES as readonly string[]).includes(call.name)
  if (isCode && code.names.length > 0) return await code.useTool(call, workSignal)
  if (call.name === 'fetch_page' && pages.hosts.length > 0) return await pages.useTool(call, workSignal)
  if (call.name === 'place_picture' && pages.hosts.length + code.names.length > 0)
    return await placePicture(run, call)
  const result = await tools.useTool(call, workSignal)
  return call.name === 'finish' && !result.isError ? await proveClaims(run, result) : result
}
