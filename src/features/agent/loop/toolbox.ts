/** The tools of the agent, and the dispatch of tool calls. */
import { FileMissingError } from '../../../base/files/file-tree.ts'
import { GuardedFetchError } from '../../../base/net/guarded-fetch.ts'
import type { ToolCall, ToolResult } from '../../../model/model.ts'
import { quotePath } from '../edit/paths.ts'
import { TOOL_NAMES, type ToolName } from '../operations/agent-tools.ts'
import { askPerson } from '../tools/ask-person.ts'
import { check } from '../tools/check.ts'
import { diffCode, listCode, outlineCode, readCode, searchCode } from '../tools/code-tools.ts'
import { deleteFile } from '../tools/delete-file.ts'
import { editFile } from '../tools/edit-file.ts'
import { fetchPage } from '../tools/fetch-page.ts'
import { finish } from '../tools/finish.ts'
import { listFiles } from '../tools/list-files.ts'
import { moveFile } from '../tools/move-file.ts'
import { placePicture } from '../tools/place-picture.ts'
import { plan } from '../tools/plan.ts'
import { preview } from '../tools/preview.ts'
import { readApi } from '../tools/read-api.ts'
import { readFile } from '../tools/read-file.ts'
import { readGuide } from '../tools/read-guide.ts'
import { search } from '../tools/search.ts'
import { updateNavigation } from '../tools/update-navigation.ts'
import { writeFile } from '../tools/write-file.ts'
import { truncateResult } from './result-text.ts'
import { type Tool, type ToolBackend, type ToolContext, ToolRefusal } from './tool.ts'

const TOOLS_BY_NAME: Readonly<Record<ToolName, Tool>> = {
  plan,
  read_guide: readGuide,
  list_files: listFiles,
  read_file: readFile,
  search,
  read_api: readApi,
  list_code: listCode,
  search_code: searchCode,
  read_code: readCode,
  outline_code: outlineCode,
  diff_code: diffCode,
  fetch_page: fetchPage,
  place_picture: placePicture,
  edit_file: editFile,
  write_file: writeFile,
  move_file: moveFile,
  delete_file: deleteFile,
  update_navigation: updateNavigation,
  check,
  preview,
  ask_person: askPerson,
  finish,
}

export const TOOLS: readonly Tool[] = TOOL_NAMES.map((name) => TOOLS_BY_NAME[name])

/** Resources other than the docs that the project has configured for its agent. */
export interface ToolResources {
  code: boolean
  hosts: boolean
  /** Whether a person can answer questions. */
  person?: boolean
}

const IS_AVAILABLE: Record<ToolBackend, (resources: ToolResources) => boolean> = {
  code: (resources) => resources.code,
  pages: (resources) => resources.hosts,
  person: (resources) => resources.person === true,
  pictures: (resources) => resources.code || resources.hosts,
}

/**
 * Returns the part of the server that runs a tool. Null means the process that works on the docs; it also rejects tools
 * for which the project has no resources.
 */
export function findBackend(name: string, resources: ToolResources): ToolBackend | null {
  const declaredBackend = TOOLS.find((tool) => tool.name === name)?.backend
  return declaredBackend !== undefined && IS_AVAILABLE[declaredBackend](resources) ? declaredBackend : null
}

/** Returns the available tools. Tools without resources in the project are left out, to shorten requests. */
export function listOfferedTools(resources: ToolResources): readonly Tool[] {
  return TOOLS.filter(({ backend }) => backend === undefined || IS_AVAILABLE[backend](resources))
}

/**
 * Runs a tool call. For unknown tools, invalid input and rejected calls, the result explains to the model
 * what to do. Rejects with the signal's reason, and with errors caused by neither the model nor the author.
 */
export async function runTool(context: ToolContext, call: ToolCall): Promise<ToolResult> {
  return await runAsResult(context, call, async () => {
    const tool = TOOLS.find(({ name }) => name === call.name)
    if (tool !== undefined) return await tool.run(context, call.input)
    const names = TOOLS.map(({ name }) => name).join(', ')
    throw new ToolRefusal(`There is no tool ${quotePath(call.name)}. The tools are ${names}.`)
  })
}

/** Runs `work` as a call and returns its result, even if it throws ToolRefusal. Rejects like `runTool`. */
export async function runAsResult(
  { signal }: Pick<ToolContext, 'signal'>,
  { id: callId, name }: ToolCall,
  work: () => Promise<string>,
): Promise<ToolResult> {
  signal.throwIfAborted()
  const { text, isError } = await withReadableErrors(work, signal)
  return { callId, name, text: truncateResult(text), isError }
}

async function withReadableErrors(
  work: () => Promise<string>,
  signal: AbortSignal,
): Promise<{ text: string; isError: boolean }> {
  try {
    return { text: await work(), isError: false }
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof ToolRefusal || error instanceof GuardedFetchError)
      return { text: error.message, isError: true }
    if (error instanceof FileMissingError) {
      return { text: `There is no file ${quotePath(error.path)}.`, isError: true }
    }
    throw error
  }
}
