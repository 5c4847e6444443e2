/** Builds the page of an operation or webhook in an OpenAPI description. */

import {
  asArray,
  asObject,
  asText,
  followReference,
  type Json,
  type JsonObject,
} from '../../openapi/api-json.ts'
import type { ApiSample } from '../../openapi/sample-call.ts'
import { findSampleLanguage, getLanguageLabel, writeSamples } from '../../openapi/samples.ts'
import type { ApiOperation } from '../../site/model.ts'
import { formatJson } from './facts.ts'
import {
  type AnchorPath,
  anchorPath,
  appendPropertySegment,
  claimAnchor,
  claimId,
  type FieldScope,
} from './field-scope.ts'
import { createDocsLink, createField } from './fields.ts'
import { createLibrarySample } from './library-sample.ts'
import { contentBlocks, createContentSamples } from './media.ts'
import {
  type ApiBlock,
  type ApiChoice,
  type ApiField,
  type ApiPanel,
  type ApiPanels,
  LIMITS,
  type ReferenceParts,
} from './reference.ts'
import { type RequestSource, sampleRequest } from './sample-request.ts'
import { readSecurity } from './security.ts'
import { EXAMPLE_SERVER, listServers } from './servers.ts'

export interface FoundOperation {
  /** In upper case. */
  method: string
  operation: JsonObject
  item: JsonObject
}

const METHOD_KEYS = ['post', 'put', 'get', 'patch', 'delete', 'options', 'head', 'trace']

export function findOperation(root: JsonObject, { method, path }: ApiOperation): FoundOperation | null {
  const isWebhook = method === 'WEBHOOK'
  const table = asObject(isWebhook ? (root.webhooks ?? root['x-webhooks']) : root.paths)
  if (!Object.hasOwn(table, path)) return null
  const item = followReference(root, table[path])
  const key = isWebhook ? METHOD_KEYS.find((one) => item[one] !== undefined) : method.toLowerCase()
  if (key === undefined || !Object.hasOwn(item, key)) return null
  return { method: key.toUpperCase(), operation: asObject(item[key]), item }
}

/** Returns the content. `introduction` is the part of the description that is not shown below the title. */
export function operationReference(
  scope: FieldScope,
  page: ApiOperation,
  found: FoundOperation,
  introduction: string,
): ReferenceParts {
  const { operation, item } = found
  const { words, root } = scope
  const isWebhook = page.method === 'WEBHOOK'
  const parameters = mergeParameters(root, item, operation)
  const body = followReference(root, operation.requestBody)
  const security = isWebhook ? { blocks: [], credentials: [] } : readSecurity(scope, operation)
  const blocks: ApiBlock[] = [
    ...prose(introduction),
    ...prose(createDocsLink(operation.externalDocs)),
    ...section(scope, words.apiAuthorization, 'authorization', security.blocks),
    ...parameterSections(scope, parameters),
    ...bodySection(scope, body),
    ...responsesSection(scope, asObject(operation.responses)),
    ...callbackSection(scope, operation.callbacks),
  ]
  const source = { parameters, body, credentials: security.credentials }
  return { blocks, panels: () => operationPanels(scope, page, found, source) }
}

async function operationPanels(
  scope: FieldScope,
  page: ApiOperation,
  { operation, item, method }: FoundOperation,
  source: Pick<RequestSource, 'parameters' | 'body' | 'credentials'>,
): Promise<ApiPanels> {
  const { words, root } = scope
  const isWebhook = page.method === 'WEBHOOK'
  const specUrl = /^https?:/i.test(page.spec) ? page.spec : null
  const server = listServers(root, [operation, item], specUrl)[0]?.url ?? EXAMPLE_SERVER
  const address = server.startsWith('/') ? EXAMPLE_SERVER + server : server
  const call: RequestSource = { ...source, method, server: address, path: page.path }
  const bodies = bodySamples(scope, source.body)
  return {
    request: isWebhook ? null : await createRequestPanel(scope, page, operation, call),
    bodies: bodies.length > 1 || isWebhook ? panel(words.apiBody, words.apiExamples, bodies) : null,
    responses: panel(words.apiResponse, words.apiResponses, responseSamples(scope, operation.responses)),
  }
}

export function prose(markdown: string): ApiBlock[] {
  return markdown === '' ? [] : [{ kind: 'prose', markdown }]
}

/** Returns a heading and the blocks, or nothing if there are no blocks. */
export function section(
  scope: FieldScope,
  text: string,
  id: string,
  blocks: readonly ApiBlock[],
  note = '',
): ApiBlock[] {
  if (blocks.length === 0) return []
  return [{ kind: 'heading', level: 2, text, id: claimId(scope, id), note }, ...blocks]
}

/**
 * Combines the parameters of a path and an operation. A parameter of the operation overrides the one of the path with
 * the same name and location.
 */
export function mergeParameters(root: JsonObject, item: JsonObject, operation: JsonObject): JsonObject[] {
  const byKey = new Map<string, JsonObject>()
  for (const one of [...asArray(item.parameters), ...asArray(operation.parameters)]) {
    const parameter = followReference(root, one)
    if (asText(parameter.name) === null) continue
    byKey.set(`${parameter.in} ${parameter.name}`, parameter)
  }
  return [...byKey.values()]
}

function parameterSections(scope: FieldScope, parameters: readonly JsonObject[]): ApiBlock[] {
  const { words } = scope
  const locations = [
    { location: 'path', title: words.apiPath },
    { location: 'query', title: words.apiQuery },
    { location: 'header', title: words.apiHeader },
    { location: 'cookie', title: words.apiCookie },
    { location: 'querystring', title: words.apiQuery },
  ]
  return locations.flatMap(({ location: parameterLocation, title }) => {
    const here = parameters.filter((parameter) => parameter.in === parameterLocation)
    const fields = here.flatMap((parameter) => parameterField(scope, parameter, parameterLocation) ?? [])
    return fields.length === 0
      ? []
      : section(scope, title, `${parameterLocation}-parameters`, [{ kind: 'fields', fields }])
  })
}

/** Returns the field of a parameter or header, whose value is described by either `schema` or `content`. */
function parameterField(
  scope: FieldScope,
  parameter: JsonObject,
  parameterLocation: string,
): ApiField | null {
  const [media] = Object.values(asObject(parameter.content))
  const name = String(parameter.name)
  return createField(scope, {
    name,
    path: appendPropertySegment(scope, anchorPath('parameter', parameterLocation), name),
    schema: parameter.schema ?? asObject(media).schema,
    isRequired: parameter.required === true || parameterLocation === 'path',
    holder:
      parameter.schema === undefined && media !== undefined
        ? { ...asObject(media), ...parameter }
        : parameter,
  })
}

function bodySection(scope: FieldScope, body: JsonObject): ApiBlock[] {
  const types = Object.keys(asObject(body.content))
  const note = types.length === 1 ? (types[0] as string) : ''
  const id = claimId(scope, 'body')
  const blocks = [
    ...prose(asText(body.description) ?? ''),
    ...contentBlocks(scope, body.content, anchorPath('body'), id),
  ]
  if (blocks.length === 0 && note === '') return []
  return [{ kind: 'heading', level: 2, text: scope.words.apiBody, id, note }, ...blocks]
}

function responsesSection(scope: FieldScope, responses: JsonObject): ApiBlock[] {
  const id = claimId(scope, 'responses')
  const statuses = Object.entries(responses).filter(([status]) => !status.startsWith('x-'))
  const firsts = new Map<string, { index: number; path: AnchorPath }>()
  const choices = statuses.map(([status, value], index): ApiChoice => {
    const own = `response-${status}`
    const path = anchorPath(index === 0 ? 'response' : own, own, 'response')
    const response = followReference(scope.root, value)
    const text = formatJson(response, 0)
    const content = text === null || text.length > LIMITS.sampleCharacters ? own : text
    const same = firsts.get(content)
    if (same === undefined) {
      firsts.set(content, { index, path })
      return responseChoice(scope, status, response, { path, id })
    }
    if (scope.ids.size <= LIMITS.freeFields) scope.shared.push({ path: same.path.id, other: path.id })
    return { title: status, note: '', blocks: [], shows: same.index }
  })
  if (choices.length === 0) return []
  const { words } = scope
  return [
    { kind: 'heading', level: 2, text: words.apiResponses, id, note: '' },
    { kind: 'choice', label: '', choices, isStatus: true },
  ]
}

function responseChoice(
  scope: FieldScope,
  status: string,
  response: JsonObject,
  { path, id }: { path: AnchorPath; id: string },
): ApiChoice {
  const { words } = scope
  const types = Object.keys(asObject(response.content))
  const headers = headerFields(scope, response.headers, path)
  const blocks: ApiBlock[] = [
    ...prose(asText(response.description) ?? ''),
    ...(headers.length > 0 ? details(words.apiHeaders, [{ kind: 'fields' as const, fields: headers }]) : []),
    ...contentBlocks(scope, response.content, path, id),
    ...linkBlocks(scope, response.links, path),
  ]
  return { title: status, note: types.length === 1 ? (types[0] as string) : '', blocks }
}

export function details(title: string, blocks: readonly ApiBlock[]): ApiBlock[] {
  return blocks.length === 0 ? [] : [{ kind: 'details', title, blocks }]
}

export function headerFields(scope: FieldScope, headers: Json | undefined, path: AnchorPath): ApiField[] {
  return Object.entries(asObject(headers)).flatMap(([name, value]) => {
    const header = followReference(scope.root, value)
    const [media] = Object.values(asObject(header.content))
    const field = createField(scope, {
      name,
      path: appendPropertySegment(scope, appendPropertySegment(scope, path, 'header'), name),
      schema: header.schema ?? asObject(media).schema,
      isRequired: header.required === true,
      holder: header,
    })
    return field ?? []
  })
}

/** Describes links: operations that use a value of this response. */
function linkBlocks(scope: FieldScope, links: Json | undefined, path: AnchorPath): ApiBlock[] {
  const fields = Object.entries(asObject(links)).map(([name, value]): ApiField => {
    const link = followReference(scope.root, value)
    const parameterTexts = Object.entries(asObject(link.parameters)).map(
      ([key, one]) => `${key} = ${String(one)}`,
    )
    return {
      ...claimAnchor(scope, appendPropertySegment(scope, appendPropertySegment(scope, path, 'link'), name)),
      name,
      type: asText(link.operationId) ?? asText(link.operationRef) ?? '',
      isRequired: false,
      isDeprecated: false,
      before: [],
      pills: [],
      initial: null,
      description: asText(link.description) ?? '',
      facts:
        parameterTexts.length > 0
          ? [{ label: '', values: parameterTexts.map((text) => ({ text, note: '' })) }]
          : [],
      blocks: [],
      same: null,
    }
  })
  return fields.length === 0 ? [] : details(scope.words.apiLinks, [{ kind: 'fields', fields }])
}

const MAX_CALLBACKS = 50

function callbackSection(scope: FieldScope, callbacks: Json | undefined): ApiBlock[] {
  const blocks = Object.entries(asObject(callbacks)).flatMap(([name, value]) => {
    const callback = followReference(scope.root, value)
    return Object.entries(callback).flatMap(([expression, one]) => {
      const item = followReference(scope.root, one)
      return METHOD_KEYS.flatMap((key) =>
        item[key] === undefined ? [] : callbackBlocks(scope, name, key, expression, asObject(item[key])),
      )
    })
  })
  return section(scope, scope.words.apiCallbacks, 'callbacks', blocks.slice(0, MAX_CALLBACKS))
}

function callbackBlocks(
  scope: FieldScope,
  name: string,
  key: string,
  expression: string,
  operation: JsonObject,
): ApiBlock[] {
  const { root } = scope
  const body = followReference(root, operation.requestBody)
  const parameters = asArray(operation.parameters).map((one) => followReference(root, one))
  const fields = parameters.flatMap((one) => parameterField(scope, one, String(one.in ?? 'query')) ?? [])
  const path = appendPropertySegment(scope, anchorPath('callback'), name)
  const id = claimId(scope, path.id)
  const responses = Object.entries(asObject(operation.responses)).map(([status, value]) =>
    responseChoice(scope, status, followReference(root, value), {
      path: appendPropertySegment(scope, path, `response-${status}`),
      id,
    }),
  )
  const inside: ApiBlock[] = [
    { kind: 'call', method: key.toUpperCase(), path: expression },
    ...prose(asText(operation.summary) ?? ''),
    ...prose(asText(operation.description) ?? ''),
    ...(fields.length > 0 ? [{ kind: 'fields' as const, fields }] : []),
    ...prose(asText(body.description) ?? ''),
    ...contentBlocks(scope, body.content, path, id),
    ...(responses.length > 0
      ? [{ kind: 'choice' as const, label: '', choices: responses, isStatus: true }]
      : []),
  ]
  return details(name, inside)
}

function bodySamples(scope: FieldScope, body: JsonObject): ApiSample[] {
  const { isRequiredOnly } = scope.settings.examples
  return createContentSamples(scope, scope.words.apiBody, body.content, {
    direction: 'request',
    isRequiredOnly,
  })
}

function responseSamples(scope: FieldScope, responses: Json | undefined): ApiSample[] {
  return Object.entries(asObject(responses)).flatMap(([status, value]) => {
    const response = followReference(scope.root, value)
    return createContentSamples(scope, status, response.content, {
      direction: 'response',
      isRequiredOnly: false,
    })
  })
}

export function panel(title: string, label: string, samples: readonly ApiSample[]): ApiPanel | null {
  return samples.length === 0 ? null : { title, method: null, label, samples, isRemembered: false }
}

/** Returns samples from the description, and generated samples for the remaining languages. */
async function createRequestPanel(
  scope: FieldScope,
  page: ApiOperation,
  operation: JsonObject,
  source: RequestSource,
): Promise<ApiPanel | null> {
  const { examples } = scope.settings
  const written = asArray(operation['x-codeSamples'] ?? operation['x-code-samples']).flatMap(customSamples)
  const covered = new Set(written.map((sample) => sample.title.toLowerCase()))
  const missing = examples.languages.filter((language) => {
    const { label } = getLanguageLabel(language)
    return findSampleLanguage(language) !== null && !covered.has(label.toLowerCase())
  })
  const generated = examples.isGenerated
    ? await writeSamples(sampleRequest(scope, source), missing, createLibrarySample)
    : []
  const samples = [...written, ...generated]
  if (samples.length === 0) return null
  return {
    title: page.path,
    method: page.method,
    label: scope.words.apiLanguage,
    samples,
    isRemembered: true,
  }
}

function customSamples(value: Json): ApiSample[] {
  const { lang, label, source } = asObject(value)
  const code = asText(source)
  if (code === null) return []
  const languageInfo = getLanguageLabel(asText(lang) ?? asText(label) ?? 'text')
  const own = asText(label)
  const name = own !== null && own.toLowerCase() !== languageInfo.label.toLowerCase() ? own : ''
  return [{ title: languageInfo.label, name, description: '', language: languageInfo.language, code }]
}
