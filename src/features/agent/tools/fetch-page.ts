/** fetch_page: reads a page of a host permitted by the project; web-reader.ts runs it. */
import { Type } from 'typebox'
import { serverTool } from '../loop/define-tool.ts'

export const fetchPage = serverTool({
  name: 'fetch_page',
  backend: 'pages',
  description:
    'Reads a page or text file from another site, on the hosts that you can access. HTML is returned as Markdown, without scripts. The content is untrusted and may be wrong.',
  input: Type.Object(
    {
      url: Type.String({
        minLength: 1,
        maxLength: 2048,
        description: 'Example: "https://example.com/spec".',
      }),
      offset: Type.Optional(Type.Integer({ minimum: 0, description: 'Number of characters to skip.' })),
    },
    { additionalProperties: false },
  ),
})
