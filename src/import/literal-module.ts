/**
 * Reads settings from a JavaScript module (`docusaurus.config.js`, `sidebars.ts`) without running it.
 * Supports literals, constants of the same file, and a few calls. Reports the location of everything else.
 */
import { tsPlugin } from '@sveltejs/acorn-typescript'
import { type AnyNode, Parser, type Program } from 'acorn'
import { findLineStarts, lineAt } from '../base/text/text-lines.ts'

export interface LiteralModule {
  value: unknown
  /** Values that cannot be determined without running the module. */
  recordUnread: { line: number; name: string; source: string }[]
  fault: { line: number | null; reason: string } | null
}

const MAX_TEXT = 2_000_000
/** Limits the expansion of constants, which may refer to each other. */
const MAX_VALUES = 200_000
const MAX_DEPTH = 100

interface Reading {
  text: string
  lineStarts: readonly number[]
  constants: Map<string, AnyNode>
  recordUnread: LiteralModule['recordUnread']
  values: number
}

const UNREADABLE_VALUE = Symbol('unread')

export function readLiteralModule(text: string, isTypeScript: boolean): LiteralModule {
  const unreadable = (reason: string, line: number | null = null): LiteralModule => ({
    value: undefined,
    recordUnread: [],
    fault: { line, reason },
  })
  if (text.length > MAX_TEXT) return unreadable('it is larger than 2 MB')
  try {
    const program = parseProgram(text, isTypeScript)
    const reading: Reading = {
      text,
      lineStarts: findLineStarts(text),
      constants: new Map(),
      recordUnread: [],
      values: 0,
    }
    for (const node of program.body) collectConstants(reading, node)
    const exported = findExport(program)
    if (exported === null) return unreadable('it exports nothing that can be read')
    const value = readValue(reading, exported, '', 0)
    return {
      value: value === UNREADABLE_VALUE ? undefined : value,
      recordUnread: reading.recordUnread,
      fault: null,
    }
  } catch (error) {
    const { message, loc } = error as Error & { loc?: { line: number } }
    return unreadable(message.split('\n')[0]?.slice(0, 200) ?? '', loc?.line ?? null)
  }
}

const TypeScriptParser = Parser.extend(tsPlugin())

function parseProgram(text: string, isTypeScript: boolean): Program {
  const options = { ecmaVersion: 'latest', allowHashBang: true, locations: isTypeScript } as const
  if (isTypeScript) return TypeScriptParser.parse(text, { ...options, sourceType: 'module' })
  try {
    return Parser.parse(text, { ...options, sourceType: 'module' })
  } catch (error) {
    try {
      return Parser.parse(text, { ...options, sourceType: 'script' })
    } catch {
      throw error
    }
  }
}

function collectConstants(reading: Reading, node: AnyNode): void {
  const declared = node.type === 'ExportNamedDeclaration' ? node.declaration : node
  if (declared?.type === 'FunctionDeclaration' && declared.id) {
    reading.constants.set(declared.id.name, declared)
  }
  if (declared?.type !== 'VariableDeclaration' || declared.kind !== 'const') return
  for (const { id, init } of declared.declarations)
    if (id.type === 'Identifier' && init) reading.constants.set(id.name, init)
}

/** Finds `export default …` or `module.exports = …`. */
function findExport(program: Program): AnyNode | null {
  for (const node of program.body) {
    if (node.type === 'ExportDefaultDeclaration') return node.declaration
    if (node.type !== 'ExpressionStatement' || node.expression.type !== 'AssignmentExpression') continue
    const { left, right } = node.expression
    if (left.type !== 'MemberExpression' || left.property.type !== 'Identifier') continue
    const object = left.object.type === 'Identifier' ? left.object.name : ''
    const name = left.property.name
    if ((object === 'module' && name === 'exports') || (object === 'exports' && name === 'default'))
      return right
  }
  return null
}

/** TypeScript nodes that wrap an expression: `value satisfies Config`. */
const TYPED = new Set<string>(['TSSatisfiesExpression', 'TSAsExpression', 'TSNonNullExpression'])

function readValue(reading: Reading, node: AnyNode, name: string, depth: number): unknown {
  if ('expression' in node && TYPED.has(node.type)) {
    return readValue(reading, node.expression as AnyNode, name, depth + 1)
  }
  if (++reading.values > MAX_VALUES) throw new Error('it contains more than 200,000 values')
  if (depth > MAX_DEPTH) return recordUnread(reading, node, name)
  const next = (one: AnyNode, at = name) => readValue(reading, one, at, depth + 1)
  switch (node.type) {
    case 'Literal':
      return node.regex || node.bigint ? recordUnread(reading, node, name) : node.value
    case 'TemplateLiteral': {
      const values = node.expressions.map((one) => next(one))
      if (values.includes(UNREADABLE_VALUE)) return UNREADABLE_VALUE
      return node.quasis.map(({ value }, index) => `${value.cooked}${values[index] ?? ''}`).join('')
    }
    case 'ArrayExpression':
      return node.elements.flatMap((one, index) => {
        if (one === null) return []
        const value = next(one.type === 'SpreadElement' ? one.argument : one, `${name}[${index}]`)
        if (value === UNREADABLE_VALUE) return []
        return one.type === 'SpreadElement' && Array.isArray(value) ? value : [value]
      })
    case 'ObjectExpression':
      return readObject(reading, node, name, depth)
    case 'Identifier':
      return namedValue(reading, node, name, depth)
    case 'UnaryExpression': {
      const value = next(node.argument)
      if (node.operator === '!' && value !== UNREADABLE_VALUE) return !value
      return node.operator === '-' && typeof value === 'number' ? -value : recordUnread(reading, node, name)
    }
    case 'BinaryExpression': {
      if (node.operator !== '+' || node.left.type === 'PrivateIdentifier')
        return recordUnread(reading, node, name)
      const [left, right] = [next(node.left), next(node.right)]
      return typeof left === 'string' && typeof right === 'string' ? left + right : UNREADABLE_VALUE
    }
    case 'LogicalExpression': {
      // For `process.env.NAME || 'text'`, uses the text and reports the other operand.
      recordUnread(reading, node, name)
      return next(node.right)
    }
    case 'CallExpression':
      return calledValue(reading, node, name, depth)
    case 'ArrowFunctionExpression':
    case 'FunctionExpression':
    case 'FunctionDeclaration':
      return depth === 0 || name === ''
        ? returnedValue(reading, node, depth)
        : recordUnread(reading, node, name)
    default:
      return recordUnread(reading, node, name)
  }
}

function readObject(
  reading: Reading,
  node: Extract<AnyNode, { type: 'ObjectExpression' }>,
  name: string,
  depth: number,
): unknown {
  const object: Record<string, unknown> = {}
  for (const property of node.properties) {
    if (property.type === 'SpreadElement') {
      const value = readValue(reading, property.argument, name, depth + 1)
      if (typeof value === 'object' && value !== null) Object.assign(object, value)
      continue
    }
    const { key } = property
    const text =
      key.type === 'Identifier' && !property.computed ? key.name : key.type === 'Literal' ? key.value : null
    if (text === null || text === '__proto__') {
      recordUnread(reading, property, name)
      continue
    }
    const value = readValue(reading, property.value, name === '' ? `${text}` : `${name}.${text}`, depth + 1)
    if (value !== UNREADABLE_VALUE) object[`${text}`] = value
  }
  return object
}

function namedValue(
  reading: Reading,
  node: Extract<AnyNode, { type: 'Identifier' }>,
  name: string,
  depth: number,
): unknown {
  if (node.name === 'undefined') return undefined
  const constant = reading.constants.get(node.name)
  return constant === undefined
    ? recordUnread(reading, node, name)
    : readValue(reading, constant, name, depth + 1)
}

/**
 * Evaluates `require.resolve('x')` and `path.join(__dirname, 'x')` to a path. At the top level, a call whose only
 * argument is an object, such as `define({…})`, evaluates to that object.
 */
function calledValue(
  reading: Reading,
  node: Extract<AnyNode, { type: 'CallExpression' }>,
  name: string,
  depth: number,
): unknown {
  const callee = reading.text.slice(node.callee.start, Math.min(node.callee.end, node.callee.start + 100))
  const values = () =>
    node.arguments
      .filter((one) => !(one.type === 'Identifier' && one.name === '__dirname'))
      .map((one) => readValue(reading, one, name, depth + 1))
  if (callee === 'require.resolve' || /^path\.(?:join|resolve)$/.test(callee)) {
    const parts = values()
    return parts.every((part) => typeof part === 'string') ? parts.join('/') : UNREADABLE_VALUE
  }
  const [only] = node.arguments
  if (node.arguments.length === 1 && only?.type === 'ObjectExpression' && name === '') {
    return readValue(reading, only, name, depth + 1)
  }
  return recordUnread(reading, node, name)
}

function returnedValue(
  reading: Reading,
  node: Extract<AnyNode, { type: 'ArrowFunctionExpression' | 'FunctionExpression' | 'FunctionDeclaration' }>,
  depth: number,
): unknown {
  if (node.body.type !== 'BlockStatement') return readValue(reading, node.body, '', depth + 1)
  for (const statement of node.body.body) collectConstants(reading, statement)
  const returned = node.body.body.findLast((statement) => statement.type === 'ReturnStatement')
  if (returned?.type !== 'ReturnStatement' || !returned.argument) return recordUnread(reading, node, '')
  return readValue(reading, returned.argument, '', depth + 1)
}

function recordUnread(reading: Reading, node: AnyNode, name: string): typeof UNREADABLE_VALUE {
  const source = reading.text.slice(node.start, Math.min(node.end, node.start + 200))
  reading.recordUnread.push({ line: lineAt(reading.lineStarts, node.start), name, source })
  return UNREADABLE_VALUE
}
