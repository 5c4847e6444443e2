/** Form data of an AsyncAPI channel that uses WebSocket. */
import {
  fieldsOf,
  followReference,
  type Json,
  type JsonObject,
  listOf,
  ownField,
  textOf,
} from '../../openapi/api-json.ts'
import type { PlaygroundServer } from '../../openapi/playground-data.ts'
import { createSchemaScope, flatten, isRequiredIn } from '../../openapi/schema.ts'
import { serverTemplates } from '../../openapi/servers.ts'
import type { ApiOperation } from '../../site/model.ts'
import { channelAddress, channelServers, exchangesOf, findChannel, serverAddress } from './channel.ts'
import type { ChannelMessage, PlaygroundSource } from './playground-operation.ts'

/** Returns null for a channel that a browser cannot open. */
export function channelSource(
  root: JsonObject,
  { method, path }: ApiOperation,
): Omit<PlaygroundSource, 'id'> | null {
  const channel = method === 'CHANNEL' ? findChannel(root, path) : null
  if (channel === null) return null
  const servers = socketServers(root, channel)
  if (servers.length === 0) return null
  const address = channelAddress(path, channel)
  const exchanges = exchangesOf(root, channel)
  return {
    method: /^wss/.test(servers[0]?.url ?? '') ? 'WSS' : 'WS',
    path: /^[/?]/.test(address) ? address : `/${address}`,
    servers,
    parameters: [...placesOf(root, channel), ...queryOf(root, channel)],
    body: {},
    messages: exchanges
      .filter(({ direction }) => direction === 'send')
      .flatMap(({ messages }) => messages.map((one) => messageOf(root, one))),
    ...securityOf(root, channel),
  }
}

/** Returns the WebSocket servers, with the scheme of their protocol. */
function socketServers(root: JsonObject, channel: JsonObject): PlaygroundServer[] {
  const servers = channelServers(root, channel).flatMap(({ server }): JsonObject[] => {
    const protocol = textOf(server.protocol)?.toLowerCase() ?? ''
    const address = serverAddress(server)
    const scheme = /^(wss?|https?):\/\//i.exec(address)?.[1]?.toLowerCase()
    if (!/^wss?$/.test(protocol) && !/^wss?$/.test(scheme ?? '')) return []
    const isSecure = scheme === undefined ? protocol === 'wss' : /^(?:wss|https)$/.test(scheme)
    const bare = address.replace(/^[a-z][a-z0-9+.-]*:\/\//i, '')
    if (!/^[^/?#]/.test(bare)) return []
    const variables = Object.entries(fieldsOf(server.variables)).map(
      ([name, one]) => [name, followReference(root, one)] as const,
    )
    return [
      {
        url: `${isSecure ? 'wss' : 'ws'}://${bare}`,
        description: textOf(server.title) ?? textOf(server.summary) ?? textOf(server.description) ?? '',
        variables: Object.fromEntries(variables),
      },
    ]
  })
  return serverTemplates([{ servers }])
}

/** Parameters of the address: version 2 has a schema per parameter, version 3 the keywords themselves. */
function placesOf(root: JsonObject, channel: JsonObject): JsonObject[] {
  return Object.entries(fieldsOf(channel.parameters)).map(([name, one]) => {
    const parameter = followReference(root, one)
    const { enum: options, default: initial, examples } = parameter
    const keywords = Object.entries({ enum: options, default: initial, examples }).filter(
      (pair): pair is [string, Json] => pair[1] !== undefined,
    )
    return {
      ...{ name, in: 'path', required: true, description: parameter.description ?? '' },
      schema: parameter.schema ?? { type: 'string', ...Object.fromEntries(keywords) },
    }
  })
}

/** Returns the query parameters defined by the WebSocket binding. */
function queryOf(root: JsonObject, channel: JsonObject): JsonObject[] {
  const { query } = followReference(root, fieldsOf(followReference(root, channel.bindings)).ws)
  if (query === undefined) return []
  const { schema } = flatten(createSchemaScope(root), query)
  return Object.entries(fieldsOf(schema.properties)).map(([name, one]) => ({
    ...{ name, in: 'query', required: isRequiredIn(schema, name) },
    ...{ description: followReference(root, one).description ?? '', schema: one },
  }))
}

function messageOf(
  root: JsonObject,
  { name, message }: { name: string; message: JsonObject },
): ChannelMessage {
  const { payload } = message
  const schema = ownField(payload, 'schemaFormat') === undefined ? payload : ownField(payload, 'schema')
  const [example] = listOf(message.examples).map((one) => fieldsOf(one).payload)
  const type = textOf(message.contentType) ?? textOf(root.defaultContentType) ?? 'application/json'
  return {
    name,
    type,
    media: { ...(schema === undefined ? {} : { schema }), ...(example === undefined ? {} : { example }) },
  }
}

/** Version 2 refers to schemes by name, version 3 contains or references them: each is one alternative. */
function securityOf(root: JsonObject, channel: JsonObject): Pick<PlaygroundSource, 'ways' | 'schemes'> {
  const given = channelServers(root, channel).find(({ server }) => server.security !== undefined)
  const schemes: JsonObject = { ...fieldsOf(fieldsOf(root.components).securitySchemes) }
  const ways = listOf(given?.server.security).map((way, index): JsonObject => {
    const { $ref, type } = fieldsOf(way)
    if ($ref === undefined && type === undefined) return fieldsOf(way)
    const scheme = followReference(root, way)
    const name = (typeof $ref === 'string' ? $ref.split('/').at(-1) : undefined) ?? `scheme-${index + 1}`
    schemes[name] = scheme
    return { [name]: listOf(scheme.scopes) }
  })
  return { ways, schemes }
}
