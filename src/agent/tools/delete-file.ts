/** delete_file: a text file or a picture less. What named it is told, and left to the agent. */
import { Type } from 'typebox'
import { deleteContent } from '../change-files.ts'
import { defineTool } from '../define-tool.ts'
import { findReferences } from '../find-references.ts'
import { existingPath, quotePath } from '../paths.ts'
import { tellReferences } from '../tell-references.ts'

export const deleteFile = defineTool({
  name: 'delete_file',
  description:
    'Deletes a text file or a picture. The result names the links, imports and menu entries that led to it.',
  input: Type.Object({ path: Type.String({ minLength: 1 }) }, { additionalProperties: false }),
  run: async (context, { path }) => {
    const { tree } = context.workspace
    const file = existingPath(tree, path)
    const references = await findReferences(tree, file, context.signal)
    await deleteContent(context, file)
    return `Deleted ${quotePath(file)}. ${await tellReferences(tree, file, references)}`
  },
})
