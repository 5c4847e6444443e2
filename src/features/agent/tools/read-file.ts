/** read_file: reads a range of numbered lines; for an image, its size and the pages that show it. */
import { Type } from 'typebox'
import { readText } from '../edit/change-files.ts'
import { describeImageUse } from '../edit/describe-picture.ts'
import { existingPath, quotePath } from '../edit/paths.ts'
import { defineTool } from '../loop/define-tool.ts'
import { fitLines, plural } from '../loop/result-text.ts'
import { isImageFile } from '../review/change-content.ts'

const DEFAULT_READ_LINES = 400
const MAX_READ_LINE_CHARACTERS = 2000

export const readFile = defineTool({
  name: 'read_file',
  description:
    'Reads a text file: numbered lines, each number followed by a tab that is not part of the file. Long files are returned in parts, and very long lines are cut. For an image, returns its size in pixels and where it is used, and shows it to models with vision.',
  input: Type.Object(
    {
      path: Type.String({ minLength: 1, description: 'Example: "guides/setup.mdx".' }),
      line: Type.Optional(Type.Integer({ minimum: 1, description: 'First line to show. Default: 1.' })),
      lines: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 2000,
          description: `Number of lines. Default: ${DEFAULT_READ_LINES}.`,
        }),
      ),
      column: Type.Optional(
        Type.Integer({
          minimum: 1,
          description: 'First character of each line to show, for truncated lines.',
        }),
      ),
    },
    { additionalProperties: false },
  ),
  run: async (context, { path, line = 1, lines = DEFAULT_READ_LINES, column = 1 }) => {
    const { workspace } = context
    const file = existingPath(workspace.tree, path)
    if (isImageFile(file)) return await describeImageUse(context, file)
    const text = (await readText(workspace.tree, file)).replace(/^\ufeff/, '')
    if (text === '') return `${quotePath(file)} is empty.`
    const all = text.split('\n').map((one) => one.replace(/\r$/, ''))
    if (all.at(-1) === '') all.pop()
    if (line > all.length)
      return `${quotePath(file)} has ${plural(all.length, 'line')}, none from line ${line} on.`
    const shown = fitLines(
      all.slice(line - 1, line - 1 + lines).map((one, index) => `${line + index}\t${cut(one, column)}`),
    )
    const end = line + shown.length - 1
    const more = end < all.length ? `\n(There is more: call again with line ${end + 1}.)` : ''
    return `${quotePath(file)}: lines ${line} to ${end} of ${all.length}\n${shown.join('\n')}${more}`
  },
})

function cut(line: string, column: number): string {
  const rest = line.slice(column - 1)
  if (rest.length <= MAX_READ_LINE_CHARACTERS) return rest
  const next = column + MAX_READ_LINE_CHARACTERS
  const remaining = rest.length - MAX_READ_LINE_CHARACTERS
  return `${rest.slice(0, MAX_READ_LINE_CHARACTERS)} (… ${remaining} more characters in this line: call with column ${next})`
}
