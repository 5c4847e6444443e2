/** Selects the `.js` files that every page loads, and reports those that cannot run in a page. */
import { type AnyNode, parse } from 'acorn'
import type { Problem } from '../../base/errors/problem.ts'
import { withoutComments } from './scan-imports.ts'

export interface ScriptFacts {
  /** Set if the file is not a page script, but an ES module or a Node program. */
  program: 'module' | 'node' | null
  names: readonly TopName[]
}

interface TopName {
  name: string
  /** 1-based. */
  line: number
  /** Declared by `const`, `let` or `class`: no other script may declare the name again. */
  isOnce: boolean
}

const EXPORT_STATEMENT = /^export\s+(?:default|const|let|var|function|class|async|\{|\*)/m
const COMMON_JS_STATEMENT =
  /^(?:module\.exports|exports\.\w+)\s*=|^(?:(?:const|let|var)\s+[\w{},\s:]{1,200}=\s*)?require\(\s*["']/m

/**
 * Maximum size in characters of a script that is parsed for its names. Larger scripts are libraries, which declare
 * no globals.
 */
const MAX_PARSED_CHARACTERS = 200_000
const MAX_NAMES = 500

export function readScript(text: string, hasImports: boolean): ScriptFacts {
  const program = detectProgram(text, hasImports)
  return { program, names: program === null ? listTopNames(text) : [] }
}

/** Ignores code inside functions, which is where universal libraries have their Node code. */
function detectProgram(text: string, hasImports: boolean): ScriptFacts['program'] {
  if (text.startsWith('#!')) return 'node'
  const code = withoutComments(text)
  if (hasImports || EXPORT_STATEMENT.test(code)) return 'module'
  return COMMON_JS_STATEMENT.test(code) ? 'node' : null
}

/** Returns an empty list for invalid JavaScript: the browser's error is more informative. */
function listTopNames(text: string): TopName[] {
  if (text.length > MAX_PARSED_CHARACTERS) return []
  try {
    const { body } = parse(text, { ecmaVersion: 'latest', sourceType: 'script', locations: true })
    return body.flatMap(listDeclaredNames).slice(0, MAX_NAMES)
  } catch {
    return []
  }
}

function listDeclaredNames(statement: AnyNode): TopName[] {
  if (statement.type === 'VariableDeclaration') {
    const isOnce = statement.kind !== 'var'
    return statement.declarations.flatMap(({ id }) => listBoundNames(id)).map((one) => ({ ...one, isOnce }))
  }
  const isClass = statement.type === 'ClassDeclaration'
  if (!isClass && statement.type !== 'FunctionDeclaration') return []
  return statement.id === null ? [] : listBoundNames(statement.id).map((one) => ({ ...one, isOnce: isClass }))
}

function listBoundNames(pattern: AnyNode): { name: string; line: number }[] {
  switch (pattern.type) {
    case 'Identifier':
      return [{ name: pattern.name, line: pattern.loc?.start.line ?? 1 }]
    case 'ObjectPattern':
      return pattern.properties.flatMap((one) =>
        listBoundNames(one.type === 'Property' ? one.value : one.argument),
      )
    case 'ArrayPattern':
      return pattern.elements.flatMap((one) => (one === null ? [] : listBoundNames(one)))
    case 'AssignmentPattern':
      return listBoundNames(pattern.left)
    case 'RestElement':
      return listBoundNames(pattern.argument)
    default:
      return []
  }
}

export function findScripts(
  problems: Problem[],
  facts: ReadonlyMap<string, { script: ScriptFacts | null }>,
  files: Iterable<string>,
): string[] {
  const scripts: string[] = []
  const declaredNames = new Map<string, { file: string; isOnce: boolean }>()
  for (const file of files) {
    if (!file.endsWith('.js')) continue
    const { program, names } = facts.get(file)?.script ?? { program: null, names: [] }
    if (program !== null) {
      problems.push(createNotLoadedProblem(file, program))
      continue
    }
    scripts.push(file)
    const twice = names.find(({ name, isOnce }) => {
      const other = declaredNames.get(name)
      return other !== undefined && (isOnce || other.isOnce)
    })
    if (twice) problems.push(createNotRunProblem(file, twice, declaredNames.get(twice.name)?.file ?? ''))
    else for (const { name, isOnce } of names) declaredNames.set(name, { file, isOnce })
  }
  return scripts
}

const PROGRAMS = {
  module: 'is a module, which cannot be loaded as a page script',
  node: 'uses Node.js APIs',
} as const

/** Reports a script that would only throw an error in a page. */
function createNotLoadedProblem(file: string, program: 'module' | 'node'): Problem {
  return {
    file,
    line: null,
    code: 'script.not_loaded',
    level: 'hint',
    message: `Pages do not load this script because it ${PROGRAMS[program]}.`,
    remedy: 'Rewrite it without import, export and require, or exclude it with .mintignore.',
  }
}

/**
 * Reports a conflict: all scripts of a page share one scope, so the browser rejects the later script
 * completely.
 */
function createNotRunProblem(file: string, { name, line }: TopName, other: string): Problem {
  return {
    file,
    line,
    code: 'script.name_twice',
    level: 'hint',
    message: `Browsers reject this script because it declares ${name.slice(0, 60)}, which ${other} already declares.`,
    remedy: 'Wrap the code of each script in a block or a function.',
  }
}
