/** Parts shared by the API descriptions of the form tests. */
import type { JsonObject } from '../../src/openapi/api-json.ts'

export const OK: JsonObject = { 200: { description: 'Done' } }
export const json = (schema: JsonObject): JsonObject => ({
  required: true,
  content: { 'application/json': { schema } },
})
export const base = (openapi: string, title: string): JsonObject => ({
  openapi,
  info: { title, version: '1' },
})
export const KINDS = ['gift', 'parcel']

export const LIST: JsonObject = { type: 'array', minItems: 2, items: { type: 'integer', minimum: 3 } }
export const MAP: JsonObject = {
  type: 'object',
  required: ['x'],
  properties: { x: { type: 'integer' }, word: { type: 'string', maxLength: 6 } },
}
