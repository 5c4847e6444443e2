/** Writes TypeDoc's types in TypeScript syntax. */

const MAX_DEPTH = 12
/** Maximum length of a type, in characters; longer types are truncated. */
const MAX_TYPE_CHARACTERS = 600

type Node = Readonly<Record<string, unknown>>

export function typeText(type: unknown): string {
  const text = formatType(type, 0)
  return text.length > MAX_TYPE_CHARACTERS ? `${text.slice(0, MAX_TYPE_CHARACTERS)}…` : text
}

export function typeNames(type: unknown): string[] {
  const names = new Set<string>()
  const visit = (value: unknown, depth: number): void => {
    if (depth > MAX_DEPTH || names.size > 50 || typeof value !== 'object' || value === null) return
    if (Array.isArray(value)) {
      for (const one of value) visit(one, depth + 1)
      return
    }
    const node = value as Node
    if (node.type === 'reference' && typeof node.name === 'string') names.add(node.name)
    for (const key of NESTED_TYPE_KEYS) visit(node[key], depth + 1)
  }
  visit(type, 0)
  return [...names]
}

const NESTED_TYPE_KEYS = [
  'typeArguments',
  'elementType',
  'types',
  'elements',
  'target',
  'element',
  'objectType',
  'declaration',
  'signatures',
  'parameters',
  'type',
]

function formatType(type: unknown, depth: number): string {
  if (typeof type === 'string') return type
  if (typeof type !== 'object' || type === null) return 'unknown'
  if (depth > MAX_DEPTH) return '…'
  const node = type as Node
  const inner = (value: unknown) => formatType(value, depth + 1)
  const each = (value: unknown) => (Array.isArray(value) ? value.slice(0, 50).map(inner) : [])
  const name = typeof node.name === 'string' ? node.name : ''
  switch (node.type) {
    case 'reference': {
      const args = each(node.typeArguments)
      return args.length > 0 ? `${name}<${args.join(', ')}>` : name
    }
    case 'literal':
      return typeof node.value === 'object' && node.value !== null
        ? 'bigint'
        : JSON.stringify(node.value ?? null)
    case 'array':
      return `${grouped(node.elementType, inner)}[]`
    case 'union':
      return each(node.types).join(' | ')
    case 'intersection':
      return each(node.types).join(' & ')
    case 'tuple':
      return `[${each(node.elements ?? node.target).join(', ')}]`
    case 'namedTupleMember':
    case 'named-tuple-member':
      return `${name}: ${inner(node.element)}`
    case 'optional':
      return `${inner(node.elementType)}?`
    case 'rest':
      return `...${inner(node.elementType)}`
    case 'typeOperator':
      return `${String(node.operator ?? '')} ${inner(node.target)}`
    case 'indexedAccess':
      return `${inner(node.objectType)}[${inner(node.indexType)}]`
    case 'query':
      return `typeof ${inner(node.queryType)}`
    case 'predicate':
      return `${name} is ${inner(node.targetType)}`
    case 'conditional':
      return `${inner(node.checkType)} extends ${inner(node.extendsType)} ? ${inner(node.trueType)} : ${inner(node.falseType)}`
    case 'mapped':
      return `{ [${String(node.parameter ?? 'key')} in ${inner(node.parameterType)}]: ${inner(node.templateType)} }`
    case 'templateLiteral':
    case 'template-literal':
      return 'string'
    case 'reflection':
      return reflection(node.declaration, inner)
    default:
      return name || 'unknown'
  }
}

function grouped(type: unknown, inner: (value: unknown) => string): string {
  const text = inner(type)
  return / [|&] |=>/.test(text) ? `(${text})` : text
}

function reflection(declaration: unknown, inner: (value: unknown) => string): string {
  const node = (typeof declaration === 'object' && declaration !== null ? declaration : {}) as Node
  const [signature] = Array.isArray(node.signatures) ? (node.signatures as Node[]) : []
  if (signature) {
    const parameters = Array.isArray(signature.parameters) ? (signature.parameters as Node[]) : []
    return `(${parameters.map((one) => `${String(one.name ?? '')}: ${inner(one.type)}`).join(', ')}) => ${inner(signature.type)}`
  }
  const children = Array.isArray(node.children) ? (node.children as Node[]) : []
  return children.length === 0
    ? 'object'
    : `{ ${children
        .slice(0, 20)
        .map((one) => `${String(one.name ?? '')}: ${inner(one.type)}`)
        .join('; ')} }`
}
