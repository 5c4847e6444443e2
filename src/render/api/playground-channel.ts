/** Creates the playground data of an AsyncAPI channel that uses WebSocket. */
import {
  asArray,
  asObject,
  asText,
  followReference,
  getOwnField,
  type JsonObject,
} from '../../openapi/api-json.ts'
import type { PlaygroundServer } from '../../openapi/playground-data.ts'
import { createSchemaScope, flatten, isRequiredIn } from '../../openapi/schema.ts'
import { listServerTemplates } from '../../openapi/servers.ts'
import type { ApiOperation } from '../../site/model.ts'
import {
  channelAddress,
  findChannel,
  getParameterSchema,
  listChannelServers,
  listExchanges,
  serverAddress,
} from './channel.ts'
import type { ChannelMessage, PlaygroundSource } from './playground-operation.ts'

/** Returns null for a channel that browsers cannot connect to. */
export function channelSource(
  root: JsonObject,
  { method, path }: ApiOperation,
): Omit<PlaygroundSource, 'id'> | null {
  const channel = method === 'CHANNEL' ? findChannel(root, path) : null
  if (channel === null) return null
  const servers = socketServers(root, channel)
  if (servers.length === 0) return null
  const address = channelAddress(path, channel)
  const exchanges = listExchanges(root, channel)
  return {
    method: /^wss/.test(servers[0]?.url ?? '') ? 'WSS' : 'WS',
    path: /^[/?]/.test(address) ? address : `/${address}`,
    servers,
    parameters: [...listAddressParameters(root, channel), ...listQueryParameters(root, channel)],
    body: {},
    messages: exchanges
      .filter(({ direction }) => direction === 'send')
      .flatMap(({ messages }) => messages.map((one) => findMessage(root, one))),
    ...findSecurity(root, channel),
  }
}

/** Returns the WebSocket servers, with `ws` or `wss` as the scheme of their URLs. */
function socketServers(root: JsonObject, channel: JsonObject): PlaygroundServer[] {
  const servers = listChannelServers(root, channel).flatMap(({ server }): JsonObject[] => {
    const protocol = asText(server.protocol)?.toLowerCase() ?? ''
    const address = serverAddress(server)
    const scheme = /^(wss?|https?):\/\//i.exec(address)?.[1]?.toLowerCase()
    if (!/^wss?$/.test(protocol) && !/^wss?$/.test(scheme ?? '')) return []
    const isSecure = scheme === undefined ? protocol === 'wss' : /^(?:wss|https)$/.test(scheme)
    const bare = address.replace(/^[a-z][a-z0-9+.-]*:\/\//i, '')
    if (!/^[^/?#]/.test(bare)) return []
    const variables = Object.entries(asObject(server.variables)).map(
      ([name, one]) => [name, followReference(root, one)] as const,
    )
    return [
      {
        url: `${isSecure ? 'wss' : 'ws'}://${bare}`,
        description: asText(server.title) ?? asText(server.summary) ?? asText(server.description) ?? '',
        variables: Object.fromEntries(variables),
      },
    ]
  })
  return listServerTemplates([{ servers }])
}

function listAddressParameters(root: JsonObject, channel: JsonObject): JsonObject[] {
  return Object.entries(asObject(channel.parameters)).map(([name, one]) => {
    const parameter = followReference(root, one)
    return {
      ...{ name, in: 'path', required: true, description: parameter.description ?? '' },
      schema: getParameterSchema(parameter),
    }
  })
}

/** Returns the query parameters of the WebSocket binding. */
function listQueryParameters(root: JsonObject, channel: JsonObject): JsonObject[] {
  const { query } = followReference(root, asObject(followReference(root, channel.bindings)).ws)
  if (query === undefined) return []
  const { schema } = flatten(createSchemaScope(root), query)
  return Object.entries(asObject(schema.properties)).map(([name, one]) => ({
    ...{ name, in: 'query', required: isRequiredIn(schema, name) },
    ...{ description: followReference(root, one).description ?? '', schema: one },
  }))
}

function findMessage(
  root: JsonObject,
  { name, message }: { name: string; message: JsonObject },
): ChannelMessage {
  const { payload } = message
  const schema = getOwnField(payload, 'schemaFormat') === undefined ? payload : getOwnField(payload, 'schema')
  const [example] = asArray(message.examples).map((one) => asObject(one).payload)
  const type = asText(message.contentType) ?? asText(root.defaultContentType) ?? 'application/json'
  return {
    name,
    type,
    media: { ...(schema === undefined ? {} : { schema }), ...(example === undefined ? {} : { example }) },
  }
}

/**
 * Returns alternatives for authentication. Version 2 refers to schemes by name; version 3 contains or
 * references them.
 */
function findSecurity(root: JsonObject, channel: JsonObject): Pick<PlaygroundSource, 'ways' | 'schemes'> {
  const given = listChannelServers(root, channel).find(({ server }) => server.security !== undefined)
  const schemes: JsonObject = { ...asObject(asObject(root.components).securitySchemes) }
  const requirements = asArray(given?.server.security).map((requirement, index): JsonObject => {
    const { $ref, type } = asObject(requirement)
    if ($ref === undefined && type === undefined) return asObject(requirement)
    const scheme = followReference(root, requirement)
    const name = (typeof $ref === 'string' ? $ref.split('/').at(-1) : undefined) ?? `scheme-${index + 1}`
    schemes[name] = scheme
    return { [name]: asArray(scheme.scopes) }
  })
  return { ways: requirements, schemes }
}
