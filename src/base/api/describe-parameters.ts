/** Describes the parameters of an operation for OpenAPI. */
import type { TSchema } from 'typebox'

type Json = { [key: string]: unknown }

export function listParameters(
  schema: TSchema | null,
  location: 'path' | 'query',
  refer: (schema: TSchema) => Json,
): Json[] {
  const { properties = {}, required = [] } = (schema ?? {}) as {
    properties?: Record<string, TSchema>
    required?: string[]
  }
  return Object.entries(properties).map(([name, property]) => {
    const { description, ...rest } = refer(property)
    return {
      name,
      in: location,
      required: location === 'path' || required.includes(name),
      ...(description === undefined ? {} : { description }),
      schema: rest,
    }
  })
}
