/** finish: the agent's account of its work, which ends its turn. */
import { Type } from 'typebox'
import { defineTool } from '../define-tool.ts'
import { normalizePath, quotePath } from '../paths.ts'
import { plural } from '../result-text.ts'
import { type Finish, type ToolContext, ToolRefusal } from '../tool.ts'

const MAX_TITLE = 100

export const finish = defineTool({
  name: 'finish',
  description:
    'Ends your work with the account of it that reviewers read. Every file that you changed needs a reason. Finish without changes when nothing should be changed, and say why in the summary.',
  input: Type.Object(
    {
      title: Type.String({
        minLength: 1,
        maxLength: MAX_TITLE,
        description: 'What the change does, in one line, as the title of a pull request.',
      }),
      summary: Type.String({
        minLength: 1,
        maxLength: 8000,
        description: 'What was changed and why, and what was left open. Markdown.',
      }),
      reasons: Type.Array(
        Type.Object(
          {
            path: Type.String({ minLength: 1 }),
            reason: Type.String({
              minLength: 1,
              maxLength: 1000,
              description: 'Why this file changed, and what the change rests on.',
            }),
          },
          { additionalProperties: false },
        ),
        {
          maxItems: 1000,
          description: 'One for each changed file, deleted ones too; empty without changes.',
        },
      ),
    },
    { additionalProperties: false },
  ),
  run: async (context, { title, summary, reasons }) => {
    const heading = title.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim()
    if (heading === '') throw new ToolRefusal('The title is empty. Say in one line what the change does.')
    context.said.finish = { title: heading, summary, reasons: reasonsOf(context, reasons) }
    const count = context.workspace.changes.size
    return count === 0 ? 'Finished without changes.' : `Finished with ${plural(count, 'changed file')}.`
  },
})

function reasonsOf(
  { workspace }: ToolContext,
  given: readonly { path: string; reason: string }[],
): Finish['reasons'] {
  const byPath = new Map(given.map(({ path, reason }) => [normalizePath(path), reason.trim()]))
  const changed = workspace.changedFiles().map(({ path }) => path)
  const reasonOf = (path: string) => byPath.get(path.normalize('NFC')) ?? ''
  const missing = changed.filter((path) => reasonOf(path) === '')
  if (missing.length > 0) {
    const named = missing.slice(0, 30).map(quotePath).join(', ')
    throw new ToolRefusal(
      `Give a reason for each changed file. ${plural(missing.length, 'file has', 'files have')} none: ${named}.`,
    )
  }
  return Object.fromEntries(changed.map((path) => [path, reasonOf(path)]))
}
