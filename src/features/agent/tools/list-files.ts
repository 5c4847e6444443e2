/** list_files: lists the files of the docs folder. */
import { Type } from 'typebox'
import { compileGlob, type LinePattern, PatternError } from '../code/line-pattern.ts'
import { hasFolder, isShown, normalizePath, quotePath } from '../edit/paths.ts'
import { defineTool } from '../loop/define-tool.ts'
import { fitLines, plural } from '../loop/result-text.ts'
import { type ToolContext, ToolRefusal } from '../loop/tool.ts'

const PAGE = 200
/** Step limit for matching a path; globs cannot need many. */
const GLOB_STEPS = 5_000_000

export const listFiles = defineTool({
  name: 'list_files',
  description:
    'Lists the files and folders in a folder of the docs. With a glob, lists all matching files below it instead. Long lists come in pieces.',
  input: Type.Object(
    {
      folder: Type.Optional(Type.String({ description: 'Below the docs folder; all of it when left out.' })),
      glob: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 300,
          description: 'Such as "**/*.mdx" or "*.{png,svg}"; relative to the folder.',
        }),
      ),
      offset: Type.Optional(Type.Integer({ minimum: 0, description: 'How many entries to pass over.' })),
    },
    { additionalProperties: false },
  ),
  run: async (context, { folder = '', glob, offset = 0 }) => {
    const folderPath = normalizePath(folder)
    if (!hasFolder(context.workspace.tree, folderPath)) {
      throw new ToolRefusal(`There is no folder ${quotePath(folderPath)}. List its parent folder, or search.`)
    }
    const entries =
      glob === undefined
        ? listEntries(context, folderPath)
        : listMatches(context, folderPath, compileListGlob(glob))
    const shown = fitLines(entries.slice(offset, offset + PAGE))
    const title = `${quotePath(folderPath || '.')}${glob === undefined ? '' : ` matching ${quotePath(glob)}`}`
    if (entries.length === 0) return `${title}: nothing.`
    if (shown.length === 0)
      return `${title}: ${plural(entries.length, 'entry', 'entries')}, none after ${offset}.`
    const end = offset + shown.length
    const more = end < entries.length ? `\n(More follow: ask again with offset ${end}.)` : ''
    return `${title}: ${offset + 1} to ${end} of ${entries.length}\n${shown.join('\n')}${more}`
  },
})

function compileListGlob(glob: string): LinePattern {
  try {
    return compileGlob(glob)
  } catch (error) {
    if (!(error instanceof PatternError)) throw error
    throw new ToolRefusal(`The glob cannot be used. ${error.message}`)
  }
}

/** Lists folders first, each with the number of files below it. */
function listEntries(context: ToolContext, folder: string): string[] {
  const prefix = folder === '' ? '' : `${folder}/`
  const folders = new Map<string, number>()
  const files: string[] = []
  for (const path of listShown(context, prefix)) {
    const rest = path.slice(prefix.length)
    const slash = rest.indexOf('/')
    if (slash === -1) files.push(formatFile(context, path))
    else folders.set(rest.slice(0, slash), (folders.get(rest.slice(0, slash)) ?? 0) + 1)
  }
  return [...[...folders].map(([name, count]) => `${prefix}${name}/ (${plural(count, 'file')})`), ...files]
}

function listMatches(context: ToolContext, folder: string, glob: LinePattern): string[] {
  const prefix = folder === '' ? '' : `${folder}/`
  return [...listShown(context, prefix)]
    .filter((path) => glob.find(path.slice(prefix.length), { left: GLOB_STEPS }) !== null)
    .map((path) => formatFile(context, path))
}

function listShown({ workspace }: ToolContext, prefix: string): string[] {
  return [...workspace.tree.files.keys()].filter((path) => path.startsWith(prefix) && isShown(path))
}

function formatFile({ workspace }: ToolContext, path: string): string {
  const sizeBytes = workspace.tree.files.get(path)?.sizeBytes ?? 0
  const isChanged = workspace.changes.has(path)
  const change = !isChanged ? '' : workspace.base.files.has(path) ? ', modified by you' : ', added by you'
  return `${path} (${plural(sizeBytes, 'byte')}${change})`
}
