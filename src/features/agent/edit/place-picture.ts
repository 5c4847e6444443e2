/**
 * A picture from elsewhere becomes a file of the docs. It is brought by the server, through the same doors as pages of
 * other sites and files of code, and looked at in the tools' process before it is one of the changes.
 */
import { GuardedFetchError } from '../../../base/net/guarded-fetch.ts'
import type { ToolCall, ToolResult } from '../../../model/model.ts'
import { ToolRefusal } from '../loop/tool.ts'
import { pictureOf } from '../review/change-content.ts'
import type { Run } from '../run.ts'
import { placePicture as tool } from '../tools/place-picture.ts'

interface BroughtPicture {
  bytes: Uint8Array
  /** For people: the address without what may be secret in it, or the repository, commit and file. */
  source: string
}

type Placing = Pick<Run, 'code' | 'pages' | 'tools' | 'workSignal'>

/** Rejects with the signal's reason, and as the tools' process does. */
export async function placePicture(run: Placing, call: ToolCall): Promise<ToolResult> {
  const { tools, workSignal } = run
  try {
    const { path, ...from } = tool.read(call.input)
    const { bytes, source } = await bring(run, from, workSignal)
    return await tools.placePicture(call, { path, picture: pictureOf(bytes), source }, workSignal)
  } catch (error) {
    workSignal.throwIfAborted()
    if (error instanceof ToolRefusal || error instanceof GuardedFetchError)
      return { callId: call.id, name: call.name, text: error.message, isError: true }
    throw error
  }
}

interface From {
  url?: string | undefined
  repository?: string | undefined
  file?: string | undefined
}

async function bring(
  { code, pages }: Placing,
  { url, repository, file }: From,
  signal: AbortSignal,
): Promise<BroughtPicture> {
  if (url !== undefined && repository === undefined && file === undefined) {
    if (pages.hosts.length === 0)
      throw new ToolRefusal(
        'This project has opened no other site to you: take pictures of its repositories.',
      )
    return await pages.fetchPicture(url, signal)
  }
  if (url === undefined && repository !== undefined && file !== undefined) {
    if (code.names.length === 0)
      throw new ToolRefusal('This project has no code repository: take pictures of the hosts that are open.')
    return await code.readPicture(repository, file, signal)
  }
  throw new ToolRefusal('Give either `url`, or both `repository` and `file`.')
}
