/**
 * Builds the page of a channel in an AsyncAPI description, version 2 or 3. Directions are those of the
 * client, which sends the messages that the application receives.
 */

import {
  asArray,
  asObject,
  asText,
  followReference,
  getOwnField,
  type Json,
  type JsonObject,
} from '../../openapi/api-json.ts'
import type { ApiSample } from '../../openapi/sample-call.ts'
import { flatten } from '../../openapi/schema.ts'
import { formatJson } from './facts.ts'
import {
  type AnchorPath,
  anchorPath,
  appendPropertySegment,
  claimAnchor,
  claimId,
  type FieldScope,
} from './field-scope.ts'
import { createDocsLink, createField, variantBlocks } from './fields.ts'
import { createMediaExamples, formatExample } from './media.ts'
import { details, panel, prose, section } from './operation.ts'
import type { ApiBlock, ApiChoice, ApiField, ReferenceParts } from './reference.ts'
import { describeRequirements, describeScheme } from './security.ts'

export function findChannel(root: JsonObject, id: string): JsonObject | null {
  const channels = asObject(root.channels)
  return Object.hasOwn(channels, id) ? followReference(root, channels[id]) : null
}

export function channelAddress(id: string, channel: JsonObject): string {
  return asText(channel.address) ?? id
}

/** Returns the protocol of the first server, such as `WSS`, `MQTT` or `KAFKA`, or null. */
export function findChannelProtocol(root: JsonObject, channel: JsonObject): string | null {
  const [first] = listChannelServers(root, channel)
  return asText(first?.server.protocol)?.toUpperCase() ?? null
}

export function channelReference(
  scope: FieldScope,
  channel: JsonObject,
  introduction: string,
): ReferenceParts {
  const { words, root } = scope
  const servers = listChannelServers(root, channel)
  const exchanges = listExchanges(root, channel)
  const blocks: ApiBlock[] = [
    ...prose(introduction),
    ...prose(createDocsLink(channel.externalDocs)),
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
      bodies: panel(words.apiMessages, words.apiMessages, uniqueSamples(createSamples(scope, exchanges))),
      responses: null,
    }),
  }
}

function createSamples(scope: FieldScope, exchanges: readonly Exchange[]): ApiSample[] {
  return exchanges.flatMap(({ messages, reply }) =>
    [...messages, ...reply].flatMap(({ name, message }) => messageSamples(scope, name, message)),
  )
}

/** Removes duplicate samples, such as those of a message that is sent in both directions. */
function uniqueSamples(samples: readonly ApiSample[]): ApiSample[] {
  return [...new Map(samples.map((one) => [JSON.stringify(one), one])).values()]
}

interface NamedServer {
  name: string
  server: JsonObject
}

/** Returns the servers that the channel refers to, by default all servers. */
export function listChannelServers(root: JsonObject, channel: JsonObject): NamedServer[] {
  const all = Object.entries(asObject(root.servers)).map(
    ([name, value]): NamedServer => ({ name, server: followReference(root, value) }),
  )
  const selectedServers = asArray(channel.servers)
  if (selectedServers.length === 0) return all
  const targets = new Set(
    selectedServers.map((one) => (typeof one === 'string' ? one : followReference(root, one))),
  )
  return all.filter(({ name, server }) => targets.has(name) || targets.has(server))
}

export function serverAddress(server: JsonObject): string {
  const url = asText(server.url)
  if (url !== null) return url
  const protocol = asText(server.protocol)
  return `${protocol === null ? '' : `${protocol}://`}${asText(server.host) ?? ''}${asText(server.pathname) ?? ''}`
}

function serverBlocks(scope: FieldScope, servers: readonly NamedServer[]): ApiBlock[] {
  const fields = servers.map(({ name, server }): ApiField => {
    const address = serverAddress(server)
    const serverTexts = [asText(server.title), asText(server.summary), asText(server.description)]
    const path = appendPropertySegment(scope, anchorPath('server'), name)
    const variables = parameterFields(scope, server.variables, path)
    return {
      ...claimAnchor(scope, path),
      name,
      type: [asText(server.protocol), asText(server.protocolVersion)].filter(Boolean).join(' '),
      isRequired: false,
      isDeprecated: false,
      before: [],
      pills: [],
      initial: null,
      description: serverTexts.filter((part) => part !== null).join('\n\n'),
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

/** Describes authentication. Version 2 refers to schemes by name; version 3 contains or references them. */
function securityBlocks(scope: FieldScope, servers: readonly NamedServer[]): ApiBlock[] {
  const requirements = asArray(servers.find(({ server }) => server.security !== undefined)?.server.security)
  const isNamed = requirements.every((requirement) => {
    const { $ref, type } = asObject(requirement)
    return $ref === undefined && type === undefined
  })
  if (isNamed) return describeRequirements(scope, requirements.map(asObject)).blocks
  const fields = requirements.map((requirement, index) => {
    const name =
      String(asObject(requirement).$ref ?? '')
        .split('/')
        .at(-1) ?? ''
    const scheme = followReference(scope.root, requirement)
    return describeScheme(scope, name || `scheme-${index + 1}`, scheme, asArray(scheme.scopes)).field
  })
  return fields.length === 0 ? [] : [{ kind: 'fields', fields }]
}

function parameterBlocks(scope: FieldScope, parameters: Json | undefined): ApiBlock[] {
  const fields = parameterFields(scope, parameters, anchorPath('parameter'))
  return fields.length === 0 ? [] : [{ kind: 'fields', fields }]
}

/** Returns the schema of a parameter: `schema` in version 2, the parameter's own keywords in version 3. */
export function getParameterSchema({ schema, ...parameter }: JsonObject): Json {
  const keywords = ['enum', 'default', 'examples'].filter((key) => parameter[key] !== undefined)
  return (
    schema ?? { type: 'string', ...Object.fromEntries(keywords.map((key) => [key, parameter[key] as Json])) }
  )
}

function parameterFields(scope: FieldScope, parameters: Json | undefined, path: AnchorPath): ApiField[] {
  return Object.entries(asObject(parameters)).flatMap(([name, value]) => {
    const parameter = followReference(scope.root, value)
    const schema = getParameterSchema(parameter)
    const holder: JsonObject = { description: parameter.description ?? '' }
    const fieldPath = appendPropertySegment(scope, path, name)
    return createField(scope, { name, path: fieldPath, schema, isRequired: false, holder }) ?? []
  })
}

interface Exchange {
  /** Direction for the client. */
  direction: 'send' | 'receive'
  operation: JsonObject
  messages: { name: string; message: JsonObject }[]
  reply: { name: string; message: JsonObject }[]
}

export function listExchanges(root: JsonObject, channel: JsonObject): Exchange[] {
  const second = (['publish', 'subscribe'] as const).flatMap((key): Exchange[] => {
    if (channel[key] === undefined) return []
    const operation = mergeTraits(root, asObject(channel[key]))
    const message = asObject(operation.message)
    const list = asArray(message.oneOf).length > 0 ? asArray(message.oneOf) : [operation.message ?? {}]
    const messages = list.map((one) => resolveMessage(root, one))
    return [{ direction: key === 'publish' ? 'send' : 'receive', operation, messages, reply: [] }]
  })
  const third = Object.values(asObject(root.operations)).flatMap((value): Exchange[] => {
    const operation = mergeTraits(root, followReference(root, value))
    if (followReference(root, operation.channel) !== channel) return []
    const direction = operation.action === 'receive' ? 'send' : 'receive'
    const messages = listMessages(root, operation, channel)
    return [{ direction, operation, messages, reply: findReply(root, operation) }]
  })
  const found = [...second, ...third]
  const rest = listMessages(root, {}, channel)
  if (found.length > 0 || rest.length === 0) return found
  return [{ direction: 'receive', operation: {}, messages: rest, reply: [] }]
}

function findReply(root: JsonObject, operation: JsonObject): Exchange['reply'] {
  const reply = followReference(root, operation.reply)
  return listMessages(root, reply, followReference(root, reply.channel))
}

/** Returns the messages of an operation, by default all messages of the channel. */
function listMessages(root: JsonObject, holder: JsonObject, channel: JsonObject): Exchange['messages'] {
  const listed = asArray(holder.messages)
  if (listed.length > 0) return listed.map((one) => resolveMessage(root, one))
  return Object.entries(asObject(channel.messages)).map(([name, one]) => resolveMessage(root, one, name))
}

function resolveMessage(root: JsonObject, value: Json, key = ''): { name: string; message: JsonObject } {
  const reference = asObject(value).$ref
  const message = mergeTraits(root, followReference(root, value))
  const last = typeof reference === 'string' ? (reference.split('/').at(-1) ?? '') : key
  return { name: asText(message.title) ?? asText(message.name) ?? (last || 'message'), message }
}

/** Merges traits into an object, whose own values take precedence. */
function mergeTraits(root: JsonObject, holder: JsonObject): JsonObject {
  const traits = asArray(holder.traits).map((one) => followReference(root, one))
  return traits.length === 0 ? holder : Object.assign({}, ...traits, holder)
}

function exchangeBlocks(scope: FieldScope, exchange: Exchange): ApiBlock[] {
  const { words } = scope
  const { operation, messages, reply, direction } = exchange
  const text = direction === 'send' ? words.apiSend : words.apiReceive
  const summary = asText(operation.title) ?? asText(operation.summary) ?? ''
  const others = asText(operation.title) === null ? '' : (asText(operation.summary) ?? '')
  const security = describeRequirements(scope, asArray(operation.security).map(asObject)).blocks
  return [
    { kind: 'heading', level: 2, text, id: claimId(scope, direction), note: '' },
    ...prose(summary === '' ? '' : `**${summary}**`),
    ...prose(others),
    ...prose(asText(operation.description) ?? ''),
    ...prose(createDocsLink(operation.externalDocs)),
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
    const type = asText(message.contentType) ?? asText(scope.root.defaultContentType) ?? ''
    return { title: name, note: type, blocks: messageBlocks(scope, name, message) }
  })
  return choices.length === 0 ? [] : [{ kind: 'choice', label, choices, isStatus: false }]
}

function messageBlocks(scope: FieldScope, name: string, message: JsonObject): ApiBlock[] {
  const { words } = scope
  const path = appendPropertySegment(scope, anchorPath(''), name)
  const headers = schemaBlocks(scope, message.headers, appendPropertySegment(scope, path, 'header'))
  const payload = schemaBlocks(scope, message.payload, path)
  const correlation = asObject(followReference(scope.root, message.correlationId))
  return [
    ...prose(asText(message.summary) ?? ''),
    ...prose(asText(message.description) ?? ''),
    ...prose(createDocsLink(message.externalDocs)),
    ...details(words.apiHeaders, headers),
    ...payload,
    ...prose([asText(correlation.description), asText(correlation.location)].filter(Boolean).join(' · ')),
    ...bindingBlocks(scope, message.bindings),
  ]
}

/** Describes a schema. Other formats, such as Avro and Protobuf, are shown as code. */
function schemaBlocks(scope: FieldScope, value: Json | undefined, path: AnchorPath): ApiBlock[] {
  if (value === undefined) return []
  const format = asText(getOwnField(value, 'schemaFormat'))
  const schema = format === null ? value : getOwnField(value, 'schema')
  const isJson = format === null || /asyncapi|schema\+(?:json|yaml)|openapi/i.test(format)
  if (!isJson) {
    const code = typeof schema === 'string' ? schema : (formatJson(schema ?? null, 2) ?? '')
    return [{ kind: 'code', code, language: typeof schema === 'string' ? 'text' : 'json', title: format }]
  }
  const id = claimId(scope, appendPropertySegment(scope, path, 'payload').id)
  return variantBlocks(scope, flatten(scope, schema), { path, id, name: path.id, chain: [] })
}

function messageSamples(scope: FieldScope, title: string, message: JsonObject): ApiSample[] {
  const type = asText(message.contentType) ?? asText(scope.root.defaultContentType) ?? 'application/json'
  const format = asText(getOwnField(message.payload, 'schemaFormat'))
  const schema = format === null ? message.payload : getOwnField(message.payload, 'schema')
  const authoredExamples = asArray(message.examples).map(asObject)
  const shown =
    authoredExamples.length > 0
      ? authoredExamples.map((one) => ({
          name: asText(one.summary) ?? asText(one.name) ?? '',
          value: one.payload ?? one.headers ?? null,
        }))
      : createMediaExamples(scope, schema === undefined ? {} : { schema }, {
          direction: 'response',
          isRequiredOnly: false,
        })
  return shown.flatMap(({ name, value }) => {
    const text = formatExample(scope, type, schema, value)
    return text === null ? [] : [{ title, name, description: '', ...text }]
  })
}

function bindingBlocks(scope: FieldScope, bindings: Json | undefined): ApiBlock[] {
  const followed = followReference(scope.root, bindings)
  const blocks = Object.entries(followed).flatMap(([protocol, value]): ApiBlock[] => {
    const code = formatJson(value, 2)
    const isEmpty = Object.keys(asObject(value)).length === 0
    return code === null || isEmpty ? [] : [{ kind: 'code', code, language: 'json', title: protocol }]
  })
  return details(scope.words.apiBindings, blocks)
}
