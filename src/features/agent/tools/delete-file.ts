/**
 * delete_file: deletes a text file or an image. Returns the references to the file, which the agent must
 * update.
 */
import { Type } from 'typebox'
import { describeReferences } from '../check/describe-references.ts'
import { findReferences } from '../check/find-references.ts'
import { deleteContent } from '../edit/change-files.ts'
import { existingPath, quotePath } from '../edit/paths.ts'
import { defineTool } from '../loop/define-tool.ts'

export const deleteFile = defineTool({
  name: 'delete_file',
  description:
    'Deletes a text file or a picture. The result lists the links, imports and navigation entries that point to it.',
  input: Type.Object({ path: Type.String({ minLength: 1 }) }, { additionalProperties: false }),
  run: async (context, { path }) => {
    const { tree } = context.workspace
    const file = existingPath(tree, path)
    const references = await findReferences(tree, file, context.signal)
    await deleteContent(context, file)
    return `Deleted ${quotePath(file)}. ${await describeReferences(tree, file, references)}`
  },
})
