/** preview: returns the text of a page as rendered for readers. */
import { Type } from 'typebox'
import { existingPath } from '../edit/paths.ts'
import { defineTool } from '../loop/define-tool.ts'
import { MAX_RESULT_BYTES } from '../loop/result-text.ts'

const PIECE = MAX_RESULT_BYTES - 1024

export const preview = defineTool({
  name: 'preview',
  description: 'Shows the text of a page as it is rendered with your changes, section by section.',
  input: Type.Object(
    {
      path: Type.String({ minLength: 1, description: 'File of the page, such as "guides/setup.mdx".' }),
      offset: Type.Optional(Type.Integer({ minimum: 0, description: 'Number of characters to skip.' })),
    },
    { additionalProperties: false },
  ),
  run: async (context, { path, offset = 0 }) => {
    const file = existingPath(context.workspace.tree, path)
    const text = await context.previewPage(file, context.signal)
    const rest = text.slice(offset)
    const shown = truncateToBytes(rest, PIECE)
    if (shown.length === rest.length) return shown === '' ? 'The page has no more text.' : shown
    return `${shown}\n(There is more: call again with offset ${offset + shown.length}.)`
  },
})

/** Returns the longest prefix that fits into `bytes`, cut at a line or word boundary if one is near. */
function truncateToBytes(text: string, bytes: number): string {
  if (Buffer.byteLength(text) <= bytes) return text
  const cut = Buffer.from(text)
    .subarray(0, bytes)
    .toString('utf8')
    .replace(/(?<!\ufffd)\ufffd+$/, '')
  const space = Math.max(cut.lastIndexOf('\n'), cut.lastIndexOf(' '))
  return space > cut.length - 500 ? cut.slice(0, space) : cut
}
