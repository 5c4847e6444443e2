/** Parser for the GraphQL schema language: types, fields and descriptions, without parts that only servers use. */

interface Named {
  name: string
}

export type TypeNode =
  | ({ kind: 'NamedType' } & Named)
  | { kind: 'ListType'; type: TypeNode }
  | { kind: 'NonNullType'; type: TypeNode }

export type ValueNode =
  | { kind: 'ListValue'; values: ValueNode[] }
  | { kind: 'ObjectValue'; fields: (Named & { value: ValueNode })[] }
  /** `value` of a word or number is the text in the source. */
  | { kind: 'StringValue' | 'Word'; value: string }

export interface DirectiveNode extends Named {
  arguments: (Named & { value: ValueNode })[]
}

interface Described extends Named {
  description: string
  directives: DirectiveNode[]
}

export interface InputNode extends Described {
  type: TypeNode
  defaultValue: ValueNode | null
}

export interface FieldNode extends Described {
  arguments: InputNode[]
  type: TypeNode
}

export interface TypeDefinition extends Described {
  kind: 'scalar' | 'type' | 'interface' | 'union' | 'enum' | 'input'
  isExtension: boolean
  interfaces: string[]
  /** Fields of types and interfaces. */
  fields: FieldNode[]
  /** Fields of input types. */
  inputs: InputNode[]
  /** Members of unions. */
  members: string[]
  /** Values of enumerations. */
  values: Described[]
}

export interface SchemaDocument {
  types: TypeDefinition[]
  roots: { operation: string; type: string }[]
}

/** Maximum number of tokens; a schema of one megabyte has about 200,000. */
const MAX_TOKENS = 1_000_000
const MAX_DEPTH = 60

/** Throws an Error that describes the mistake and its line. */
export function parseSchema(text: string): SchemaDocument {
  return new SchemaParser(text).document()
}

interface Token {
  kind: 'name' | 'number' | 'string' | 'mark' | 'end'
  value: string
  at: number
}

const SPACE = /(?:[\s,\uFEFF]|#[^\n]*)*/y
const WORD = /[_A-Za-z]\w*/y
const NUMBER = /-?\d[\d.eE+-]*/y
const STRING = /"((?:[^"\\\n]|\\.)*)"/y
const MARKS = '!$&():=@[]{|}'

class SchemaParser {
  readonly #text: string
  #offset = 0
  #count = 0
  #token: Token

  constructor(text: string) {
    this.#text = text
    this.#token = this.#read()
  }

  document(): SchemaDocument {
    const document: SchemaDocument = { types: [], roots: [] }
    while (this.#token.kind !== 'end') this.#definition(document)
    return document
  }

  #definition(document: SchemaDocument) {
    const description = this.#description()
    const isExtension = this.#takeWord('extend')
    const keyword = this.#name()
    if (keyword === 'schema') document.roots.push(...this.#schema())
    else if (keyword === 'directive') this.#directiveDefinition()
    else if (isKind(keyword)) document.types.push(this.#type(keyword, description, isExtension))
    else throw this.#fault(`expected a definition, found ${keyword}`)
  }

  #schema(): SchemaDocument['roots'] {
    this.#directives()
    return this.#block(() => {
      this.#description()
      const operation = this.#name()
      this.#mark(':')
      return { operation, type: this.#name() }
    })
  }

  /** Skips a directive definition; directives are shown where they are applied. */
  #directiveDefinition() {
    this.#mark('@')
    this.#name()
    this.#arguments()
    this.#takeWord('repeatable')
    if (!this.#takeWord('on')) throw this.#fault('expected "on"')
    this.#names('|')
  }

  #type(kind: TypeDefinition['kind'], description: string, isExtension: boolean): TypeDefinition {
    const name = this.#name()
    const interfaces = this.#takeWord('implements') ? this.#names('&') : []
    const directives = this.#directives()
    const members = kind === 'union' && this.#take('=') ? this.#names('|') : []
    const isObject = kind === 'type' || kind === 'interface'
    return {
      kind,
      name,
      description,
      isExtension,
      interfaces,
      directives,
      members,
      fields: isObject ? this.#block(() => this.#field()) : [],
      inputs: kind === 'input' ? this.#block(() => this.#input()) : [],
      values: kind === 'enum' ? this.#block(() => this.#value()) : [],
    }
  }

  #field(): FieldNode {
    const description = this.#description()
    const name = this.#name()
    const args = this.#arguments()
    this.#mark(':')
    return { name, description, arguments: args, type: this.#typeNode(0), directives: this.#directives() }
  }

  #input(): InputNode {
    const description = this.#description()
    const name = this.#name()
    this.#mark(':')
    const type = this.#typeNode(0)
    const defaultValue = this.#take('=') ? this.#literal(0) : null
    return { name, description, type, defaultValue, directives: this.#directives() }
  }

  #value(): Described {
    const description = this.#description()
    return { description, name: this.#name(), directives: this.#directives() }
  }

  #arguments(): InputNode[] {
    const found: InputNode[] = []
    if (!this.#take('(')) return found
    while (!this.#take(')')) found.push(this.#input())
    return found
  }

  #directives(): DirectiveNode[] {
    const found: DirectiveNode[] = []
    while (this.#take('@')) {
      const directive: DirectiveNode = { name: this.#name(), arguments: [] }
      if (this.#take('(')) while (!this.#take(')')) directive.arguments.push(this.#named(0))
      found.push(directive)
    }
    return found
  }

  #named(depth: number): Named & { value: ValueNode } {
    const name = this.#name()
    this.#mark(':')
    return { name, value: this.#literal(depth) }
  }

  #typeNode(depth: number): TypeNode {
    if (depth > MAX_DEPTH) throw this.#fault('a type is nested too deeply')
    let type: TypeNode
    if (this.#take('[')) {
      type = { kind: 'ListType', type: this.#typeNode(depth + 1) }
      this.#mark(']')
    } else type = { kind: 'NamedType', name: this.#name() }
    return this.#take('!') ? { kind: 'NonNullType', type } : type
  }

  #literal(depth: number): ValueNode {
    if (depth > MAX_DEPTH) throw this.#fault('a value is nested too deeply')
    const { kind, value } = this.#token
    if (kind === 'string') return this.#next({ kind: 'StringValue', value })
    if (kind === 'name' || kind === 'number') return this.#next({ kind: 'Word', value })
    if (this.#take('[')) {
      const values: ValueNode[] = []
      while (!this.#take(']')) values.push(this.#literal(depth + 1))
      return { kind: 'ListValue', values }
    }
    this.#mark('{')
    const fields: (Named & { value: ValueNode })[] = []
    while (!this.#take('}')) fields.push(this.#named(depth + 1))
    return { kind: 'ObjectValue', fields }
  }

  #block<Item>(read: () => Item): Item[] {
    const found: Item[] = []
    if (!this.#take('{')) return found
    while (!this.#take('}')) found.push(read())
    return found
  }

  #names(separator: string): string[] {
    this.#take(separator)
    const found = [this.#name()]
    while (this.#take(separator) || (separator === '&' && this.#token.kind === 'name'))
      found.push(this.#name())
    return found
  }

  #description(): string {
    return this.#token.kind === 'string' ? this.#next(this.#token.value) : ''
  }

  #name(): string {
    if (this.#token.kind !== 'name') throw this.#fault(`expected a name, found ${shown(this.#token)}`)
    return this.#next(this.#token.value)
  }

  #takeWord(word: string): boolean {
    return this.#token.kind === 'name' && this.#token.value === word && this.#next(true)
  }

  #take(mark: string): boolean {
    return this.#token.kind === 'mark' && this.#token.value === mark && this.#next(true)
  }

  #mark(mark: string) {
    if (!this.#take(mark)) throw this.#fault(`expected ${mark}, found ${shown(this.#token)}`)
  }

  /** Advances to the next token and returns `value`, which was read from the current one. */
  #next<Value>(value: Value): Value {
    this.#token = this.#read()
    return value
  }

  #read(): Token {
    this.#match(SPACE)
    const at = this.#offset
    this.#count++
    if (this.#count > MAX_TOKENS) throw this.#fault('the schema is too long')
    if (at >= this.#text.length) return { kind: 'end', value: '', at }
    if (this.#text.startsWith('"""', at)) return { kind: 'string', value: this.#blockString(at + 3), at }
    const word = this.#match(WORD)
    if (word) return { kind: 'name', value: word[0], at }
    const number = this.#match(NUMBER)
    if (number) return { kind: 'number', value: number[0], at }
    const string = this.#match(STRING)
    if (string) return { kind: 'string', value: unescapeText(string[1] ?? ''), at }
    const mark = this.#text[at] ?? ''
    if (!MARKS.includes(mark)) throw this.#fault(`unexpected ${JSON.stringify(mark)}`, at)
    this.#offset = at + 1
    return { kind: 'mark', value: mark, at }
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#offset
    const found = pattern.exec(this.#text)
    if (found) this.#offset = pattern.lastIndex
    return found
  }

  #blockString(start: number): string {
    let end = this.#text.indexOf('"""', start)
    while (end !== -1 && this.#text[end - 1] === '\\') end = this.#text.indexOf('"""', end + 3)
    if (end === -1) throw this.#fault('a description is not closed', start)
    this.#offset = end + 3
    return withoutIndent(this.#text.slice(start, end).replaceAll('\\"""', '"""'))
  }

  #fault(what: string, at = this.#token.at): Error {
    let line = 1
    for (let found = this.#text.indexOf('\n'); found !== -1 && found < at; line++)
      found = this.#text.indexOf('\n', found + 1)
    return new Error(`line ${line}: ${what}`)
  }
}

function isKind(word: string): word is TypeDefinition['kind'] {
  return ['scalar', 'type', 'interface', 'union', 'enum', 'input'].includes(word)
}

function shown({ kind, value }: Token): string {
  return kind === 'end' ? 'the end' : JSON.stringify(value.slice(0, 40))
}

function unescapeText(text: string): string {
  try {
    return String(JSON.parse(`"${text.replaceAll('\t', '\\t')}"`))
  } catch {
    return text
  }
}

function withoutIndent(text: string): string {
  const [first = '', ...rest] = text.split(/\r?\n/)
  const indents = rest
    .filter((line) => line.trim() !== '')
    .map((line) => line.length - line.trimStart().length)
  const common = indents.reduce((least, one) => Math.min(least, one), Number.POSITIVE_INFINITY)
  return [first, ...rest.map((line) => line.slice(Math.min(common, line.length)))].join('\n').trim()
}
