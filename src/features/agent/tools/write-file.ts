/** write_file: creates or replaces a whole file. */
import { Type } from 'typebox'
import { isPageFile } from '../../../site/navigation/routes.ts'
import { writeText } from '../edit/change-files.ts'
import { findExisting, normalizePath, quotePath } from '../edit/paths.ts'
import { WRITABLE_SENTENCE } from '../edit/writable.ts'
import { defineTool } from '../loop/define-tool.ts'

export const writeFile = defineTool({
  name: 'write_file',
  description: `Writes a whole text file: a new one, or in place of the one that is there. Change existing files with edit_file instead wherever that is possible. ${WRITABLE_SENTENCE}`,
  input: Type.Object(
    { path: Type.String({ minLength: 1 }), text: Type.String({ description: 'The whole content.' }) },
    { additionalProperties: false },
  ),
  run: async (context, { path, text }) => {
    const { tree } = context.workspace
    const normal = normalizePath(path)
    const existing = findExisting(tree, normal)
    const file = existing ?? normal
    const before = existing === null ? null : tree.files.get(existing)?.sizeBytes
    await writeText(context, file, text)
    if (before !== null)
      return `Replaced ${quotePath(file)} (${before} bytes before, ${Buffer.byteLength(text)} now).`
    const next = isPageFile(file) ? ' A new page is in no menu until update_navigation adds it.' : ''
    return `Wrote ${quotePath(file)} (${Buffer.byteLength(text)} bytes).${next}`
  },
})
