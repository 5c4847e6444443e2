/**
 * move_file: renames a text file or an image. Returns the references to the file, which the agent must
 * update.
 */
import { Type } from 'typebox'
import { describeReferences } from '../check/describe-references.ts'
import { findReferences } from '../check/find-references.ts'
import { checkDeletable, moveContent } from '../edit/change-files.ts'
import { existingPath, findExisting, normalizePath, quotePath } from '../edit/paths.ts'
import { defineTool } from '../loop/define-tool.ts'
import { ToolRefusal } from '../loop/tool.ts'

export const moveFile = defineTool({
  name: 'move_file',
  description:
    'Moves or renames a text file or a picture. Links, imports and the navigation are not updated automatically: the result lists those that must be changed.',
  input: Type.Object(
    {
      from: Type.String({ minLength: 1 }),
      to: Type.String({ minLength: 1, description: 'The complete new path.' }),
    },
    { additionalProperties: false },
  ),
  run: async (context, { from, to }) => {
    const { tree } = context.workspace
    const source = existingPath(tree, from)
    const target = normalizePath(to)
    if (target === source) throw new ToolRefusal('Both paths are the same.')
    if (findExisting(tree, target) !== null) {
      throw new ToolRefusal(`${quotePath(target)} already exists. Choose another name, or delete it first.`)
    }
    await checkDeletable(context.workspace, source)
    const references = await findReferences(tree, source, context.signal)
    await moveContent(context, source, target)
    const followers = await describeReferences(context.workspace.tree, source, references)
    return `Moved ${quotePath(source)} to ${quotePath(target)}. ${followers} If it was a page, add a redirect from the old path to docs.json.`
  },
})
