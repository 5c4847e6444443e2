/** read_guide: reads a section of those site instructions that are too long for the system prompt. */
import { Type } from 'typebox'
import { defineTool } from '../loop/define-tool.ts'
import { MAX_RESULT_BYTES, sliceText } from '../loop/result-text.ts'
import { ToolRefusal } from '../loop/tool.ts'

/** Number of characters per result page; a character takes at most four bytes. */
const PIECE = Math.floor((MAX_RESULT_BYTES - 1024) / 4)

export const readGuide = defineTool({
  name: 'read_guide',
  description:
    "Reads a section of the site's own instructions by its number in your instructions. Only long instructions have sections. They are as binding as the rest of your instructions.",
  input: Type.Object(
    {
      section: Type.Integer({ minimum: 1 }),
      offset: Type.Optional(Type.Integer({ minimum: 0, description: 'Number of characters to skip.' })),
    },
    { additionalProperties: false },
  ),
  run: async ({ guide }, { section, offset = 0 }) => {
    if (guide.length === 0) throw new ToolRefusal('There are no sections: your instructions are complete.')
    const found = guide[section - 1]
    if (found === undefined)
      throw new ToolRefusal(`There is no section ${section}. The last one is ${guide.length}.`)
    return `${found.title}\n\n${sliceText(found.text, offset, PIECE)}`
  },
})
