/** list_files: lists the files of the docs folder. */
import { Type } from 'typebox'
import { fileFilter } from '../code/line-pattern.ts'
import { hasFolder, isShown, normalizePath, quotePath } from '../edit/paths.ts'
import { defineTool } from '../loop/define-tool.ts'
import { fitLines, formatMoreNote, plural } from '../loop/result-text.ts'
import { type ToolContext, ToolRefusal } from '../loop/tool.ts'

const PAGE = 200

export const listFiles = defineTool({
  name: 'list_files',
  description:
    'Lists the files and folders in a folder of the docs. With a glob, lists all matching files below it instead. Long lists are returned in parts.',
  input: Type.Object(
    {
      folder: Type.Optional(
        Type.String({ description: 'Folder below the docs folder. Default: everything.' }),
      ),
      glob: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 300,
          description: 'Relative to the folder; for example "**/*.mdx" or "*.{png,svg}".',
        }),
      ),
      offset: Type.Optional(Type.Integer({ minimum: 0, description: 'Number of entries to skip.' })),
    },
    { additionalProperties: false },
  ),
  run: async (context, { folder = '', glob, offset = 0 }) => {
    const folderPath = normalizePath(folder)
    if (!hasFolder(context.workspace.tree, folderPath)) {
      throw new ToolRefusal(`There is no folder ${quotePath(folderPath)}. List its parent folder, or search.`)
    }
    const prefix = folderPath === '' ? '' : `${folderPath}/`
    const files = [...context.workspace.tree.files.keys()]
      .filter(isShown)
      .filter(fileFilter(prefix, glob, false))
    const entries =
      glob === undefined
        ? listEntries(context, prefix, files)
        : files.map((path) => formatFile(context, path))
    const shown = fitLines(entries.slice(offset, offset + PAGE))
    const title = `${quotePath(folderPath || '.')}${glob === undefined ? '' : ` matching ${quotePath(glob)}`}`
    if (entries.length === 0) return `${title}: nothing.`
    if (shown.length === 0)
      return `${title}: ${plural(entries.length, 'entry', 'entries')}, none after ${offset}.`
    const end = offset + shown.length
    const more = formatMoreNote(end, entries.length)
    return `${title}: ${offset + 1} to ${end} of ${entries.length}\n${shown.join('\n')}${more}`
  },
})

function listEntries(context: ToolContext, prefix: string, paths: readonly string[]): string[] {
  const folders = new Map<string, number>()
  const files: string[] = []
  for (const path of paths) {
    const rest = path.slice(prefix.length)
    const slash = rest.indexOf('/')
    if (slash === -1) files.push(formatFile(context, path))
    else folders.set(rest.slice(0, slash), (folders.get(rest.slice(0, slash)) ?? 0) + 1)
  }
  return [...[...folders].map(([name, count]) => `${prefix}${name}/ (${plural(count, 'file')})`), ...files]
}

function formatFile({ workspace }: ToolContext, path: string): string {
  const sizeBytes = workspace.tree.files.get(path)?.sizeBytes ?? 0
  const isChanged = workspace.changes.has(path)
  const change = !isChanged ? '' : workspace.base.files.has(path) ? ', modified by you' : ', added by you'
  return `${path} (${plural(sizeBytes, 'byte')}${change})`
}
