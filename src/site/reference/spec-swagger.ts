/**
 * Converts descriptions of version 2.0 to version 3.0. Invalid parts are dropped and never cause an error.
 *
 *   host, basePath, schemes          servers
 *   definitions                      components.schemas
 *   parameters in: body, formData    requestBody
 *   responses with a schema          responses with content
 *   securityDefinitions              components.securitySchemes
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

const METHODS = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch'])
/** Schema keywords that version 2.0 defines directly in a parameter. */
const SCHEMA_KEYS =
  'type format items default enum maximum minimum exclusiveMaximum exclusiveMinimum maxLength minLength pattern maxItems minItems uniqueItems multipleOf'.split(
    ' ',
  )
const OAUTH_FLOWS: Readonly<Record<string, string>> = {
  accessCode: 'authorizationCode',
  application: 'clientCredentials',
  implicit: 'implicit',
  password: 'password',
}

export function upgradeSwagger(root: JsonObject): JsonObject {
  const types = { consumes: mediaTypes(root.consumes), produces: mediaTypes(root.produces) }
  const { swagger, host, basePath, schemes, definitions, parameters, responses, ...rest } = root
  const upgraded: JsonObject = {
    ...rest,
    openapi: '3.0.0',
    servers: createServers(root),
    paths: mapFields(root.paths, (item) => upgradePath(root, types, asObject(item))),
    components: {
      schemas: asObject(definitions),
      securitySchemes: mapFields(root.securityDefinitions, (one) => upgradeSecurity(asObject(one))),
      responses: mapFields(responses, (one) => upgradeResponse(types.produces, asObject(one))),
      parameters: mapFields(parameters, (one) => upgradeParameter(asObject(one))),
    },
  }
  return rewriteReferences(upgraded)
}

interface MediaTypes {
  consumes: string[]
  produces: string[]
}

function mediaTypes(value: Json | undefined): string[] {
  return asArray(value).filter((one) => typeof one === 'string')
}

function mapFields(value: Json | undefined, change: (field: Json) => Json): JsonObject {
  return Object.fromEntries(Object.entries(asObject(value)).map(([name, field]) => [name, change(field)]))
}

function createServers(root: JsonObject): Json[] {
  const host = asText(root.host)
  const path = (asText(root.basePath) ?? '').replace(/(?<!\/)\/+$/, '')
  if (host === null) return path === '' ? [] : [{ url: path }]
  const schemes = mediaTypes(root.schemes)
  return (schemes.length > 0 ? schemes : ['https']).map((scheme) => ({ url: `${scheme}://${host}${path}` }))
}

function upgradePath(root: JsonObject, types: MediaTypes, item: JsonObject): Json {
  const shared = asArray(item.parameters)
  const upgraded: JsonObject = { ...item, parameters: upgradeNonBodyParameters(root, shared) }
  for (const [key, value] of Object.entries(item)) {
    if (METHODS.has(key)) upgraded[key] = upgradeOperation(root, types, asObject(value), shared)
  }
  return upgraded
}

function upgradeOperation(root: JsonObject, types: MediaTypes, operation: JsonObject, shared: Json[]): Json {
  const { consumes, produces, schemes, parameters, ...rest } = operation
  const consumedTypes = consumes === undefined ? types.consumes : mediaTypes(consumes)
  const producedTypes = produces === undefined ? types.produces : mediaTypes(produces)
  const body = createRequestBody(root, consumedTypes, [...shared, ...asArray(parameters)])
  return {
    ...rest,
    parameters: upgradeNonBodyParameters(root, asArray(parameters)),
    ...(body === null ? {} : { requestBody: body }),
    responses: mapFields(operation.responses, (one) =>
      upgradeResponse(producedTypes, followReference(root, one)),
    ),
  }
}

function upgradeNonBodyParameters(root: JsonObject, parameters: Json[]): Json[] {
  return parameters
    .map((one) => followReference(root, one))
    .filter((one) => one.in !== 'body' && one.in !== 'formData')
    .map(upgradeParameter)
}

function upgradeParameter(parameter: JsonObject): JsonObject {
  const upgraded: JsonObject = { ...parameter }
  const schema = asObject(parameter.schema)
  for (const key of SCHEMA_KEYS) {
    const value = getOwnField(parameter, key)
    if (value === undefined) continue
    schema[key] = value
    delete upgraded[key]
  }
  if (parameter.collectionFormat === 'multi') upgraded.explode = true
  delete upgraded.collectionFormat
  return { ...upgraded, schema: fileSchema(schema) }
}

function fileSchema(schema: JsonObject): JsonObject {
  return schema.type === 'file' ? { ...schema, type: 'string', format: 'binary' } : schema
}

function createRequestBody(root: JsonObject, consumes: readonly string[], parameters: Json[]): Json {
  const resolved = parameters.map((one) => followReference(root, one))
  const body = resolved.find((one) => one.in === 'body')
  if (body) {
    const types = consumes.length > 0 ? consumes : ['application/json']
    const content = Object.fromEntries(types.map((type) => [type, { schema: body.schema ?? {} }]))
    return { description: body.description ?? '', required: body.required === true, content }
  }
  const fields = resolved.filter((one) => one.in === 'formData')
  if (fields.length === 0) return null
  const hasFile = fields.some((one) => one.type === 'file')
  const forms = consumes.filter((type) => /multipart\/form-data|x-www-form-urlencoded/.test(type))
  const type = forms[0] ?? (hasFile ? 'multipart/form-data' : 'application/x-www-form-urlencoded')
  const properties = fields.map((one) => {
    const { schema } = upgradeParameter(one)
    return [String(one.name), { ...asObject(schema), description: one.description ?? '' }] as const
  })
  const required = fields.filter((one) => one.required === true).map((one) => String(one.name))
  const schema = { type: 'object', properties: Object.fromEntries(properties), required }
  return { required: required.length > 0, content: { [type]: { schema } } }
}

function upgradeResponse(produces: readonly string[], response: JsonObject): Json {
  const { schema, examples, headers, ...rest } = response
  const upgraded: JsonObject = { ...rest }
  if (headers !== undefined) upgraded.headers = mapFields(headers, (one) => upgradeParameter(asObject(one)))
  const shown = asObject(examples)
  if (schema === undefined && Object.keys(shown).length === 0) return upgraded
  const types = new Set([...(produces.length > 0 ? produces : ['application/json']), ...Object.keys(shown)])
  const content: JsonObject = {}
  for (const type of types) {
    const example = getOwnField(shown, type)
    content[type] = {
      ...(schema === undefined ? {} : { schema: fileSchema(asObject(schema)) }),
      ...(example === undefined ? {} : { example }),
    }
  }
  return { ...upgraded, content }
}

function upgradeSecurity(scheme: JsonObject): Json {
  const { type, description } = scheme
  const schemeBase: JsonObject = description === undefined ? {} : { description }
  if (type === 'basic') return { ...schemeBase, type: 'http', scheme: 'basic' }
  if (type !== 'oauth2') return scheme
  const flow = OAUTH_FLOWS[String(scheme.flow)] ?? 'implicit'
  const { authorizationUrl, tokenUrl, scopes } = scheme
  const details = Object.entries({ authorizationUrl, tokenUrl, scopes }).filter(
    ([, value]) => value !== undefined,
  )
  return { ...schemeBase, type: 'oauth2', flows: { [flow]: Object.fromEntries(details) as JsonObject } }
}

/** Rewrites all `#/definitions/X` to `#/components/schemas/X`; shared objects are visited once. */
function rewriteReferences(root: JsonObject): JsonObject {
  const seen = new Set<object>()
  const rest: Json[] = [root]
  for (let value = rest.pop(); value !== undefined; value = rest.pop()) {
    if (typeof value !== 'object' || value === null || seen.has(value)) continue
    seen.add(value)
    if (Array.isArray(value)) {
      for (const item of value) rest.push(item)
      continue
    }
    if (typeof value.$ref === 'string') {
      value.$ref = value.$ref
        .replace(/^#\/definitions\//, '#/components/schemas/')
        .replace(/^#\/(parameters|responses)\//, '#/components/$1/')
    }
    if (typeof value.discriminator === 'string') value.discriminator = { propertyName: value.discriminator }
    for (const field of Object.values(value)) rest.push(field)
  }
  return root
}
