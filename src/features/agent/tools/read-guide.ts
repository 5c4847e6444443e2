/** read_guide: reads a section of the site's instructions, from files that are too long for the system prompt. */
import { Type } from 'typebox'
import { defineTool } from '../loop/define-tool.ts'
import { MAX_RESULT_BYTES } from '../loop/result-text.ts'
import { ToolRefusal } from '../loop/tool.ts'

/** Characters per page of the result: none takes more than four bytes. */
const PIECE = Math.floor((MAX_RESULT_BYTES - 1024) / 4)

export const readGuide = defineTool({
  name: 'read_guide',
  description:
    "Reads a section of the site's own instructions by the number that your instructions list it with; only long instructions have sections. They hold as your instructions do.",
  input: Type.Object(
    {
      section: Type.Integer({ minimum: 1 }),
      offset: Type.Optional(Type.Integer({ minimum: 0, description: 'How many characters to pass over.' })),
    },
    { additionalProperties: false },
  ),
  run: async ({ guide }, { section, offset = 0 }) => {
    if (guide.length === 0) throw new ToolRefusal('There are no sections: your instructions are whole.')
    const found = guide[section - 1]
    if (found === undefined)
      throw new ToolRefusal(`There is no section ${section}; they end with ${guide.length}.`)
    const shown = found.text.slice(offset, offset + PIECE)
    const end = offset + shown.length
    const more = end < found.text.length ? `\n(More follows: ask again with offset ${end}.)` : ''
    return `${found.title}\n\n${shown}${more}`
  },
})
