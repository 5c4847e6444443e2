/** Finds types in an API description that JSON Schema does not define. */
import type { Problem } from '../../../base/errors/problem.ts'

/** Maximum number of problems per description (MOST), and of values checked (MAX_CHECKED_NODES). */
const MOST = 20
const MAX_CHECKED_NODES = 200_000
const TYPES = new Set(['string', 'number', 'integer', 'boolean', 'array', 'object', 'null', 'file'])

/** Returns one problem for each `type` in an OpenAPI description that JSON Schema does not define. */
export function lintSpec(file: string, root: unknown, text: string): Problem[] {
  const unknown = new Set<string>()
  const open: { value: unknown; isSchema: boolean }[] = [{ value: root, isSchema: false }]
  for (let seen = 0; open.length > 0 && seen < MAX_CHECKED_NODES; seen++) {
    const { value, isSchema } = open.pop() as (typeof open)[number]
    if (value === null || typeof value !== 'object') continue
    const node = value as Record<string, unknown>
    if (isSchema)
      for (const type of [node.type].flat())
        if (typeof type === 'string' && !TYPES.has(type)) unknown.add(type)
    for (const [key, inner] of Object.entries(node)) {
      if (key === 'example' || key === 'examples' || key === 'default' || key === 'enum') continue
      const isMap = key === 'properties' || key === 'schemas' || key === 'patternProperties'
      if (isMap && inner !== null && typeof inner === 'object')
        for (const schema of Object.values(inner)) open.push({ value: schema, isSchema: true })
      else if (/^(?:allOf|anyOf|oneOf)$/.test(key) && Array.isArray(inner))
        for (const schema of inner) open.push({ value: schema, isSchema: true })
      else open.push({ value: inner, isSchema: /^(?:schema|items|additionalProperties|not)$/.test(key) })
    }
  }
  const lines = text.split('\n')
  return [...unknown].slice(0, MOST).map((type) => {
    const at = lines.findIndex((line) => /\btype\b/.test(line) && line.includes(type))
    return {
      file,
      line: at === -1 ? null : at + 1,
      code: 'api.type_unknown',
      level: 'warning' as const,
      message: `The schema type “${type.slice(0, 60)}” does not exist.`,
      remedy: 'Use string, number, integer, boolean, array, object or null.',
    }
  })
}
