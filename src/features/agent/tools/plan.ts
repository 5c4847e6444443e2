/** plan: maintains the task list, which is shown to users who follow the job. */
import { Type } from 'typebox'
import { defineTool } from '../loop/define-tool.ts'
import { plural } from '../loop/result-text.ts'

const MAX_ITEMS = 50

export const plan = defineTool({
  name: 'plan',
  description: 'Replaces your task list, which users see while you work. Keep it short and up to date.',
  input: Type.Object(
    {
      items: Type.Array(
        Type.Object(
          {
            text: Type.String({ minLength: 1, maxLength: 200 }),
            state: Type.Enum(['open', 'at_work', 'done']),
          },
          { additionalProperties: false },
        ),
        { maxItems: MAX_ITEMS },
      ),
    },
    { additionalProperties: false },
  ),
  run: async ({ said }, { items }) => {
    said.plan = items
    const remaining = items.filter((item) => item.state !== 'done').length
    return `The list has ${plural(items.length, 'item')}, ${remaining} of them not done.`
  },
})
