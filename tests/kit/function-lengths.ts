/** How long the functions of the sources are, in lines from the first to the last. */
import { parseSync } from 'oxc-parser'
import { isTest, sources, text } from './source-files.ts'

interface SourceFunction {
  /** `src/app/node.ts startNode`; of one that has no name, that of the function around it and what it is given to. */
  name: string
  lines: number
}

interface Node {
  type: string
  start: number
  end: number
  [field: string]: unknown
}

const FUNCTIONS = ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']

export function sourceFunctions(): SourceFunction[] {
  return sources.filter((file) => !isTest(file) && /\.tsx?$/.test(file)).flatMap(functionsOf)
}

function functionsOf(file: string): SourceFunction[] {
  const code = text.get(file) ?? ''
  const linesOf = ({ start, end }: Node) => code.slice(start, end).split('\n').length
  const found: SourceFunction[] = []
  const visit = (value: unknown, name: string) => {
    if (Array.isArray(value)) for (const one of value) visit(one, name)
    if (!isNode(value)) return
    const own = nameOf(value) ?? name
    if (FUNCTIONS.includes(value.type)) found.push({ name: `${file} ${own}`, lines: linesOf(value) })
    for (const child of Object.values(value)) visit(child, own)
  }
  visit(parseSync(file, code).program, 'callback')
  return found
}

/** The name that a node gives to itself or to the function in it. */
function nameOf({ id, key, type }: Node): string | null {
  const named = type === 'VariableDeclarator' || FUNCTIONS.includes(type) ? id : key
  return isNode(named) && typeof named.name === 'string' ? named.name : null
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value
}
