/** Where a call of the model is carried out: in the process of the docs, or at the desks of code and of other sites. */
import type { ToolCall, ToolResult } from '../../../model/model.ts'
import { proveClaims } from '../check/prove-claims.ts'
import { placePicture } from '../edit/place-picture.ts'
import type { Run } from '../run.ts'
import { deskOf } from './toolbox.ts'

/** Rejects as the tools' processes do, and with the signal's reason. */
export async function carryOut(run: Run, call: ToolCall): Promise<ToolResult> {
  const { tools, code, pages, workSignal } = run
  const desk = deskOf(call.name, { code: code.names.length > 0, hosts: pages.hosts.length > 0 })
  if (desk === 'code') return await code.useTool(call, workSignal)
  if (desk === 'pages') return await pages.useTool(call, workSignal)
  if (desk === 'pictures') return await placePicture(run, call)
  const result = await tools.useTool(call, workSignal)
  return call.name === 'finish' && !result.isError ? await proveClaims(run, result) : result
}
