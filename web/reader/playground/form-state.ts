/** State of an operation's form, and the request built from it. */
import {
  type BodyValue,
  type BuiltRequest,
  bodyKind,
  buildRequest,
  parameterKey,
  type SentCredential,
} from '../../../src/openapi/build-request.ts'
import { resolveCredential } from '../../../src/openapi/credentials.ts'
import {
  createBodyExample,
  createInitialValue,
  createParameterExample,
  createPlaygroundScope,
  type FormValue,
} from '../../../src/openapi/form-value.ts'
import type {
  PlaygroundBody,
  PlaygroundData,
  PlaygroundScheme,
} from '../../../src/openapi/playground-data.ts'
import { expandServerUrl, getInitialValue } from '../../../src/openapi/servers.ts'
import { readServerVariables, type ServerVariables } from '../server-variables.ts'
import type { SchemeState } from './auth-form.tsx'
import { jsonText } from './json-text.ts'

export interface FormState {
  server: number
  variables: Readonly<Record<string, string>>
  /** Values set by scripts of the site, until the reader types their own. */
  given: ServerVariables
  way: number
  parameters: Readonly<Record<string, FormValue>>
  media: number
  body: BodyValue
}

/** `chosen` is the URL of the server selected on the page. */
export function createForm(data: PlaygroundData, chosen: string | null, wantsExample: boolean): FormState {
  const scope = createPlaygroundScope(data)
  const server = data.servers.findIndex((one) => expandServerUrl(one) === chosen)
  const parameters = data.parameters.map((parameter) => {
    const value = wantsExample
      ? createParameterExample(scope, parameter, data.isRequiredOnly)
      : createInitialValue(scope, parameter.schema, parameter.isRequired)
    return [parameterKey(parameter), value] as const
  })
  const media = Math.max(
    0,
    data.bodies.findIndex(({ type }) => /json/i.test(type)),
  )
  const body = data.bodies[media]
  return {
    server: Math.max(0, server),
    variables: Object.fromEntries(
      data.servers.flatMap(({ variables }) => variables.map((one) => [one.name, getInitialValue(one)])),
    ),
    given: pickServerVariables(data),
    way: 0,
    parameters: Object.fromEntries(parameters),
    media,
    body: body ? createBody(data, body, wantsExample) : { kind: 'value', value: undefined },
  }
}

export function createBody(data: PlaygroundData, body: PlaygroundBody, wantsExample: boolean): BodyValue {
  const scope = createPlaygroundScope(data)
  switch (bodyKind(body)) {
    case 'file':
      return { kind: 'file', file: null }
    case 'text':
      return { kind: 'text', text: (wantsExample || data.isPrefilled ? body.text : null) ?? '' }
    case 'json':
    case 'form':
      if (wantsExample) return { kind: 'value', value: createBodyExample(scope, body, data.isRequiredOnly) }
      return { kind: 'value', value: createInitialValue(scope, body.schema, data.isBodyRequired) }
    case 'multipart': {
      const value = wantsExample
        ? createBodyExample(scope, body, data.isRequiredOnly)
        : createInitialValue(scope, body.schema, true)
      return { kind: 'value', value: stripFiles(value) }
    }
  }
}

/** Removes files from an example, because the reader must choose them. */
function stripFiles(value: FormValue): FormValue {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || value instanceof Blob)
    return value
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => {
      if (Array.isArray(one)) return [name, one.filter((item) => item !== '<file>')]
      return [name, one === '<file>' ? undefined : one]
    }),
  )
}

export function resolveServer(data: PlaygroundData, form: FormState): string {
  const server = data.servers[form.server]
  return server ? expandServerUrl(server, { ...form.variables, ...form.given }) : ''
}

/** Returns the values for variables that the servers define; for an enum, only valid values. */
export function pickServerVariables(data: PlaygroundData): ServerVariables {
  const given = new Map(Object.entries(readServerVariables()))
  const fitting = data.servers.flatMap(({ variables }) =>
    variables.flatMap(({ name, options }) => {
      const value = given.get(name)
      return value && (options.length === 0 || options.includes(value)) ? [[name, value] as const] : []
    }),
  )
  return Object.fromEntries(fitting)
}

/** Sets a variable typed by the reader, which replaces the script's value from then on. */
export function changeVariable(form: FormState, name: string, value: string): Partial<FormState> {
  const { [name]: _, ...given } = form.given
  return { variables: { ...form.variables, [name]: value }, given }
}

/** Returns the request to send, and the request for code samples, with placeholders for missing values. */
export function buildRequests(
  data: PlaygroundData,
  form: FormState,
  stateOf: (scheme: PlaygroundScheme) => SchemeState,
): { sent: BuiltRequest; shown: BuiltRequest } {
  const media = data.bodies[form.media]
  const credentials = (data.ways[form.way] ?? []).map((scheme) =>
    resolveCredential(scheme, stateOf(scheme).typed),
  )
  const canHold = data.method !== 'GET' && data.method !== 'HEAD'
  const make = (used: readonly SentCredential[]) =>
    buildRequest(data, {
      server: resolveServer(data, form),
      parameters: form.parameters,
      body: media && canHold ? { media, value: form.body } : null,
      credentials: used,
    })
  return {
    sent: make(credentials.flatMap(({ sent }) => sent ?? [])),
    shown: make(credentials.flatMap(({ shown }) => shown ?? [])),
  }
}

export function toTextBody(body: BodyValue): BodyValue {
  return body.kind === 'value' ? { kind: 'text', text: jsonText(body.value) } : body
}

/** Returns null while the text is not valid JSON. */
export function toValueBody(body: BodyValue): BodyValue | null {
  if (body.kind !== 'text') return body
  if (body.text.trim() === '') return { kind: 'value', value: undefined }
  try {
    return { kind: 'value', value: JSON.parse(body.text) as FormValue }
  } catch {
    return null
  }
}
