/** Converts schemas of API descriptions for a JSON Schema validator that does not support OpenAPI. */
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { asArray, asObject, followReference, type JsonObject } from '../../src/openapi/api-json.ts'

const BASE = 'https://description.test/'

export interface DescribedSchemas {
  /** Returns the errors of the value. With `coerces`, strings are accepted as numbers. */
  faults(schema: unknown, value: unknown, coerces?: boolean): string[]
}

/** Validates values as part of a request, where read-only fields are not allowed. */
export function describedSchemas(root: JsonObject): DescribedSchemas {
  const whole = forRequests(root, root)
  const validators = [false, true].map((coerceTypes) => {
    const ajv = new Ajv2020({
      strict: false,
      allErrors: true,
      validateFormats: true,
      unicodeRegExp: false,
      inlineRefs: false,
      coerceTypes,
    })
    addFormats.default(ajv)
    return ajv.addSchema({ components: asObject(whole).components ?? {}, $id: BASE })
  })
  return {
    faults(schema, value, coerces = false) {
      const ajv = validators[Number(coerces)] as Ajv2020
      const check = ajv.compile(relative(forRequests(root, schema ?? {})) as JsonObject | boolean)
      // Ajv writes coerced values into the object.
      if (check(structuredClone(value))) return []
      // With coercion, a numeric string can match several branches of a `oneOf`.
      const errors = (check.errors ?? []).filter(
        ({ keyword, params }) => !(coerces && keyword === 'oneOf' && params.passingSchemas),
      )
      return errors.map(({ instancePath, message, params }) =>
        `${instancePath} ${message} ${JSON.stringify(params)}`.trim(),
      )
    },
  }
}

function relative(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (key, one) => (key === '$ref' && typeof one === 'string' ? BASE + one : one)),
  )
}

/** Converts OpenAPI 3.0 keywords to JSON Schema. */
function forRequests(root: JsonObject, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => forRequests(root, one))
  if (typeof value !== 'object' || value === null) return value
  const made: Record<string, unknown> = {}
  for (const [key, one] of Object.entries(value)) {
    made[key] = /^(?:enum|const|examples?|default)$/.test(key) ? one : forRequests(root, one)
  }
  withoutAnswerFields(root, value as JsonObject, made)
  for (const [flag, bound] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    if (typeof made[flag] !== 'boolean') continue
    if (made[flag]) {
      made[flag] = made[bound]
      delete made[bound]
    } else delete made[flag]
  }
  if (typeof made.nullable !== 'boolean') return made
  const { nullable, ...rest } = made
  return nullable ? { anyOf: [rest, { type: 'null' }] } : rest
}

function withoutAnswerFields(root: JsonObject, schema: JsonObject, made: Record<string, unknown>): void {
  const { properties, required } = schema
  if (typeof properties !== 'object' || properties === null) return
  const hidden = Object.entries(properties)
    .filter(([, one]) => followReference(root, one).readOnly === true)
    .map(([name]) => name)
  if (hidden.length === 0) return
  made.properties = {
    ...asObject(made.properties),
    ...Object.fromEntries(hidden.map((name) => [name, false])),
  }
  if (Array.isArray(required))
    made.required = asArray(required).filter((name) => !hidden.includes(String(name)))
}
