/** Generates the limits of the dashboard's forms from the bodies of operations, so that browsers load no schemas. */
import { join } from 'node:path'
import type { TSchema } from 'typebox'
import type { Operation } from '../../src/base/api/operation.ts'
import { DASHBOARD_OPERATIONS } from '../../src/features/dashboard-operations.ts'
import { OPERATIONS } from '../../src/features/operations.ts'
import type { FieldSchema } from '../../web/dashboard/src/forms/field-schema.ts'

const FILE = join(import.meta.dirname, '..', '..', 'web', 'dashboard', 'src', 'forms', 'form-schemas.json')

const FORMS = [
  'acceptInvitation',
  'addCodeRepository',
  'createApiKey',
  'createAutomation',
  'createFeedbackView',
  'createGitCredential',
  'createInvitation',
  'createProject',
  'createSitePass',
  'createWebhook',
  'deleteFeedback',
  'offerTransfer',
  'requestPassword',
  'resetPassword',
  'setUp',
  'startExport',
  'updateCodeRepository',
  'updateInstanceMail',
  'updateInstanceModel',
  'updateInstancePreviews',
  'updateInstanceProvider',
  'updateInstanceRetention',
  'updateInstanceSignIn',
  'updateOrganization',
  'updateOrganizationProvider',
  'updateOrganizationSecurity',
  'updateProject',
  'updatePublishing',
  'updateSiteAccess',
  'updateWebhook',
]

export function describeFormSchemas(): ReadonlyMap<string, string> {
  const operations: Readonly<Record<string, Operation>> = { ...DASHBOARD_OPERATIONS, ...OPERATIONS }
  const rows = FORMS.map((id) => {
    const { body, method } = operations[id] ?? {}
    if (body === undefined) throw new Error(`Operation ${id} has no body.`)
    return `  ${JSON.stringify(id)}: ${JSON.stringify(describeFields(body as Node, method === 'PATCH'))}`
  })
  return new Map([[FILE, `{\n${rows.join(',\n')}\n}\n`]])
}

type Node = TSchema & {
  type?: string
  anyOf?: Node[]
  properties?: Record<string, Node>
  required?: string[]
  items?: Node
  enum?: (string | number)[]
  const?: string | number
  [limit: string]: unknown
}

/** Returns all fields by path. The body of a change can omit any field, so its fields are not marked as optional. */
function describeFields(body: Node, isChange: boolean, prefix = ''): Record<string, FieldSchema> {
  const forms = body.properties === undefined ? (body.anyOf ?? []) : [body]
  return Object.assign(
    {},
    ...forms.flatMap((form) =>
      Object.entries(form.properties ?? {}).map(([name, property]) => {
        const [schema, isNullable] = unwrap(property)
        const path = `${prefix}${name}`
        const isOptional = !isChange && form.required?.includes(name) !== true
        return schema.type === 'object' || schema.anyOf?.every(({ type }) => type === 'object')
          ? { ...describeFields(schema, isChange, `${path}/`), ...(isNullable && { [path]: { isNullable } }) }
          : { [path]: describeField(schema, isNullable, isOptional) }
      }),
    ),
  )
}

function unwrap(schema: Node): [schema: Node, isNullable: boolean] {
  const isNull = (one: Node) => one.type === 'null'
  if (schema.anyOf?.some(isNull) !== true) return [schema, false]
  const others = schema.anyOf.filter((one) => !isNull(one))
  return [others.length === 1 ? (others[0] as Node) : ({ ...schema, anyOf: others } as Node), true]
}

function describeField(schema: Node, isNullable: boolean, canBeLeftOut: boolean): FieldSchema {
  const { type, items, maxLength, minimum, maximum, maxItems } = schema
  const [example] = (schema.examples as unknown[] | undefined) ?? []
  const choices = schema.enum ?? schema.anyOf?.flatMap((one) => one.const ?? one.enum ?? [])
  const isEmptyAllowed = type === 'string' && (schema.minLength ?? 0) === 0 && schema.pattern === undefined
  return {
    ...(type === 'integer' || type === 'boolean' ? { type } : {}),
    ...(type === 'array' ? { type: 'list' } : {}),
    ...(isNullable && { isNullable }),
    ...((isNullable || canBeLeftOut || isEmptyAllowed) && { isOptional: true }),
    ...(isEmptyAllowed && { canBeEmpty: true }),
    ...(maxLength !== undefined && { maxLength }),
    ...(type === 'integer' && minimum !== undefined && { least: minimum }),
    ...(type === 'integer' && maximum !== undefined && { most: maximum }),
    ...(maxItems !== undefined && { most: maxItems }),
    ...(choices !== undefined && choices.length > 0 && { choices }),
    ...(items?.enum !== undefined && { choices: items.enum }),
    ...(example !== undefined && { example: Array.isArray(example) ? example.join(', ') : example }),
  } as FieldSchema
}
