/** Generates a page for each class, interface, function, type and variable in a library's TypeDoc JSON. */

import { splitDescription } from '../../openapi/description.ts'
import { createSlug } from '../navigation/routes.ts'
import {
  type LinkTo,
  MAX_SYMBOLS,
  type ReferenceDocument,
  type ReferenceSymbol,
} from './reference-document.ts'
import { fence, field, joinParts, links, safeMarkdown } from './reference-text.ts'
import { typeNames, typeText } from './typedoc-types.ts'

export type Reflection = Readonly<Record<string, unknown>>

/** TypeDoc's kind numbers that have pages, and the groups that list them. */
const PAGE_KINDS: Readonly<Record<number, { kind: string; group: string }>> = {
  8: { kind: 'enum', group: 'Enumerations' },
  32: { kind: 'variable', group: 'Variables' },
  64: { kind: 'function', group: 'Functions' },
  128: { kind: 'class', group: 'Classes' },
  256: { kind: 'interface', group: 'Interfaces' },
  2097152: { kind: 'type', group: 'Types' },
}
const GROUPS = ['Classes', 'Interfaces', 'Functions', 'Types', 'Enumerations', 'Variables']
const MEMBER_KINDS: Readonly<Record<number, string>> = {
  512: 'constructor',
  1024: 'property',
  2048: 'method',
  262144: 'property',
}
const CONTAINERS = new Set([1, 2, 4])
const MAX_MODULE_DEPTH = 20

/** Throws an Error whose message describes the mistake in the text. */
export function readTypedoc(text: string): ReferenceDocument {
  const root: unknown = JSON.parse(text)
  if (!isReflection(root) || !Array.isArray(root.children))
    throw new Error('it is not JSON written by TypeDoc with --json')
  const found: ReferenceSymbol[] = []
  collect(root, [], found, 0)
  const modules = [...new Set(found.map(({ group }) => group))]
  const order = (group: string) =>
    GROUPS.includes(group) ? GROUPS.indexOf(group) : GROUPS.length + modules.indexOf(group)
  const pages = found.filter(({ parent }) => parent === null).sort((a, b) => order(a.group) - order(b.group))
  return { symbols: [...pages.slice(0, MAX_SYMBOLS), ...found.filter(({ parent }) => parent !== null)] }
}

/** With several modules, symbols are grouped by module. */
function collect(
  node: Reflection,
  modules: readonly string[],
  found: ReferenceSymbol[],
  depth: number,
): void {
  for (const child of list(node.children)) {
    const kind = Number(child.kind)
    const page = PAGE_KINDS[kind]
    if (CONTAINERS.has(kind) && depth < MAX_MODULE_DEPTH)
      collect(child, [...modules, readName(child)], found, depth + 1)
    else if (page) {
      found.push(symbolPage(child, page, modules))
      for (const member of list(child.children)) {
        const memberKind = MEMBER_KINDS[Number(member.kind)]
        if (memberKind) found.push(memberPage(member, memberKind, readName(child)))
      }
    }
  }
}

function symbolPage(
  node: Reflection,
  page: { kind: string; group: string },
  modules: readonly string[],
): ReferenceSymbol {
  const name = readName(node)
  const comment = readComment(node)
  const folder = [...modules, page.group].map((part) => createSlug(part)).filter((part) => part !== '')
  return {
    kind: page.kind,
    name,
    parent: null,
    group: modules.length > 0 ? modules.join(' / ') : page.group,
    path: [...folder, createSlug(name) || 'symbol'].join('/'),
    description: splitDescription(comment.summary).subtitle,
    isDeprecated: comment.deprecated !== null,
    renderBody: (linkTo) => symbolText(node, page.kind, linkTo),
  }
}

function memberPage(node: Reflection, kind: string, parent: string): ReferenceSymbol {
  const comment = readComment(node)
  return {
    kind,
    name: readName(node),
    parent,
    group: '',
    path: `${createSlug(parent)}-${createSlug(readName(node))}`,
    description: splitDescription(comment.summary).subtitle,
    isDeprecated: comment.deprecated !== null,
    renderBody: (linkTo) =>
      kind === 'method' ? callsText(node, linkTo, '##', true) : symbolText(node, kind, linkTo),
  }
}

function symbolText(node: Reflection, kind: string, linkTo: LinkTo): string {
  const name = readName(node)
  const comment = readComment(node)
  if (kind === 'function') return callsText(node, linkTo, '##', true)
  const parents = [...list(node.extendedTypes), ...list(node.implementedTypes)]
  const extended = list(node.extendedTypes).map(typeText)
  const implemented = list(node.implementedTypes).map(typeText)
  const heads: Readonly<Record<string, string>> = {
    class: `class ${name}${typeParameters(node)}`,
    interface: `interface ${name}${typeParameters(node)}`,
    type: `type ${name}${typeParameters(node)} = ${typeText(node.type)}`,
    enum: `enum ${name}`,
    variable: `const ${name}: ${typeText(node.type)}${text(node.defaultValue) ? ` = ${text(node.defaultValue)}` : ''}`,
    property: `${name}: ${typeText(readType(node))}`,
  }
  const head = [
    heads[kind] ?? name,
    extended.length > 0 ? ` extends ${extended.join(', ')}` : '',
    implemented.length > 0 ? ` implements ${implemented.join(', ')}` : '',
  ].join('')
  return joinParts(
    commentText({ ...comment, summary: splitDescription(comment.summary).rest }),
    fence('typescript', head),
    links([...parents.flatMap(typeNames), ...typeNames(readType(node))], linkTo),
    membersText(node, linkTo),
  )
}

function membersText(node: Reflection, linkTo: LinkTo): string {
  const declared =
    isReflection(node.type) && isReflection(node.type.declaration) ? node.type.declaration : node
  const members = list(declared.children)
  const ofKind = (...kinds: number[]) => members.filter(({ kind }) => kinds.includes(Number(kind)))
  const [constructors, properties, methods, values] = [
    ofKind(512),
    ofKind(1024, 262144),
    ofKind(2048),
    ofKind(16),
  ]
  return joinParts(
    constructors.length > 0 ? '## Constructor' : '',
    ...constructors.map((one) => callsText(one, linkTo, '###')),
    properties.length > 0 ? '## Properties' : '',
    ...properties.map((one) => propertyField(one, linkTo)),
    values.length > 0 ? '## Values' : '',
    ...values.map((one) =>
      field(
        'ResponseField',
        {
          name: readName(one),
          type: typeText(one.type),
          deprecated: readComment(one).deprecated,
          description: readComment(one).summary,
        },
        linkTo,
      ),
    ),
    methods.length > 0 ? '## Methods' : '',
    ...methods.map((one) => joinParts(`### ${heading(readName(one))}`, callsText(one, linkTo, '####'))),
  )
}

function propertyField(node: Reflection, linkTo: LinkTo): string {
  const comment = readComment(node)
  const type = readType(node)
  const isOptional = isReflection(node.flags) && node.flags.isOptional === true
  return field(
    'ResponseField',
    {
      name: readName(node) + (isOptional ? '?' : ''),
      type: typeText(type),
      types: typeNames(type),
      deprecated: comment.deprecated,
      default: text(node.defaultValue),
      description: comment.summary,
    },
    linkTo,
  )
}

/**
 * Describes all signatures, with headings of `level`. With `isPage`, the first omits the paragraph that is already the
 * description of the page.
 */
function callsText(node: Reflection, linkTo: LinkTo, level: string, isPage = false): string {
  const texts = list(node.signatures).map((signature, index) =>
    callText(readName(node), signature, { linkTo, level, isFirst: isPage && index === 0 }),
  )
  return joinParts(...texts)
}

function callText(
  name: string,
  signature: Reflection,
  { linkTo, level, isFirst }: { linkTo: LinkTo; level: string; isFirst: boolean },
): string {
  const comment = readComment(signature)
  const isConstructor = Number(signature.kind) === 16384
  const parameters = list(signature.parameters)
  const written = parameters.map((one) => {
    const isRest = isReflection(one.flags) && one.flags.isRest === true
    return `${isRest ? '...' : ''}${readName(one)}${isOptional(one) ? '?' : ''}: ${typeText(one.type)}`
  })
  const call = `${isConstructor ? `new ${typeText(signature.type)}` : `${name}${typeParameters(signature)}`}(${written.join(', ')})`
  const fields = parameters.map((one) =>
    field(
      'ParamField',
      {
        name: readName(one),
        type: typeText(one.type),
        types: typeNames(one.type),
        isRequired: !isOptional(one),
        default: text(one.defaultValue),
        description: readComment(one).summary,
      },
      linkTo,
    ),
  )
  const returned = typeText(signature.type)
  return joinParts(
    commentText({
      ...comment,
      summary: isFirst ? splitDescription(comment.summary).rest : comment.summary,
      returns: '',
    }),
    fence('typescript', isConstructor ? call : `${call}: ${returned}`),
    fields.length > 0 ? `${level} Parameters` : '',
    ...fields,
    isConstructor || returned === 'void' ? '' : `${level} Returns`,
    isConstructor || returned === 'void'
      ? ''
      : joinParts(
          `\`${returned.replace(/`/g, "'")}\``,
          safeMarkdown(comment.returns),
          links(typeNames(signature.type), linkTo),
        ),
  )
}

function isOptional(node: Reflection): boolean {
  return (isReflection(node.flags) && node.flags.isOptional === true) || text(node.defaultValue) !== null
}

function typeParameters(node: Reflection): string {
  const names = [...list(node.typeParameters), ...list(node.typeParameter)].map(readName)
  return names.length === 0 ? '' : `<${[...new Set(names)].join(', ')}>`
}

function readType(node: Reflection): unknown {
  return node.type ?? (isReflection(node.getSignature) ? node.getSignature.type : undefined)
}

interface Comment {
  summary: string
  returns: string
  examples: readonly string[]
  remarks: readonly string[]
  deprecated: string | null
}

function readComment(node: Reflection): Comment {
  const own = [
    node,
    ...list(node.signatures),
    ...(isReflection(node.getSignature) ? [node.getSignature] : []),
  ]
  const found = own.find((one) => isReflection(one.comment))?.comment
  const comment = isReflection(found) ? found : {}
  const tags = (name: string) =>
    list(comment.blockTags)
      .filter(({ tag }) => tag === name)
      .map(({ content }) => prose(content))
  return {
    // Up to version 0.22, comments were strings.
    summary:
      prose(comment.summary) ||
      [text(comment.shortText), text(comment.text)].filter((part) => part !== null).join('\n\n'),
    returns: tags('@returns').join('\n\n') || (text(comment.returns) ?? ''),
    examples: tags('@example'),
    remarks: tags('@remarks'),
    deprecated: tags('@deprecated')[0] ?? null,
  }
}

function commentText({ summary, returns, examples, remarks, deprecated }: Comment): string {
  return joinParts(
    deprecated === null
      ? ''
      : `<Warning>Deprecated${deprecated.trim() === '' ? '.' : `: ${safeMarkdown(deprecated)}`}</Warning>`,
    safeMarkdown(summary),
    ...remarks.map(safeMarkdown),
    returns === '' ? '' : safeMarkdown(returns),
    ...examples.map((one) => (one.includes('```') ? safeMarkdown(one) : fence('typescript', one.trim()))),
  )
}

function prose(pieces: unknown): string {
  return list(pieces)
    .map((piece) =>
      piece.kind === 'inline-tag' ? `\`${text(piece.text) ?? ''}\`` : (text(piece.text) ?? ''),
    )
    .join('')
}

function heading(name: string): string {
  return safeMarkdown(name).replace(/[_*#]/g, '\\$&')
}

export function list(value: unknown): Reflection[] {
  return Array.isArray(value) ? value.filter(isReflection) : []
}

function isReflection(value: unknown): value is Reflection {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function text(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value : null
}

function readName(node: Reflection): string {
  return text(node.name)?.slice(0, 200) ?? 'unnamed'
}
