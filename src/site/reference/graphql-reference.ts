/** Generates a page for each query, mutation, subscription and type of a GraphQL schema. */

import { splitDescription } from '../../openapi/description.ts'
import { createSlug } from '../navigation/routes.ts'
import {
  type DirectiveNode,
  type FieldNode,
  type InputNode,
  parseSchema,
  type SchemaDocument,
  type TypeDefinition,
  type TypeNode,
  type ValueNode,
} from './graphql-schema.ts'
import {
  type LinkTo,
  MAX_SYMBOLS,
  type ReferenceDocument,
  type ReferenceSymbol,
} from './reference-document.ts'
import { fence, field, joinParts, links, safeMarkdown } from './reference-text.ts'

const MAX_EXAMPLE_DEPTH = 3
const MAX_EXAMPLE_FIELDS = 12
const STANDARD_SCALARS: Readonly<Record<string, unknown>> = {
  ID: '1',
  String: 'text',
  Int: 1,
  Float: 1.5,
  Boolean: true,
}

/** Throws an Error whose message describes the mistake in the text. */
export function readGraphql(text: string): ReferenceDocument {
  const schema = indexSchema(parseSchema(text))
  const operations = ROOTS.flatMap((root) =>
    listFields(schema.types.get(schema.roots[root.kind])).map((one) => operation(schema, one, root)),
  )
  const roots = new Set(Object.values(schema.roots))
  const types = [...schema.types.values()]
    .filter(({ name }) => !roots.has(name))
    .map((type) => typePage(schema, type))
  return { symbols: [...operations, ...types].slice(0, MAX_SYMBOLS) }
}

type RootKind = 'query' | 'mutation' | 'subscription'

interface Root {
  kind: RootKind
  group: string
  folder: string
}

const ROOTS: readonly Root[] = [
  { kind: 'query', group: 'Queries', folder: 'queries' },
  { kind: 'mutation', group: 'Mutations', folder: 'mutations' },
  { kind: 'subscription', group: 'Subscriptions', folder: 'subscriptions' },
]

interface Schema {
  types: ReadonlyMap<string, TypeDefinition>
  roots: Record<RootKind, string>
  /** Maps each interface to its implementing types, and each union to its member types. */
  members: ReadonlyMap<string, readonly string[]>
}

function indexSchema(document: SchemaDocument): Schema {
  const types = new Map<string, TypeDefinition>()
  const roots: Schema['roots'] = { query: 'Query', mutation: 'Mutation', subscription: 'Subscription' }
  for (const { operation: kind, type } of document.roots) {
    const root = ROOTS.find((one) => one.kind === kind)
    if (root) roots[root.kind] = type
  }
  for (const type of document.types.filter(({ isExtension }) => !isExtension)) types.set(type.name, type)
  for (const more of document.types.filter(({ isExtension }) => isExtension)) {
    const type = types.get(more.name)
    types.set(more.name, type ? extended(type, more) : more)
  }
  const members = new Map<string, string[]>()
  const add = (name: string, member: string) => {
    const existing = members.get(name)
    if (existing) existing.push(member)
    else members.set(name, [member])
  }
  for (const type of types.values()) {
    for (const name of type.interfaces) add(name, type.name)
    for (const member of type.members) add(type.name, member)
  }
  return { types, roots, members }
}

function extended(type: TypeDefinition, more: TypeDefinition): TypeDefinition {
  return {
    ...type,
    interfaces: [...type.interfaces, ...more.interfaces],
    directives: [...type.directives, ...more.directives],
    fields: [...type.fields, ...more.fields],
    inputs: [...type.inputs, ...more.inputs],
    members: [...type.members, ...more.members],
    values: [...type.values, ...more.values],
  }
}

function operation(schema: Schema, node: FieldNode, root: Root): ReferenceSymbol {
  const { description } = node
  const deprecated = readDeprecation(node.directives)
  return {
    kind: root.kind,
    name: node.name,
    parent: null,
    group: root.group,
    path: `${root.folder}/${createSlug(splitWords(node.name)) || node.name}`,
    description: splitDescription(description).subtitle,
    isDeprecated: deprecated !== null,
    renderBody: (linkTo) => operationText(schema, node, root.kind, linkTo),
  }
}

function operationText(schema: Schema, node: FieldNode, kind: RootKind, linkTo: LinkTo): string {
  const deprecated = readDeprecation(node.directives)
  const returned = namedType(node.type)
  const { query, variables, answer } = example(schema, node, kind)
  const args = node.arguments.map((one) => field('ParamField', inputField(one), linkTo))
  return joinParts(
    safeMarkdown(splitDescription(node.description).rest),
    deprecated ? `<Warning>Deprecated: ${safeMarkdown(deprecated)}</Warning>` : '',
    args.length > 0 ? '## Arguments' : '',
    ...args,
    '## Returns',
    field(
      'ResponseField',
      { name: node.name, type: typeText(node.type), description: schema.types.get(returned)?.description },
      linkTo,
    ),
    links([returned], linkTo),
    '<RequestExample>',
    fence('graphql', query, label(kind)),
    variables === null ? '' : fence('json', variables, 'Variables'),
    '</RequestExample>',
    '<ResponseExample>',
    fence('json', answer, 'Response'),
    '</ResponseExample>',
  )
}

function typePage(schema: Schema, node: TypeDefinition): ReferenceSymbol {
  const { name, description } = node
  return {
    kind: 'type',
    name,
    parent: null,
    group: 'Types',
    path: `types/${createSlug(splitWords(name)) || name}`,
    description: splitDescription(description).subtitle,
    isDeprecated: readDeprecation(node.directives) !== null,
    renderBody: (linkTo) => definitionText(schema, node, linkTo),
  }
}

function definitionText(schema: Schema, node: TypeDefinition, linkTo: LinkTo): string {
  const { name } = node
  const isInput = node.kind === 'input'
  const fields = isInput
    ? node.inputs.map((one) => field('ParamField', inputField(one), linkTo))
    : listFields(node).map((one) => field('ResponseField', outputField(one), linkTo))
  const values = node.values.map(({ name, description, directives }) =>
    field('ResponseField', { name, description, deprecated: readDeprecation(directives) }, linkTo),
  )
  const { interfaces } = node
  const members = schema.members.get(name) ?? []
  return joinParts(
    safeMarkdown(splitDescription(node.description).rest),
    fence('graphql', definition(node)),
    fields.length > 0 ? '## Fields' : '',
    ...fields,
    values.length > 0 ? '## Values' : '',
    ...values,
    interfaces.length > 0 ? `## Implements\n\n${links(interfaces, linkTo)}` : '',
    members.length > 0
      ? `## ${node.kind === 'union' ? 'Possible types' : 'Implemented by'}\n\n${links(members, linkTo)}`
      : '',
  )
}

function inputField(node: InputNode) {
  return {
    name: node.name,
    type: typeText(node.type),
    types: [namedType(node.type)],
    isRequired: node.type.kind === 'NonNullType' && !node.defaultValue,
    deprecated: readDeprecation(node.directives),
    default: node.defaultValue ? valueText(node.defaultValue) : null,
    description: node.description,
  }
}

function outputField(node: FieldNode) {
  const args = node.arguments.map((one) => `${one.name}: ${typeText(one.type)}`)
  return {
    name: node.name + (args.length > 0 ? `(${args.join(', ')})` : ''),
    type: typeText(node.type),
    types: [namedType(node.type), ...node.arguments.map((one) => namedType(one.type))],
    deprecated: readDeprecation(node.directives),
    description: node.description,
  }
}

/** Writes the type in schema language, without descriptions. */
function definition(node: TypeDefinition): string {
  const name = node.name
  const interfaces = node.interfaces.length > 0 ? ` implements ${node.interfaces.join(' & ')}` : ''
  switch (node.kind) {
    case 'scalar':
      return `scalar ${name}`
    case 'union':
      return `union ${name} = ${node.members.join(' | ')}`
    case 'enum':
      return block(
        `enum ${name}`,
        node.values.map((one) => one.name),
      )
    case 'input':
      return block(`input ${name}`, node.inputs.map(inputText))
    default:
      return block(
        `${node.kind} ${name}${interfaces}`,
        listFields(node).map((one) => {
          const args = one.arguments.map(inputText)
          return `${one.name}${args.length > 0 ? `(${args.join(', ')})` : ''}: ${typeText(one.type)}`
        }),
      )
  }
}

function inputText(node: InputNode): string {
  return `${node.name}: ${typeText(node.type)}${node.defaultValue ? ` = ${valueText(node.defaultValue)}` : ''}`
}

function block(head: string, lines: readonly string[]): string {
  return `${head} {\n${lines.map((line) => `  ${line}`).join('\n')}\n}`
}

function example(schema: Schema, node: FieldNode, kind: RootKind) {
  const args = node.arguments
  const name = node.name
  const title = name.charAt(0).toUpperCase() + name.slice(1)
  const declared = args.map((one) => `$${one.name}: ${typeText(one.type)}`)
  const passedArguments = args.map((one) => `${one.name}: $${one.name}`)
  const { selection, value } = select(schema, node.type, 0)
  const query = [
    `${kind} ${title}${declared.length > 0 ? `(${declared.join(', ')})` : ''} {`,
    `  ${name}${passedArguments.length > 0 ? `(${passedArguments.join(', ')})` : ''}${indented(selection)}`,
    '}',
  ].join('\n')
  const required = args.filter((one) => one.type.kind === 'NonNullType' && !one.defaultValue)
  const variables = Object.fromEntries(required.map((one) => [one.name, inputValue(schema, one.type, 0)]))
  return {
    query,
    variables: required.length === 0 ? null : JSON.stringify(variables, null, 2),
    answer: JSON.stringify({ data: { [name]: value } }, null, 2),
  }
}

function indented(selection: string): string {
  return selection === '' ? '' : ` ${selection.replace(/\n/g, '\n  ')}`
}

/** Returns a selection of fields without required arguments, and a possible result. */
function select(schema: Schema, type: TypeNode, depth: number): { selection: string; value: unknown } {
  if (type.kind === 'NonNullType') return select(schema, type.type, depth)
  if (type.kind === 'ListType') {
    const inner = select(schema, type.type, depth)
    return { selection: inner.selection, value: [inner.value] }
  }
  const found = schema.types.get(type.name)
  if (found?.kind === 'union')
    return { selection: '{\n  __typename\n}', value: { __typename: found.members[0] ?? '' } }
  const fields = listFields(found)
  if (fields.length === 0) return { selection: '', value: leafValue(schema, type.name) }
  const lines: string[] = []
  const value: Record<string, unknown> = {}
  for (const one of fields) {
    if (lines.length >= MAX_EXAMPLE_FIELDS) break
    if (one.arguments.some((arg) => arg.type.kind === 'NonNullType' && !arg.defaultValue)) continue
    const isLeaf =
      listFields(schema.types.get(namedType(one.type))).length === 0 &&
      schema.types.get(namedType(one.type))?.kind !== 'union'
    if (!isLeaf && depth + 1 >= MAX_EXAMPLE_DEPTH) continue
    const inner = select(schema, one.type, depth + 1)
    lines.push(`${one.name}${indented(inner.selection)}`)
    value[one.name] = inner.value
  }
  if (lines.length === 0) return { selection: '{\n  __typename\n}', value: { __typename: type.name } }
  return { selection: `{\n${lines.map((line) => `  ${line}`).join('\n')}\n}`, value }
}

function inputValue(schema: Schema, type: TypeNode, depth: number): unknown {
  if (type.kind === 'NonNullType') return inputValue(schema, type.type, depth)
  if (type.kind === 'ListType')
    return depth >= MAX_EXAMPLE_DEPTH ? [] : [inputValue(schema, type.type, depth + 1)]
  const found = schema.types.get(type.name)
  if (found?.kind !== 'input') return leafValue(schema, type.name)
  if (depth >= MAX_EXAMPLE_DEPTH) return {}
  const needed = found.inputs.filter((one) => one.type.kind === 'NonNullType' && !one.defaultValue)
  const shown = needed.length > 0 ? needed : found.inputs.slice(0, 3)
  return Object.fromEntries(
    shown.slice(0, MAX_EXAMPLE_FIELDS).map((one) => [one.name, inputValue(schema, one.type, depth + 1)]),
  )
}

function leafValue(schema: Schema, name: string): unknown {
  const found = schema.types.get(name)
  if (found?.kind === 'enum') return found.values[0]?.name ?? null
  return Object.hasOwn(STANDARD_SCALARS, name) ? STANDARD_SCALARS[name] : name
}

function listFields(node: TypeDefinition | undefined): readonly FieldNode[] {
  return node?.fields ?? []
}

function typeText(type: TypeNode): string {
  if (type.kind === 'NonNullType') return `${typeText(type.type)}!`
  return type.kind === 'ListType' ? `[${typeText(type.type)}]` : type.name
}

function namedType(type: TypeNode): string {
  return type.kind === 'NamedType' ? type.name : namedType(type.type)
}

function valueText(value: ValueNode): string {
  if (value.kind === 'ListValue') return `[${value.values.map(valueText).join(', ')}]`
  if (value.kind === 'ObjectValue')
    return `{${value.fields.map((one) => `${one.name}: ${valueText(one.value)}`).join(', ')}}`
  return value.kind === 'StringValue' ? JSON.stringify(value.value) : String(value.value)
}

function readDeprecation(directives: readonly DirectiveNode[]): string | null {
  const found = directives.find(({ name }) => name === 'deprecated')
  if (!found) return null
  const reason = found.arguments.find(({ name }) => name === 'reason')?.value
  return reason?.kind === 'StringValue' ? reason.value : ''
}

/** Splits words: `createUser` → `create User`. */
export function splitWords(name: string): string {
  return name.replace(/(?<=[a-z\d])(?=[A-Z])/g, ' ')
}

function label(kind: RootKind): string {
  return kind.charAt(0).toUpperCase() + kind.slice(1)
}
