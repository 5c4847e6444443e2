/** Holds settings against their schema: keys that mean nothing, values of a wrong kind. Every finding has its line. */
import type { Problem } from '../contract/problem.ts'
import { createClosestFinder } from './closest.ts'
import { isFields, isList, type JsonNode } from './json.ts'
import { reportSetting, reportType } from './read-json.ts'
import type { SettingSchema } from './schema-parts.ts'
import { SETTINGS_SCHEMA } from './settings-schema.ts'

/**
 * Adds what the readers of the settings have not said already: they know better what is used instead. A key that nobody
 * knows is a hint, a value of a wrong kind a warning.
 */
export function checkSchema(problems: Problem[], root: JsonNode): void {
  const said = new Set(problems.filter(({ code }) => code.startsWith('config.')).map(placeOf))
  const found: Problem[] = []
  checkFields(found, SETTINGS_SCHEMA, root, '')
  problems.push(...found.filter((problem) => !said.has(placeOf(problem))))
}

function placeOf({ file, line }: Problem): string {
  return `${file}:${line}`
}

function checkNode(problems: Problem[], schema: SettingSchema, node: JsonNode, path: string): void {
  const own = resolve(schema)
  if (node.value === null || (own.type === undefined && !own.anyOf)) return
  if (own.anyOf) checkAlternatives(problems, own, node, path)
  else if (!isOfType(own, node)) reportType(problems, node, path, wantedBy(own))
  else if (own.type === 'object') checkFields(problems, own, node, path)
  else if (own.type === 'string') checkText(problems, own, node, path)
  else if (own.items && isList(node.value))
    for (const item of node.value) checkNode(problems, own.items, item, path)
}

/** Alternatives differ by their kind; where several have the kind of the value, one that takes it is enough. */
function checkAlternatives(problems: Problem[], schema: SettingSchema, node: JsonNode, path: string): void {
  const alternatives = kindsOf(schema)
  const fitting = alternatives.filter((one) => isOfType(one, node) && one !== FILE_REFERENCE)
  const [first] = fitting
  if (!first) {
    const wanted = [...new Set(alternatives.filter((one) => one !== FILE_REFERENCE).map(wantedBy))]
    reportType(problems, node, path, wanted.join(' or '))
    return
  }
  const tries = fitting.map((one) => {
    const found: Problem[] = []
    checkNode(found, one, node, path)
    return found
  })
  problems.push(...(tries.find((found) => found.length === 0) ?? tries[0] ?? []))
}

const FILE_REFERENCE = SETTINGS_SCHEMA.definitions.fileReference

/** Alternatives of alternatives are alternatives. */
function kindsOf(schema: SettingSchema): SettingSchema[] {
  const own = resolve(schema)
  return own.anyOf ? own.anyOf.flatMap(kindsOf) : [own]
}

function checkFields(problems: Problem[], schema: SettingSchema, node: JsonNode, path: string): void {
  if (!isFields(node.value)) return
  const known = schema.properties ?? {}
  for (const [key, value] of node.value) {
    const name = path === '' ? key : `${path}.${key}`
    const property = Object.hasOwn(known, key) ? known[key] : undefined
    if (property) checkNode(problems, property, value, name)
    else if (/^[$_]/.test(key)) continue
    else if (schema.additionalProperties) checkNode(problems, schema.additionalProperties, value, name)
    else if (schema.additionalProperties === false)
      hintUnknown(problems, value, name, key, Object.keys(known))
  }
}

function hintUnknown(
  problems: Problem[],
  node: JsonNode,
  name: string,
  key: string,
  known: readonly string[],
): void {
  reportSetting(
    problems,
    node,
    'config.unknown_key',
    'hint',
    `${name} is not a setting and is not used.`,
    remedyFor(name, key, known),
  )
}

function remedyFor(name: string, key: string, known: readonly string[]): string {
  const places = name === key ? sectionsWith(key).map((section) => `${section}.${key}`) : []
  // A name that many sections have says nothing about which one was meant.
  if (places.length === 1 || places.length === 2) return `Move it to ${places.join(' or ')}.`
  const closest = createClosestFinder(known).find(key)
  return closest ? `Did you mean ${closest}?` : 'Remove it.'
}

/** Sections of docs.json that have the setting, for one that stands at the top. */
function sectionsWith(key: string): string[] {
  const all = Object.entries(SETTINGS_SCHEMA.properties as Record<string, SettingSchema>)
  const holds = ({ properties }: SettingSchema) => properties !== undefined && Object.hasOwn(properties, key)
  return all.filter(([, section]) => kindsOf(section).some(holds)).map(([name]) => name)
}

function checkText(problems: Problem[], schema: SettingSchema, node: JsonNode, path: string): void {
  const text = String(node.value).trim()
  if (text === '') return
  const isKnown = !schema.enum || schema.enum.some((value) => value === text || value === text.toLowerCase())
  const isShaped = schema.pattern === undefined || new RegExp(schema.pattern).test(text)
  if (isKnown && isShaped) return
  const remedy = schema.enum
    ? `Use one of ${schema.enum.map((value) => `"${value}"`).join(', ')}.`
    : 'Write the colour as # with three or six hexadecimal digits.'
  const message = `${path} cannot be ${JSON.stringify(text.slice(0, 80))}; the default is used.`
  reportSetting(problems, node, 'config.value', 'warning', message, remedy)
}

/** As forgiving as the readers: numbers are texts too, and texts may hold a number or a truth. */
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
  string: 'a text',
  number: 'a number',
  boolean: 'true or false',
}

function wantedBy(schema: SettingSchema): string {
  return schema.type ? NAMES[schema.type] : 'something else'
}

function resolve(schema: SettingSchema): SettingSchema {
  if (!schema.$ref) return schema
  const name = schema.$ref.replace('#/definitions/', '')
  const definition = (SETTINGS_SCHEMA.definitions as Record<string, SettingSchema>)[name]
  if (!definition) throw new Error(`the schema has no definition ${name}`)
  return resolve(definition)
}
