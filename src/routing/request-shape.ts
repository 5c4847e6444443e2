/**
 * Validates a request against its schemas: body values are never coerced, unknown fields are never silently dropped,
 * and all faults of query and body are reported together.
 */
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Operation } from '../base/api/operation.ts'
import { assertNoFaults } from '../base/errors/errors.ts'
import { explainFaults, MAX_FAULTS } from '../base/errors/explain-faults.ts'
import { createFault, type Fault, faultAt, findNulFaults, type Parsed } from '../base/errors/fault.ts'
import { hasCursorForm } from '../base/signed-cursor.ts'

export interface RawRequest {
  params?: Record<string, string>
  faults?: readonly Fault[]
  /** Without the question mark. */
  queryString: string
  body: unknown
  idempotencyKey?: string | undefined
}

/** A request before its values are validated by the schemas; they may have any type. */
export interface UncheckedRequest {
  params: Record<string, string>
  query: Record<string, unknown>
  body: unknown
  idempotencyKey: string | undefined
}

export interface RequestShape {
  /**
   * Returns query and body as typed by the schemas, and the value parsed by the operation. Throws AppError
   * `invalid_request` with every fault.
   */
  check(raw: RawRequest): { query: unknown; body: unknown; parsed: unknown }
  /** Returns whether the path parameters are valid. Invalid ones count as an object that does not exist. */
  hasValidParams(params: Record<string, string>): boolean
}

export type ParseRequest<Value = unknown> = (given: UncheckedRequest) => Parsed<Value>

export function compileShape(
  operation: Pick<Operation, 'method' | 'params' | 'query' | 'body'>,
  parse?: ParseRequest,
): RequestShape {
  const checkQuery = compileQuery(operation.query)
  const checkBody = operation.method === 'GET' ? ignoreBody : compileBody(operation.body)
  const params = operation.params === null ? null : Compile(operation.params)
  return {
    check(raw) {
      const faults: Fault[] = []
      const query = checkQuery(raw.queryString, faults)
      const body = checkBody(raw.body, faults)
      const { params = {}, idempotencyKey } = raw
      const parsed = parse?.({ params, query, body: raw.body, idempotencyKey })
      faults.push(...(parsed?.faults ?? cursorFaults(operation.query, query)))
      faults.push(...(raw.faults ?? []), ...idempotencyKeyFaults(idempotencyKey))
      assertNoFaults(faults.slice(0, MAX_FAULTS))
      return { query, body, parsed: parsed?.value }
    },
    hasValidParams: (given) =>
      (params === null || params.Check(given)) && Object.values(given).every((part) => !part.includes('\0')),
  }
}

export function idempotencyKeyFaults(key: string | undefined): Fault[] {
  if (key === undefined || /^.{1,255}$/s.test(key)) return []
  return [{ ...createFault('idempotency_key'), field: 'Idempotency-Key' }]
}

/**
 * Checks the form of a cursor for operations that decode it later, so that an invalid cursor is reported with the
 * other faults. Decoding then checks to which list the cursor belongs.
 */
function cursorFaults(schema: TSchema | null, { cursor }: Record<string, unknown>): Fault[] {
  if (typeof cursor !== 'string' || cursor === '' || !Object.hasOwn(getSchemaProperties(schema), 'cursor'))
    return []
  return hasCursorForm(cursor) ? [] : [faultAt('cursor', 'invalid_cursor')]
}

type CheckPart<Raw, Part = unknown> = (raw: Raw, faults: Fault[]) => Part

function compileBody(schema: TSchema | null): CheckPart<unknown> {
  if (schema === null) {
    return (body, faults) => {
      if (body !== undefined && !isEmptyObject(body)) faults.push(createFault('body_unexpected'))
      return null
    }
  }
  const validator = Compile(schema)
  return (body, faults) => {
    if (body === undefined) faults.push(createFault('body_required'))
    else if (!validator.Check(body)) faults.push(...describeFaults(schema, body, 'body'))
    else faults.push(...findNulFaults(body))
    return body
  }
}

function ignoreBody(): null {
  return null
}

function compileQuery(schema: TSchema | null): CheckPart<string, Record<string, unknown>> {
  const properties = getSchemaProperties(schema)
  const closed = schema ?? { type: 'object', properties: {}, additionalProperties: false }
  const validator = Compile(closed)
  const defaults = collectDefaults(properties)
  return (queryString, faults) => {
    const query = readQuery(queryString, properties, faults)
    if (!validator.Check(query)) faults.push(...describeFaults(closed, query, 'query'))
    return { ...defaults, ...query }
  }
}

/**
 * Parses numbers and booleans only from exact representations. Any other value stays a string and is rejected as
 * such.
 */
function readQuery(
  queryString: string,
  properties: Record<string, TSchema>,
  faults: Fault[],
): Record<string, unknown> {
  const given = new URLSearchParams(queryString)
  const query: Record<string, unknown> = Object.create(null)
  for (const name of new Set(given.keys())) {
    const values = given.getAll(name)
    const text = values[0] as string
    if (values.length > 1)
      faults.push(faultAt(name.slice(0, 80), 'repeated_parameter', { count: values.length }))
    if (text.includes('\0')) faults.push(faultAt(name.slice(0, 80), 'nul_character'))
    query[name] = readScalar(text, Object.hasOwn(properties, name) ? properties[name] : undefined)
  }
  return query
}

function readScalar(text: string, schema: { type?: unknown } | undefined): unknown {
  if ((schema?.type === 'integer' || schema?.type === 'number') && /^(0|-?[1-9]\d{0,14})$/.test(text)) {
    return Number(text)
  }
  if (schema?.type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  return text
}

function describeFaults(schema: TSchema, value: unknown, partName: 'body' | 'query'): Fault[] {
  const faults = explainFaults(schema, value, partName)
  return faults.length > 0 ? faults : [createFault('invalid_shape', { part: partName })]
}

function getSchemaProperties(schema: TSchema | null): Record<string, TSchema> {
  return (schema as { properties?: Record<string, TSchema> } | null)?.properties ?? {}
}

function collectDefaults(properties: Record<string, TSchema>): Record<string, unknown> {
  const withDefault = Object.entries(properties).filter(([, schema]) => 'default' in schema)
  return Object.fromEntries(
    withDefault.map(([name, schema]) => [name, (schema as { default: unknown }).default]),
  )
}

function isEmptyObject(value: unknown): boolean {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length === 0
  )
}
