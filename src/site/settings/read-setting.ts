/**
 * Parses settings by their schema. A value of the wrong type is reported with its line and replaced by the default;
 * an unknown key is a hint. Types are lenient: numbers count as text, and text may contain a number or boolean.
 */
import type { Problem } from '../../base/errors/problem.ts'
import { isFields, isList, type JsonNode, toPlain } from '../json.ts'
import { createClosestFinder } from '../navigation/closest.ts'
import {
  readChoice,
  readColor,
  readFlag,
  readNumber,
  readText,
  reportSetting,
  reportType,
} from '../read-json.ts'
import {
  fileReference,
  getDefaultValue,
  resolveShared,
  type SettingSchema,
  type SettingScope,
} from './schema-parts.ts'

export function readSetting<Value>(
  scope: SettingScope,
  schema: SettingSchema<Value>,
  node: JsonNode | undefined,
  path: string,
): Value {
  const own = resolveShared(schema)
  if (node === undefined || node.value === null) return getDefaultValue(own)
  const value = readValue(scope, own, node, path)
  if (value === null) return getDefaultValue(own)
  return own.convert ? own.convert(value as never, { ...scope, node, path }) : (value as Value)
}

function readValue(scope: SettingScope, schema: SettingSchema, node: JsonNode, path: string): unknown {
  const { problems } = scope
  if (schema.anyOf) return readAlternative(scope, schema, node, path)
  if (schema.type === undefined) return toPlain(node)
  if (!isOfType(schema, node)) {
    reportType(problems, node, path, describeExpected(schema))
    return null
  }
  switch (schema.type) {
    case 'object':
      return readFields(scope, schema, node, path)
    case 'array':
      return readItems(scope, schema, node, path)
    case 'number':
      return readNumber(problems, node, path)
    case 'boolean':
      return readFlag(problems, node, path)
    default:
      if (schema.enum) return readChoice(problems, node, path, schema.enum)
      return schema.pattern ? readColor(problems, node, path) : readText(problems, node, path)
  }
}

/** Selects the alternative by type; if several have the type of the value, the first that accepts it is used. */
function readAlternative(scope: SettingScope, schema: SettingSchema, node: JsonNode, path: string): unknown {
  const alternatives = listKinds(schema).filter((one) => one !== fileReference)
  const fitting = alternatives.filter((one) => isOfType(one, node))
  if (fitting.length === 0) {
    const expected = [...new Set(alternatives.map(describeExpected))].join(' or ')
    reportType(scope.problems, node, path, expected)
    return null
  }
  const tries = fitting.map((one) => {
    const problems: Problem[] = []
    return { value: readSetting({ ...scope, problems }, one, node, path), problems }
  })
  const chosen = tries.find(({ problems }) => problems.length === 0) ?? tries[0]
  scope.problems.push(...(chosen?.problems ?? []))
  return chosen?.value ?? null
}

function listKinds(schema: SettingSchema): SettingSchema[] {
  const own = resolveShared(schema)
  return own.anyOf ? own.anyOf.flatMap(listKinds) : [own]
}

function readItems(scope: SettingScope, { items }: SettingSchema, node: JsonNode, path: string): unknown[] {
  const all = isList(node.value) && items ? node.value : []
  return all
    .map((item) => readSetting(scope, items as SettingSchema, item, path))
    .filter((item) => item !== null)
}

/** Fields that are present come first, in the order of the file, then absent fields. */
function readFields(
  scope: SettingScope,
  schema: SettingSchema,
  node: JsonNode,
  path: string,
): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  const knownProperties = schema.properties ?? {}
  for (const [key, inner] of isFields(node.value) ? node.value : []) {
    const name = path === '' ? key : `${path}.${key}`
    if (Object.hasOwn(knownProperties, key))
      values[key] = readSetting(scope, knownProperties[key] as SettingSchema, inner, name)
    else if (schema.additionalProperties) {
      const value = readSetting(scope, schema.additionalProperties, inner, name)
      if (value !== null && key !== '__proto__') values[key] = value
    } else if (schema.additionalProperties === false && !/^[$_]/.test(key))
      reportUnknownSetting(scope, schema, inner, name, key)
  }
  for (const [key, property] of Object.entries(knownProperties))
    if (!Object.hasOwn(values, key)) values[key] = getDefaultValue(property)
  return values
}

function reportUnknownSetting(
  { problems }: SettingScope,
  { properties = {} }: SettingSchema,
  node: JsonNode,
  name: string,
  key: string,
): void {
  const candidates = name === key ? listSectionsWithKey(properties, key) : []
  // If many sections have a setting of this name, the intended section is unknown.
  const isClear = candidates.length === 1 || candidates.length === 2
  const closest = createClosestFinder(Object.keys(properties)).find(key)
  reportSetting(
    problems,
    node,
    'config.unknown_key',
    'hint',
    `${name} is not a known setting and is ignored.`,
    isClear ? `Move it to ${candidates.join(' or ')}.` : closest ? `Did you mean ${closest}?` : 'Remove it.',
  )
}

function listSectionsWithKey(sections: Readonly<Record<string, SettingSchema>>, key: string): string[] {
  const holds = ({ properties }: SettingSchema) => properties !== undefined && Object.hasOwn(properties, key)
  const holding = Object.entries(sections).filter(([, section]) => listKinds(section).some(holds))
  return holding.map(([name]) => `${name}.${key}`)
}

function isOfType(schema: SettingSchema, { value }: JsonNode): boolean {
  switch (schema.type) {
    case 'object':
      return isFields(value)
    case 'array':
      return isList(value)
    case 'string':
      return typeof value === 'string' || typeof value === 'number'
    case 'number':
      return typeof value === 'number' || (typeof value === 'string' && Number.isFinite(Number(value)))
    case 'boolean':
      return typeof value === 'boolean' || value === 'true' || value === 'false'
    default:
      return true
  }
}

const NAMES: Record<NonNullable<SettingSchema['type']>, string> = {
  object: 'an object',
  array: 'a list',
  string: 'a string',
  number: 'a number',
  boolean: 'true or false',
}

function describeExpected(schema: SettingSchema): string {
  return schema.type ? NAMES[schema.type] : 'something else'
}
