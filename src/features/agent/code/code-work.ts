/** Runs in the process that reads a code repository: the read-only tools, on its files at a commit. */
import { FileMissingError } from '../../../base/files/file-tree.ts'
import { type OpenInside, Packed } from '../../../sandbox/inside.ts'
import { findText } from '../edit/change-files.ts'
import { isShown, quotePath } from '../edit/paths.ts'
import { truncateResult } from '../loop/result-text.ts'
import { type ToolContext, ToolRefusal } from '../loop/tool.ts'
import { openWorkspace } from '../publish/workspace.ts'
import { MAX_PICTURE_BYTES } from '../review/change-content.ts'
import { listFiles } from '../tools/list-files.ts'
import { readFile } from '../tools/read-file.ts'
import { search } from '../tools/search.ts'
import { outlineFiles } from './code-outline.ts'

/** Message to the process; its input has been validated. */
export interface CodeToolRequest {
  tool: 'list_code' | 'search_code' | 'read_code' | 'outline_code'
  input: object
}

export interface CodeToolResult {
  text: string
  isError: boolean
}

export interface CodeFile {
  refused: string | null
}

/** Line range of a file that a statement cites. */
export interface CodeLines {
  path: string
  first: number
  last: number
}

export const open: OpenInside = ({ tree }) => {
  const { signal } = new AbortController() // calls are cancelled by ending the process
  const context: ToolContext = {
    workspace: openWorkspace(tree, new Map()),
    caps: { files: 0, bytes: 0 },
    guide: [],
    findNewProblems: async () => [],
    previewPage: async (path) => {
      throw new FileMissingError(path)
    },
    said: { plan: [], finish: null },
    signal,
  }
  const look = async ({ tool, input }: CodeToolRequest): Promise<string> => {
    if (tool === 'list_code') return await listFiles.run(context, input)
    if (tool === 'search_code') return await search.run(context, input)
    if (tool === 'read_code') return await readFile.run(context, input)
    return await outlineFiles(tree, input, signal)
  }
  return {
    async look(toolRequest: CodeToolRequest): Promise<CodeToolResult> {
      try {
        return { text: truncateResult(await look(toolRequest)), isError: false }
      } catch (error) {
        if (error instanceof ToolRefusal) return { text: rewordForCode(error.message), isError: true }
        if (error instanceof FileMissingError)
          return { text: `There is no file ${quotePath(error.path)}.`, isError: true }
        throw error
      }
    },
    async file({ path }: { path: string }): Promise<Packed> {
      const size = isShown(path) ? tree.files.get(path)?.sizeBytes : undefined
      const none = (refused: string) => new Packed({ refused } satisfies CodeFile, new Uint8Array())
      if (size === undefined) return none(`There is no file ${quotePath(path)} in it. See list_code.`)
      if (size > MAX_PICTURE_BYTES)
        return none(`Not added: ${quotePath(path)} has ${size} bytes, more than ${MAX_PICTURE_BYTES}.`)
      return new Packed({ refused: null } satisfies CodeFile, await tree.read(path))
    },
    /** Returns null when the file does not exist, is not text, or has fewer lines. */
    async lines({ path, first, last }: CodeLines): Promise<string | null> {
      if (!isShown(path)) return null
      const lines = (await findText(tree, path))?.split('\n') ?? []
      if (lines.at(-1) === '') lines.pop()
      return first < 1 || last < first || last > lines.length ? null : lines.slice(first - 1, last).join('\n')
    },
  }
}

/** Rewrites error messages of the documentation tools, which mention the docs folder and other documentation tools. */
function rewordForCode(refusal: string): string {
  return refusal
    .replaceAll('the docs folder', 'the repository')
    .replaceAll('the documentation', 'the code')
    .replaceAll('list_files', 'list_code')
    .replaceAll('"guides/setup.mdx"', '"src/cli.ts"')
}
