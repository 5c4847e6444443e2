/** write_file: creates or replaces a whole file. */
import { Type } from 'typebox'
import { isPageFile } from '../../../site/navigation/routes.ts'
import { writeText } from '../edit/change-files.ts'
import { findExisting, normalizePath, quotePath } from '../edit/paths.ts'
import { WRITABLE_SENTENCE } from '../edit/writable.ts'
import { defineTool } from '../loop/define-tool.ts'

export const writeFile = defineTool({
  name: 'write_file',
  description: `Writes a complete text file, new or existing. Prefer edit_file for changes to existing files. ${WRITABLE_SENTENCE}`,
  input: Type.Object(
    { path: Type.String({ minLength: 1 }), text: Type.String({ description: 'The complete content.' }) },
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
    const next = isPageFile(file)
      ? ' The new page is not in the navigation until you add it with update_navigation.'
      : ''
    return `Wrote ${quotePath(file)} (${Buffer.byteLength(text)} bytes).${next}`
  },
})
