/**
 * Builds the page content of a channel in an AsyncAPI description, version 2 or 3. It is written for clients: they
 * send the messages that the described application receives.
 */

import {
  fieldsOf,
  followReference,
  type Json,
  type JsonObject,
  listOf,
  ownField,
  textOf,
} from '../../openapi/api-json.ts'
import type { ApiSample } from '../../openapi/sample-call.ts'
import { flatten } from '../../openapi/schema.ts'
import { jsonText } from './facts.ts'
import {
  type AnchorPath,
  anchorPath,
  claimAnchor,
  claimId,
  type FieldScope,
  joinPath,
} from './field-scope.ts'
import { documentsLink, makeField, variantBlocks } from './fields.ts'
import { exampleText, mediaExamples } from './media.ts'
import { details, panel, prose, section } from './operation.ts'
import type { ApiBlock, ApiChoice, ApiField, ReferenceParts } from './reference.ts'
import { describeScheme, describeWays } from './security.ts'

/** Returns null if the description has no such channel. */
export function findChannel(root: JsonObject, id: string): JsonObject | null {
  const channels = fieldsOf(root.channels)
  return Object.hasOwn(channels, id) ? followReference(root, channels[id]) : null
}

/** Returns the address of a channel, as clients use it. */
export function channelAddress(id: string, channel: JsonObject): string {
  return textOf(channel.address) ?? id
}

/** Returns the protocol of the channel's first server: `WSS`, `MQTT`, `KAFKA` …; null if none is given. */
export function channelProtocol(root: JsonObject, channel: JsonObject): string | null {
  const [first] = channelServers(root, channel)
  return textOf(first?.server.protocol)?.toUpperCase() ?? null
}

export function channelReference(
  scope: FieldScope,
  channel: JsonObject,
  introduction: string,
): ReferenceParts {
  const { words, root } = scope
  const servers = channelServers(root, channel)
  const exchanges = exchangesOf(root, channel)
  const blocks: ApiBlock[] = [
    ...prose(introduction),
    ...prose(documentsLink(channel.externalDocs)),
    ...section(scope, words.apiServer, 'servers', serverBlocks(scope, servers)),
    ...section(scope, words.apiAuthorization, 'authorization', securityBlocks(scope, servers)),
    ...section(scope, words.apiPath, 'parameters', parameterBlocks(scope, channel.parameters)),
    ...exchanges.flatMap((exchange) => exchangeBlocks(scope, exchange)),
    ...bindingBlocks(scope, channel.bindings),
  ]
  return {
    blocks,
    panels: () => ({
      request: null,
      bodies: panel(words.apiMessages, words.apiMessages, different(samplesOf(scope, exchanges))),
      responses: null,
    }),
  }
}

function samplesOf(scope: FieldScope, exchanges: readonly Exchange[]): ApiSample[] {
  return exchanges.flatMap(({ messages, reply }) =>
    [...messages, ...reply].flatMap(({ name, message }) => messageSamples(scope, name, message)),
  )
}

/** Removes duplicates: a message sent in both directions is shown once. */
function different(samples: readonly ApiSample[]): ApiSample[] {
  return [...new Map(samples.map((one) => [JSON.stringify(one), one])).values()]
}

interface NamedServer {
  name: string
  server: JsonObject
}

/** Returns the servers that the channel names, or else all. */
export function channelServers(root: JsonObject, channel: JsonObject): NamedServer[] {
  const all = Object.entries(fieldsOf(root.servers)).map(
    ([name, value]): NamedServer => ({ name, server: followReference(root, value) }),
  )
  const wanted = listOf(channel.servers)
  if (wanted.length === 0) return all
  const targets = new Set(wanted.map((one) => (typeof one === 'string' ? one : followReference(root, one))))
  return all.filter(({ name, server }) => targets.has(name) || targets.has(server))
}

export function serverAddress(server: JsonObject): string {
  const url = textOf(server.url)
  if (url !== null) return url
  const protocol = textOf(server.protocol)
  return `${protocol === null ? '' : `${protocol}://`}${textOf(server.host) ?? ''}${textOf(server.pathname) ?? ''}`
}

function serverBlocks(scope: FieldScope, servers: readonly NamedServer[]): ApiBlock[] {
  const fields = servers.map(({ name, server }): ApiField => {
    const address = serverAddress(server)
    const about = [textOf(server.title), textOf(server.summary), textOf(server.description)]
    const path = joinPath(scope, anchorPath('server'), name)
    const variables = parameterFields(scope, server.variables, path)
    return {
      ...claimAnchor(scope, path),
      name,
      type: [textOf(server.protocol), textOf(server.protocolVersion)].filter(Boolean).join(' '),
      isRequired: false,
      isDeprecated: false,
      before: [],
      pills: [],
      initial: null,
      description: about.filter((part) => part !== null).join('\n\n'),
      facts: [{ label: scope.words.apiAddress, values: [{ text: address, note: '' }] }],
      blocks: [
        ...(variables.length > 0 ? [{ kind: 'fields' as const, fields: variables }] : []),
        ...bindingBlocks(scope, server.bindings),
      ],
      same: null,
    }
  })
  return fields.length === 0 ? [] : [{ kind: 'fields', fields }]
}

/** Version 2 refers to schemes by name, version 3 contains or references them. */
function securityBlocks(scope: FieldScope, servers: readonly NamedServer[]): ApiBlock[] {
  const ways = listOf(servers.find(({ server }) => server.security !== undefined)?.server.security)
  const isNamed = ways.every((way) => {
    const { $ref, type } = fieldsOf(way)
    return $ref === undefined && type === undefined
  })
  if (isNamed) return describeWays(scope, ways.map(fieldsOf)).blocks
  const fields = ways.map((way, index) => {
    const name =
      String(fieldsOf(way).$ref ?? '')
        .split('/')
        .at(-1) ?? ''
    const scheme = followReference(scope.root, way)
    return describeScheme(scope, name || `scheme-${index + 1}`, scheme, listOf(scheme.scopes)).field
  })
  return fields.length === 0 ? [] : [{ kind: 'fields', fields }]
}

function parameterBlocks(scope: FieldScope, parameters: Json | undefined): ApiBlock[] {
  const fields = parameterFields(scope, parameters, anchorPath('parameter'))
  return fields.length === 0 ? [] : [{ kind: 'fields', fields }]
}

/** Version 2 has a schema per parameter, version 3 the keywords themselves. */
function parameterFields(scope: FieldScope, parameters: Json | undefined, path: AnchorPath): ApiField[] {
  return Object.entries(fieldsOf(parameters)).flatMap(([name, value]) => {
    const parameter = followReference(scope.root, value)
    const { enum: options, default: initial, examples } = parameter
    const own = Object.entries({ enum: options, default: initial, examples }).filter(
      ([, one]) => one !== undefined,
    )
    const schema = parameter.schema ?? { type: 'string', ...Object.fromEntries(own as [string, Json][]) }
    const holder: JsonObject = { description: parameter.description ?? '' }
    const place = joinPath(scope, path, name)
    return makeField(scope, { name, path: place, schema, isRequired: false, holder }) ?? []
  })
}

interface Exchange {
  /** From the client's point of view. */
  direction: 'send' | 'receive'
  operation: JsonObject
  messages: { name: string; message: JsonObject }[]
  reply: { name: string; message: JsonObject }[]
}

export function exchangesOf(root: JsonObject, channel: JsonObject): Exchange[] {
  const second = (['publish', 'subscribe'] as const).flatMap((key): Exchange[] => {
    if (channel[key] === undefined) return []
    const operation = withTraits(root, fieldsOf(channel[key]))
    const message = fieldsOf(operation.message)
    const list = listOf(message.oneOf).length > 0 ? listOf(message.oneOf) : [operation.message ?? {}]
    const messages = list.map((one) => namedMessage(root, one))
    return [{ direction: key === 'publish' ? 'send' : 'receive', operation, messages, reply: [] }]
  })
  const third = Object.values(fieldsOf(root.operations)).flatMap((value): Exchange[] => {
    const operation = withTraits(root, followReference(root, value))
    if (followReference(root, operation.channel) !== channel) return []
    const direction = operation.action === 'receive' ? 'send' : 'receive'
    const messages = messagesOf(root, operation, channel)
    return [{ direction, operation, messages, reply: replyOf(root, operation) }]
  })
  const found = [...second, ...third]
  const rest = messagesOf(root, {}, channel)
  if (found.length > 0 || rest.length === 0) return found
  return [{ direction: 'receive', operation: {}, messages: rest, reply: [] }]
}

function replyOf(root: JsonObject, operation: JsonObject): Exchange['reply'] {
  const reply = followReference(root, operation.reply)
  return messagesOf(root, reply, followReference(root, reply.channel))
}

/** Returns the listed messages, or else all messages of the channel. */
function messagesOf(root: JsonObject, holder: JsonObject, channel: JsonObject): Exchange['messages'] {
  const listed = listOf(holder.messages)
  if (listed.length > 0) return listed.map((one) => namedMessage(root, one))
  return Object.entries(fieldsOf(channel.messages)).map(([name, one]) => namedMessage(root, one, name))
}

function namedMessage(root: JsonObject, value: Json, key = ''): { name: string; message: JsonObject } {
  const reference = fieldsOf(value).$ref
  const message = withTraits(root, followReference(root, value))
  const last = typeof reference === 'string' ? (reference.split('/').at(-1) ?? '') : key
  return { name: textOf(message.title) ?? textOf(message.name) ?? (last || 'message'), message }
}

/** Merges traits into an object; its own values win. */
function withTraits(root: JsonObject, holder: JsonObject): JsonObject {
  const traits = listOf(holder.traits).map((one) => followReference(root, one))
  return traits.length === 0 ? holder : Object.assign({}, ...traits, holder)
}

function exchangeBlocks(scope: FieldScope, exchange: Exchange): ApiBlock[] {
  const { words } = scope
  const { operation, messages, reply, direction } = exchange
  const text = direction === 'send' ? words.apiSend : words.apiReceive
  const summary = textOf(operation.title) ?? textOf(operation.summary) ?? ''
  const others = textOf(operation.title) === null ? '' : (textOf(operation.summary) ?? '')
  const security = describeWays(scope, listOf(operation.security).map(fieldsOf)).blocks
  return [
    { kind: 'heading', level: 2, text, id: claimId(scope, direction), note: '' },
    ...prose(summary === '' ? '' : `**${summary}**`),
    ...prose(others),
    ...prose(textOf(operation.description) ?? ''),
    ...prose(documentsLink(operation.externalDocs)),
    ...security,
    ...messageChoice(scope, words.apiMessages, messages),
    ...(reply.length === 0
      ? []
      : [
          {
            kind: 'heading' as const,
            level: 3 as const,
            text: words.apiReply,
            id: claimId(scope, 'reply'),
            note: '',
          },
          ...messageChoice(scope, words.apiReply, reply),
        ]),
    ...bindingBlocks(scope, operation.bindings),
  ]
}

function messageChoice(scope: FieldScope, label: string, messages: Exchange['messages']): ApiBlock[] {
  const choices = messages.map(({ name, message }): ApiChoice => {
    const type = textOf(message.contentType) ?? textOf(scope.root.defaultContentType) ?? ''
    return { title: name, note: type, blocks: messageBlocks(scope, name, message) }
  })
  return choices.length === 0 ? [] : [{ kind: 'choice', label, choices, isStatus: false }]
}

function messageBlocks(scope: FieldScope, name: string, message: JsonObject): ApiBlock[] {
  const { words } = scope
  const path = joinPath(scope, anchorPath(''), name)
  const headers = schemaBlocks(scope, message.headers, joinPath(scope, path, 'header'))
  const payload = schemaBlocks(scope, message.payload, path)
  const correlation = fieldsOf(followReference(scope.root, message.correlationId))
  return [
    ...prose(textOf(message.summary) ?? ''),
    ...prose(textOf(message.description) ?? ''),
    ...prose(documentsLink(message.externalDocs)),
    ...details(words.apiHeaders, headers),
    ...payload,
    ...prose([textOf(correlation.description), textOf(correlation.location)].filter(Boolean).join(' · ')),
    ...bindingBlocks(scope, message.bindings),
  ]
}

/** Schemas of other formats, such as Avro and Protobuf, are shown unchanged. */
function schemaBlocks(scope: FieldScope, value: Json | undefined, path: AnchorPath): ApiBlock[] {
  if (value === undefined) return []
  const format = textOf(ownField(value, 'schemaFormat'))
  const schema = format === null ? value : ownField(value, 'schema')
  const isJson = format === null || /asyncapi|schema\+(?:json|yaml)|openapi/i.test(format)
  if (!isJson) {
    const code = typeof schema === 'string' ? schema : (jsonText(schema ?? null, 2) ?? '')
    return [{ kind: 'code', code, language: typeof schema === 'string' ? 'text' : 'json', title: format }]
  }
  const id = claimId(scope, joinPath(scope, path, 'payload').id)
  return variantBlocks(scope, flatten(scope, schema), { path, id, name: path.id, chain: [] })
}

function messageSamples(scope: FieldScope, title: string, message: JsonObject): ApiSample[] {
  const type = textOf(message.contentType) ?? textOf(scope.root.defaultContentType) ?? 'application/json'
  const format = textOf(ownField(message.payload, 'schemaFormat'))
  const schema = format === null ? message.payload : ownField(message.payload, 'schema')
  const given = listOf(message.examples).map(fieldsOf)
  const shown =
    given.length > 0
      ? given.map((one) => ({
          name: textOf(one.summary) ?? textOf(one.name) ?? '',
          value: one.payload ?? one.headers ?? null,
        }))
      : mediaExamples(scope, schema === undefined ? {} : { schema }, {
          direction: 'response',
          isRequiredOnly: false,
        })
  return shown.flatMap(({ name, value }) => {
    const text = exampleText(scope, type, schema, value)
    return text === null ? [] : [{ title, name, description: '', ...text }]
  })
}

function bindingBlocks(scope: FieldScope, bindings: Json | undefined): ApiBlock[] {
  const followed = followReference(scope.root, bindings)
  const blocks = Object.entries(followed).flatMap(([protocol, value]): ApiBlock[] => {
    const code = jsonText(value, 2)
    const isEmpty = Object.keys(fieldsOf(value)).length === 0
    return code === null || isEmpty ? [] : [{ kind: 'code', code, language: 'json', title: protocol }]
  })
  return details(scope.words.apiBindings, blocks)
}
