/**
 * A fetch that validates every response, including errors, against the OpenAPI description served by the server: the
 * status and content type must be listed, required headers present and valid, and the body valid. Unknown paths must
 * answer 404, other methods 405.
 */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

type Json = { [key: string]: unknown }

export interface CheckedFetch {
  /** `path` is relative to the base URL, or an absolute URL below it. Throws OpenApiMismatch. */
  (path: string, init?: RequestInit): Promise<Response>
  /** Number of checked responses by `METHOD path status`. */
  readonly seen: ReadonlyMap<string, number>
  readonly description: Json
}

export class OpenApiMismatch extends Error {
  override name = 'OpenApiMismatch'
}

/** Returns a check of responses against another description of the server. The check throws OpenApiMismatch. */
export async function responseChecker(
  base: string,
  descriptionPath: string,
): Promise<(method: string, pathname: string, response: Response) => Promise<string>> {
  const description = (await (await fetch(`${base}${descriptionPath}`)).json()) as Json
  await checkDescription(description)
  return createChecker(description).check
}

export async function checkedFetch(base: string): Promise<CheckedFetch> {
  const origin = base.replace(/\/+$/, '')
  const description = (await (await fetch(`${origin}/openapi.json`)).json()) as Json
  await checkDescription(description)
  const checker = createChecker(description)
  const seen = new Map<string, number>()
  const checked = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const url = new URL(path, `${origin}/`)
    const method = (init.method ?? 'GET').toUpperCase()
    const response = await fetch(url, init)
    const place = await checker.check(method, url.pathname, response)
    const line = `${method} ${place} ${response.status}`
    seen.set(line, (seen.get(line) ?? 0) + 1)
    return response
  }
  return Object.assign(checked, { seen, description })
}

/** Throws unless the document is valid OpenAPI 3.1: its structure, its references, its JSON Schema 2020-12 schemas. */
export async function checkDescription(description: Json): Promise<void> {
  const { openapi, info, paths } = description as { openapi?: string; info?: Json; paths?: Json }
  if (!/^3\.1\.\d+$/.test(openapi ?? '')) throw new OpenApiMismatch('the description is not OpenAPI 3.1')
  if (typeof info?.title !== 'string' || typeof info.version !== 'string' || typeof paths !== 'object') {
    throw new OpenApiMismatch('the description lacks info or paths')
  }
  const ids = Object.values(paths as Record<string, Record<string, Json>>)
    .flatMap((item) => Object.values(item))
    .map((operation) => operation.operationId)
  const twice = ids.filter((id, index) => typeof id !== 'string' || ids.indexOf(id) !== index)
  if (twice.length > 0) throw new OpenApiMismatch(`operation ids are missing or twice: ${twice.join(', ')}`)
  for (const reference of referencesIn(description)) resolve(description, reference)
}

function createChecker(description: Json) {
  const ajv = new Ajv2020({ strict: false, allErrors: true, verbose: false })
  addFormats.default(ajv)
  ajv.addSchema({ ...description, $id: 'https://octavo.invalid/openapi.json' })
  const compiled = new Map<unknown, ValidateFunction>()
  const templates = Object.keys(description.paths as Json).map(compileTemplate)

  function validate(schema: unknown, value: unknown, what: string): string[] {
    let check = compiled.get(schema)
    if (check === undefined) {
      check = ajv.compile(absolute(schema) as Json)
      compiled.set(schema, check)
    }
    if (check(value)) return []
    return (check.errors ?? []).map((error) => `${what}${error.instancePath} ${error.message}`)
  }

  function headerFaults(headers: Json, response: Response): string[] {
    return Object.entries(headers).flatMap(([name, reference]) => {
      const header = deref(description, reference) as { required?: boolean; schema?: Json }
      const value = response.headers.get(name)
      if (value === null) return header.required === true ? [`the header ${name} is missing`] : []
      const isInteger = header.schema?.type === 'integer'
      return validate(
        header.schema,
        isInteger && /^\d+$/.test(value) ? Number(value) : value,
        `header ${name}`,
      )
    })
  }

  async function faultsOf(operation: Json, method: string, response: Response): Promise<string[]> {
    const listed = (operation.responses as Json)[response.status]
    if (listed === undefined) return [`the status ${response.status} is not listed`]
    const { headers = {}, content } = deref(description, listed) as {
      headers?: Json
      content?: Record<string, Json>
    }
    const faults = headerFaults(headers, response)
    const type = response.headers.get('content-type')?.split(';', 1)[0] ?? null
    if (content === undefined || method === 'HEAD') return faults
    const media = content[type ?? ''] ?? content['*/*']
    if (media === undefined) return [...faults, `the content type ${type} is not listed`]
    if (type !== 'application/json' || content['*/*'] !== undefined) return faults
    return [...faults, ...validate(media.schema, await response.clone().json(), 'body')]
  }

  async function check(method: string, pathname: string, response: Response): Promise<string> {
    const path = templates.find(({ pattern }) => pattern.test(pathname))?.path
    const item = path === undefined ? null : ((description.paths as Json)[path] as Record<string, Json>)
    const operation = item?.[method === 'HEAD' ? 'get' : method.toLowerCase()]
    const faults =
      operation !== undefined
        ? await faultsOf(operation, method, response)
        : await faultsOfUnlisted(item === null ? 404 : 405, method, response)
    if (faults.length === 0) return path ?? '(unknown)'
    const body = method === 'HEAD' ? '' : (await response.clone().text()).slice(0, 400)
    const lines = faults.map((fault) => `  - ${fault}`).join('\n')
    throw new OpenApiMismatch(
      `${method} ${pathname} answered ${response.status}, which its description does not allow:\n${lines}\n  ${body}`,
    )
  }

  async function faultsOfUnlisted(expected: number, method: string, response: Response): Promise<string[]> {
    if (method === 'OPTIONS' && expected === 405 && response.status === 204) {
      return response.headers.has('allow') ? [] : ['the header Allow is missing']
    }
    if (response.status === 400)
      return faultsOf({ responses: { 400: ref('responses/400') } }, method, response)
    if (response.status !== expected) return [`${expected} was expected: the description does not have it`]
    return faultsOf({ responses: { [expected]: ref(`responses/${expected}`) } }, method, response)
  }

  return { check }
}

/** A trailing `{key}` may contain slashes; all other parameters match one path segment. */
function compileTemplate(path: string): { path: string; pattern: RegExp } {
  const escaped = path.replace(/[.*+?^$()|[\]\\]/g, '\\$&')
  const source = escaped.replace(/\{key\}$/, '.+').replace(/\{\w+\}/g, '[^/]+')
  return { path, pattern: new RegExp(`^${source}$`) }
}

function ref(name: string): Json {
  return { $ref: `#/components/${name}` }
}

function deref(description: Json, value: unknown): Json {
  const { $ref } = value as { $ref?: string }
  return $ref === undefined ? (value as Json) : resolve(description, $ref)
}

function resolve(description: Json, reference: string): Json {
  const steps = reference.split('/').slice(1)
  const target = steps.reduce<unknown>((value, name) => (value as Json | undefined)?.[name], description)
  if (!reference.startsWith('#/') || typeof target !== 'object' || target === null) {
    throw new OpenApiMismatch(`the description refers to ${reference}, which it does not have`)
  }
  return target as Json
}

function referencesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) =>
    name === '$ref' && typeof inner === 'string' ? [inner] : referencesIn(inner),
  )
}

function absolute(schema: unknown): unknown {
  return JSON.parse(
    JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"https://octavo.invalid/openapi.json#/'),
  )
}
