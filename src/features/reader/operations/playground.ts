/** API calls that readers make through the platform if the API does not allow calls from the page. */
import { type Static, Type } from 'typebox'

/**
 * Limits: characters of a URL, number of headers, characters of the headers, bytes of a base64 body, bytes of
 * a response, and milliseconds in total.
 */
export const CALL_LIMITS = {
  url: 2048,
  headers: 60,
  header: 16_384,
  body: 900_000,
  answerBytes: 10_000_000,
  milliseconds: 60_000,
} as const

const closedObject = { additionalProperties: false } as const

const Header = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 200, pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$" }),
    value: Type.String({ maxLength: CALL_LIMITS.header, pattern: '^[\\t\\x20-\\x7e\\x80-\\xff]*$' }),
  },
  closedObject,
)

export const ForwardCallBody = Type.Object(
  {
    method: Type.Enum(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']),
    url: Type.String({
      minLength: 1,
      maxLength: CALL_LIMITS.url,
      description:
        'URL on a server listed in the API descriptions of the published version or of the newest bundles.',
    }),
    headers: Type.Optional(
      Type.Array(Header, {
        maxItems: CALL_LIMITS.headers,
        description: 'Cookies, hop-by-hop headers and forwarding headers of proxies are removed.',
      }),
    ),
    body: Type.Optional(
      Type.String({
        maxLength: CALL_LIMITS.body,
        pattern: '^[A-Za-z0-9+/]*={0,2}$',
        description: 'Base64-encoded.',
      }),
    ),
  },
  { ...closedObject, title: 'ForwardCall' },
)
export type ForwardCallBody = Static<typeof ForwardCallBody>

export const CALL_EVENTS = {
  head: Type.Object(
    {
      status: Type.Integer(),
      headers: Type.Array(Type.Object({ name: Type.String(), value: Type.String() }, closedObject)),
    },
    { ...closedObject, title: 'CallHead' },
  ),
  part: Type.Object(
    { data: Type.String({ description: 'Part of the body, Base64-encoded.' }) },
    { ...closedObject, title: 'CallPart' },
  ),
  end: Type.Object(
    {
      isCut: Type.Boolean({
        description: `Whether the response is longer than ${CALL_LIMITS.answerBytes} bytes and was truncated.`,
      }),
    },
    { ...closedObject, title: 'CallEnd' },
  ),
  error: Type.Object(
    { error: Type.String({ description: 'Why the response failed or was cut off.' }) },
    { ...closedObject, title: 'CallError' },
  ),
} as const

export const CallStream = Type.String({
  description: `Server-sent events: \`head\`, then a \`part\` for each chunk of the body, and \`end\` or \`error\`. Their data, as JSON Schema: ${JSON.stringify(CALL_EVENTS)}`,
})

export type CallEvent = {
  [Name in keyof typeof CALL_EVENTS]: { event: Name; data: Static<(typeof CALL_EVENTS)[Name]> }
}[keyof typeof CALL_EVENTS]
