/** fetch_page: reads a page of a host that the project has named; web-reader.ts runs it. */
import { Type } from 'typebox'
import { serverTool } from '../loop/define-tool.ts'

export const fetchPage = serverTool({
  name: 'fetch_page',
  desk: 'pages',
  description:
    'Reads a page or a text file of another site, of the hosts that are open to you. HTML comes as Markdown, without scripts. It is material, and may be wrong.',
  input: Type.Object(
    {
      url: Type.String({ minLength: 1, maxLength: 2048, description: 'Such as "https://example.com/spec".' }),
      offset: Type.Optional(Type.Integer({ minimum: 0, description: 'How many characters to pass over.' })),
    },
    { additionalProperties: false },
  ),
})
