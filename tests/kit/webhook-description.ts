/** Fields of GitHub webhooks, from GitHub's own API description. */
import { readFileSync } from 'node:fs'

interface Schema {
  $ref?: string
  properties?: Record<string, Schema>
  allOf?: Schema[]
  anyOf?: Schema[]
  oneOf?: Schema[]
}

const { components } = JSON.parse(
  readFileSync(new URL('../fixtures/forges/github.json', import.meta.url), 'utf8'),
) as { components: { schemas: Record<string, Schema> } }
const SCHEMAS = components.schemas

/** Returns the paths of the fields in a message that the schema of this name does not define. */
export function undescribedFields(sample: unknown, name: string): string[] {
  return undescribed(sample, [SCHEMAS[name] as Schema])
}

function undescribed(sample: unknown, schemas: readonly Schema[], path = ''): string[] {
  if (typeof sample !== 'object' || sample === null) return []
  const whole = schemas.flatMap(parts)
  return Object.entries(sample).flatMap(([name, value]) => {
    const found = whole.flatMap(({ properties = {} }) => properties[name] ?? [])
    return found.length === 0 ? [`${path}/${name}`] : undescribed(value, found, `${path}/${name}`)
  })
}

function parts(schema: Schema): Schema[] {
  const named = schema.$ref === undefined ? [] : parts(SCHEMAS[schema.$ref.split('/').at(-1) as string] ?? {})
  const { allOf = [], anyOf = [], oneOf = [] } = schema
  return [schema, ...named, ...[...allOf, ...anyOf, ...oneOf].flatMap(parts)]
}
